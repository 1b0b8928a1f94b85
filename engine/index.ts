export * from './amortization/index.js';
export * from './apr/index.js';
export * from './assert.js';
export * from './calendar/index.js';
export * from './money/index.js';
export * from './rates/index.js';
export * from './replay/index.js';
export * from './waterfall/index.js';
