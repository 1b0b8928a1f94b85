import type { CommandSpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { cancelPromisePlan, createPromisePlan, updatePromisePlan } from './decide.js';

export { promiseQueries } from './view.js';

export const promiseCommands: readonly CommandSpec<LoanState>[] = [createPromisePlan, updatePromisePlan, cancelPromisePlan];
