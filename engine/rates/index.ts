export * from './bands.js';
export * from './compare.js';
export * from './compound.js';
export * from './growth.js';
export * from './timeline.js';
