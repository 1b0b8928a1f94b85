export { changedInUse, publishedType, versionedCommands } from './commands.js';
export * from './declaration.js';
export {
  activeOf,
  findVersion,
  shownOf,
  type TypeLine,
  type TypeVersion,
  versionedQueries,
  versionReply,
} from './line.js';
