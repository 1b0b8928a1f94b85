import type { Cents, Day } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf } from '../context.js';
import { overdueIn, runningOf, upToDate } from '../ledger/running.js';
import type { LoanState } from '../state.js';

export interface LoanOverdue {
  readonly daysOverdue: number;
  readonly overdueCents: Cents;
  readonly overdueSince: Day | null;
}

/** What a loan is behind with today; null of one that was not activated. */
export const overdueToday = (state: LoanState, env: EvolveEnv & { today(zone: string): Day }): LoanOverdue | null =>
  activationOf(state) === null ? null : overdueIn(runningOf(upToDate(state, env), env));
