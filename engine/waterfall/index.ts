export * from './buckets.js';
