import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { generateStatement, recordStatement, updateStatement } from './decide.js';
import { getStatement, getStatementDetails, getStatementPage, listDrawInfos, listStatementActivities, listStatements } from './view.js';

export { LINE_TEXTS } from './record.js';
export { statementWork } from './decide.js';

export const statementCommands: readonly CommandSpec<LoanState>[] = [generateStatement, recordStatement, updateStatement];

export const statementQueries: readonly QuerySpec<LoanState>[] = [
  listStatements,
  getStatement,
  getStatementDetails,
  listStatementActivities,
  listDrawInfos,
  getStatementPage,
];
