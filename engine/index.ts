export * from './assert.js';
export * from './calendar/index.js';
export * from './money/index.js';
