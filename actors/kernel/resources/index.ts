export { createRecord, declaredCommands, declaredQueries, replyOf } from './commands.js';
export {
  type AnyDeclaration,
  type Change,
  changed,
  type Declaration,
  evolveResources,
  findRecord,
  putRecord,
  recordOf,
  recordsOf,
  type ResourceCreated,
  type ResourceHost,
  type ResourceRecord,
  type ResourceRemoved,
} from './declaration.js';
export * from './versions/index.js';
