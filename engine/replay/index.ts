export * from './entries.js';
export * from './facts.js';
export * from './happenings.js';
export * from './state.js';
export * from './terms.js';
export * from './views.js';
export * from './watcher.js';
