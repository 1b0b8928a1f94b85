import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { changeDrawLimit, changeLineLimit, limitQueries } from './limits.js';

/** What may be asked of lines of credit alone. */
export const lineCommands: readonly CommandSpec<LoanState>[] = [changeLineLimit, changeDrawLimit];

export const lineQueries: readonly QuerySpec<LoanState>[] = [...limitQueries];
