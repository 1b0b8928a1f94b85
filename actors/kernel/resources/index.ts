export * from './commands.js';
export * from './declaration.js';
export * from './facts.js';
export * from './queries.js';
export * from './versions/index.js';
