export * from './bands.js';
export * from './growth.js';
export * from './timeline.js';
