export * from './card-bin.js';
export * from './routing-number.js';
