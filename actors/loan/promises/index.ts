import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { cancelPromisePlan } from './commands/cancel.js';
import { createPromisePlan } from './commands/create.js';
import { updatePromisePlan } from './commands/update.js';

export { promiseQueries } from './queries.js';

export const promiseCommands: readonly CommandSpec<LoanState>[] = [createPromisePlan, updatePromisePlan, cancelPromisePlan];
