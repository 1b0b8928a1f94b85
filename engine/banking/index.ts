export * from './routing-number.js';
