import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { changeDrawLimit, changeLineLimit, limitQueries } from './limits.js';

/** Commands that only lines of credit have. */
export const lineCommands: readonly CommandSpec<LoanState>[] = [changeLineLimit, changeDrawLimit];

export const lineQueries: readonly QuerySpec<LoanState>[] = [...limitQueries];
