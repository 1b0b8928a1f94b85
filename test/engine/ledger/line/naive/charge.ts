import type { Day } from '../../../../../engine/index.js';
import { type NaiveState, isWhole } from './state.js';
import { type Holder, money, type NaiveFee } from './holder.js';
import { joinWhole } from './orders.js';

type ChargeLogic = 'immediate' | 'nextDueDate' | 'lastDueDate' | 'nonDue';

export interface Charge {
  readonly cents: number;
  readonly chargeLogic: ChargeLogic;
  readonly recordedDay: Day;
  readonly isOfDraw: boolean;
}

/** By its charge logic, a fee is due on its own, with the next statement, or with the last minimum payment. */
export function charge(state: NaiveState, holder: Holder, { cents, chargeLogic, recordedDay, isOfDraw }: Charge): void {
  if (cents === 0) return;
  const open = money(cents);
  const fee: NaiveFee = {
    open,
    dueStatus: chargeLogic === 'immediate' ? 'due' : 'nonDue',
    isNext: chargeLogic === 'nextDueDate',
    from: null,
    isOfDraw,
    knownFrom: Math.max(state.today, recordedDay) as Day,
    isSeeded: false,
    isCarried: false,
    fellDue: null,
    late: null,
  };
  if (isWhole(state)) holder.fees.push({ ...fee, dueStatus: joinWhole(state, holder, open), isCarried: true });
  else holder.fees.push(fee);
}

/** How a fee of origination, or of a draw, is charged: a line has no last due date to spread the first over. */
export const logicOf = (logic: 'firstPayment' | 'spread' | 'separate'): ChargeLogic => (logic === 'separate' ? 'immediate' : 'nextDueDate');
