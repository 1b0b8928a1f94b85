import type { Cents, Day } from '../../../engine/index.js';
import type { Agent } from '../../kernel/fact.js';
import type { Applying } from '../applying.js';

/** Facts about money that has left a bank account of the lender for a loan, and about its return. */
export interface PayoutFacts {
  /** The bank has paid out money of the loan. */
  readonly PayoutBooked: BankMove;
  /** The bank has brought it back: nobody has taken it. */
  readonly PayoutReturned: BankMove;
}

interface BankMove {
  /** The number of the ledger's fact that has sent the money; 0: the activation. */
  readonly payout: number;
  readonly amountCents: Cents;
  /** On which the bank has booked it. */
  readonly day: Day;
  /** The business day on which it was recorded. */
  readonly recordedDay: Day;
  /** The entry of a bank statement that shows it. */
  readonly statement: StatementEntry | null;
  readonly caseId: string | null;
}

export interface StatementEntry {
  readonly bankStatementId: string;
  readonly entry: number;
}

export interface PayoutMove extends BankMove {
  readonly type: 'booked' | 'returned';
  readonly recordedAt: number;
  readonly by: Agent;
}

/** A loan whose payouts no bank has reported. */
export const NO_PAYOUTS: readonly PayoutMove[] = [];

const noted =
  (type: PayoutMove['type']) =>
  ({ state, fact }: Applying, move: BankMove): void => {
    state.payouts = [...state.payouts, { ...move, type, recordedAt: fact.businessAt, by: fact.by }];
  };

/** Applies the facts of payouts. */
export const APPLY_PAYOUTS: { readonly [Type in keyof PayoutFacts]: (applying: Applying, body: PayoutFacts[Type]) => void } = {
  PayoutBooked: noted('booked'),
  PayoutReturned: noted('returned'),
};
