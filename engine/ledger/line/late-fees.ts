import type { Cents } from '../../money/index.js';
import { ACCELERATION_ORDINAL, type ObligationState } from '../core/state.js';
import { bookLateFeesIn, largestLateFeeIn, lateFeesNow } from '../installment/shared.js';
import { beginEntry, enter } from './entering.js';
import { bookFee, noteWaivedFee } from './fees.js';
import { principalCents } from './owed.js';
import { runningPeriod } from './roll-periods.js';
import type { LineState } from './state.js';

/** Late fees punish minimum payments, not an acceleration. */
export const canEarnLateFee = ({ isFulfilled, ordinal }: ObligationState): boolean => !isFulfilled && ordinal !== ACCELERATION_ORDINAL;

/** 00:50: fees of the line itself for minimum payments whose day has come. */
export function bookLateFees(state: LineState): void {
  if (lateFeesNow(state).length === 0) return;
  bookLateFeesIn({
    ledger: state,
    fees: state.fees,
    periodStart: runningPeriod(state).startDate,
    principalCents: () => principalOf(state),
    canEarn: canEarnLateFee,
    book: (fee) => {
      const before = beginEntry(state);
      bookFee(state, null, { ...fee, origin: 'late' });
      enter(state, before, 'lateFee');
    },
    noteWaived: (fee) => noteWaivedFee(state, null, { ...fee, origin: 'late' }),
  });
}

const principalOf = (state: LineState): number => state.draws.reduce((sum, draw) => sum + principalCents(draw), 0);

/** The largest late fee that a minimum payment of this amount can earn: what statements warn of. */
export const largestLineLateFeeCents = (state: LineState, obligationCents: number): Cents =>
  largestLateFeeIn({ ledger: state, fees: state.fees, principalCents: () => principalOf(state) }, obligationCents);
