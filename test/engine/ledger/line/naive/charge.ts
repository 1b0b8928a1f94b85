import type { Day } from '../../../../../engine/index.js';
import { type Book, isWhole } from './book.js';
import { type Holder, money, type NaiveFee } from './holder.js';
import { joinWhole } from './orders.js';

type ChargeLogic = 'immediate' | 'nextDueDate' | 'lastDueDate' | 'nonDue';

export interface Charge {
  readonly cents: number;
  readonly chargeLogic: ChargeLogic;
  readonly recordedDay: Day;
  readonly isOfDraw: boolean;
}

/** By its logic due by itself, with the next statement, or with the last of what is asked for. */
export function charge(book: Book, holder: Holder, { cents, chargeLogic, recordedDay, isOfDraw }: Charge): void {
  if (cents === 0) return;
  const open = money(cents);
  const fee: NaiveFee = {
    open,
    standing: chargeLogic === 'immediate' ? 'due' : 'nonDue',
    isNext: chargeLogic === 'nextDueDate',
    from: null,
    isOfDraw,
    knownFrom: Math.max(book.today, recordedDay) as Day,
    isSeeded: false,
    isCarried: false,
    fellDue: null,
    late: null,
  };
  if (isWhole(book)) holder.fees.push({ ...fee, standing: joinWhole(book, holder, open), isCarried: true });
  else holder.fees.push(fee);
}

/** How a fee of origination, or of a draw, is charged: a line has no last due date to spread the first over. */
export const logicOf = (logic: 'firstPayment' | 'spread' | 'separate'): ChargeLogic => (logic === 'separate' ? 'immediate' : 'nextDueDate');
