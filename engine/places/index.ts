export * from './area-codes.js';
export * from './state-zones.js';
export * from './zip-zones.js';
