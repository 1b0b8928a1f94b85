import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { generateStatement } from './commands/generate.js';
import { recordStatement } from './commands/record.js';
import { sendStatement } from './commands/send.js';
import { updateStatement } from './commands/update.js';
import {
  getStatement,
  getStatementDetails,
  getStatementDocument,
  listDrawInfos,
  listStatementActivities,
  listStatements,
} from './queries.js';

export { statementWork } from './work.js';

export const statementCommands: readonly CommandSpec<LoanState>[] = [generateStatement, recordStatement, updateStatement, sendStatement];

export const statementQueries: readonly QuerySpec<LoanState>[] = [
  listStatements,
  getStatement,
  getStatementDetails,
  listStatementActivities,
  listDrawInfos,
  getStatementDocument,
];
