export * from './facts.js';
export * from './state.js';
export * from './terms.js';
