export { changedInPlace, publishedType, versionedCommands } from './commands.js';
export * from './declaration.js';
export * from './line.js';
export * from './queries.js';
