import { ACCELERATION_ORDINAL, type ObligationState } from '../replay/index.js';
import { bookLateFeesIn, settingsOf } from '../replay/shared.js';
import { beginEntry, enter } from './entering.js';
import { bookFee, noteWaivedFee } from './fees.js';
import { principalCents } from './owed.js';
import { runningPeriod } from './roll-periods.js';
import type { LineState } from './state.js';

/** Late fees punish minimum payments, not an acceleration. */
export const canEarnLateFee = ({ isFulfilled, ordinal }: ObligationState): boolean => !isFulfilled && ordinal !== ACCELERATION_ORDINAL;

/** 00:50: fees of the line itself for minimum payments whose day has come (servicing-behaviour 11.5). */
export function bookLateFees(state: LineState): void {
  if (settingsOf(state).lateFees.length === 0) return;
  bookLateFeesIn({
    ledger: state,
    fees: state.fees,
    periodStart: runningPeriod(state).startDate,
    principalCents: () => state.draws.reduce((sum, draw) => sum + principalCents(draw), 0),
    canEarn: canEarnLateFee,
    book: (fee) => {
      const before = beginEntry(state);
      bookFee(state, null, { ...fee, origin: 'late' });
      enter(state, before, 'lateFee');
    },
    noteWaived: (fee) => noteWaivedFee(state, null, { ...fee, origin: 'late' }),
  });
}
