export * from './snapshots/index.js';
export * from './keys/index.js';
