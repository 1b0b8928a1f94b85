import type { Day } from '../../engine/index.js';
import type { DecideEnv } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { advanceWork } from './advances/daily.js';
import { autopayWork } from './autopay/daily.js';
import { recurringFeeWork } from './fees/recurring.js';
import { scheduledFeeWork } from './fees/scheduled.js';
import { planWork } from './modifications/plan-work.js';
import { promiseWork } from './promises/daily.js';
import { promoWork } from './promo-programs/daily.js';
import type { LoanState } from './state.js';
import { statementWork } from './statements/index.js';
import { transactionWork } from './transactions/daily.js';
import type { SettlementPort } from './transactions/settlement.js';

/** A kind of work that a loan does on days of its own, after the ledger's daily work. */
export interface ScheduledWork {
  /** The earliest day with something to do; a day that is past means now. Null when nothing waits. */
  nextDay(state: LoanState): Day | null;
  /** What is to be recorded on that day; afterwards `nextDay` must lie later. */
  due(state: LoanState, day: Day, env: DecideEnv): Iterable<FactDraft>;
}

/** In the order of a day. */
export const scheduledWork = (settlement: SettlementPort): readonly ScheduledWork[] => [
  statementWork,
  advanceWork,
  recurringFeeWork,
  transactionWork(settlement),
  autopayWork,
  promiseWork,
  promoWork,
  planWork,
  scheduledFeeWork, // counts from the time that was named, or the end of the day: what counts from 01:00 does not know of it
];
