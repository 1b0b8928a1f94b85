export * from './answers.js';
export * from './cases/index.js';
export * from './follows.js';
export * from './notes/index.js';
export * from './supercases/index.js';
export * from './tasks/index.js';
export * from './workflows/index.js';
