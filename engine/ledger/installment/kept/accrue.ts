import type { Day } from '../../../calendar/index.js';
import type { Rate } from '../../../money/index.js';
import { beginStep, JOB_TIMES } from '../../core/clock.js';
import { copyFee, copyObligation } from '../copies.js';
import { beginEntry, enter } from '../entering.js';
import { isMore, minus, NO_INTEREST } from '../../core/interest.js';
import type { LedgerState } from '../state.js';
import { bookOf, settle, settleInterest } from './book.js';

/** The interest of the days up to `to` is what the book has more of it on that day. */
export function accrueInstalments(state: LedgerState, to: Day): void {
  const from = state.day;
  const before = beginEntry(state);
  const interestBefore = state.nonDueInterest;
  state.day = to;
  if (state.terms.keeping?.recalculation.type === 'cumulative') settleOnCopies(state);
  else settleInterest(state, bookOf(state));
  const isGrown = isMore(state.nonDueInterest, interestBefore);
  const interest = isGrown ? minus(state.nonDueInterest, interestBefore) : NO_INTEREST;
  beginStep(state, JOB_TIMES.accrual);
  enter(state, before, 'interestAccrual');
  const rate = rateOn(state, from);
  const principalCents = state.nonDuePrincipalCents + state.duePrincipalCents + state.overduePrincipalCents;
  state.watcher?.accrued?.({ from, until: to, principalCents, rate, rateBeforeDiscount: rate, interest, interestBeforeDiscount: interest });
}

/** A day may move older money between interest and principal; what a copy of the ledger shares is not written to. */
function settleOnCopies(state: LedgerState): void {
  state.obligations = state.obligations.map(copyObligation);
  state.fees = state.fees.map(copyFee);
  settle(state);
}

const rateOn = ({ rates }: LedgerState, day: Day): Rate => (rates.segments.find(({ until }) => until > day)?.net ?? 0) as Rate;
