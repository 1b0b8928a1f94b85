export * from './errors.js';
export type * from './runtime/actor.js';
export * from './runtime/fact.js';
export type * from './runtime/ports.js';
export * from './wire.js';
