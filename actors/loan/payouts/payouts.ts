import { type Cents, cents, type Day, generalLedger, sum } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { amount, type Amount, type DateText, dateText } from '../../wire.js';
import { bookedLoan } from '../general-ledger/booked.js';
import { storedFact } from '../ledger/running.js';
import type { LoanState } from '../state.js';

/** Money that has left for the borrower, a merchant or another lender: it is in processing until the bank has paid it. */
export interface Payout {
  /** The number of the ledger's fact that has sent it; 0: the activation. */
  readonly number: number;
  readonly day: Day;
  /** What was sent. Zero where it was taken back: the advance was canceled, or the reimbursement has failed. */
  readonly amountCents: Cents;
  /** What banks have paid of it and not brought back. */
  readonly bookedCents: Cents;
  readonly bookedOn: Day | null;
  readonly returnedOn: Day | null;
}

/** `inProcessing`: the bank has not paid it. `owedBack`: it has paid more than is sent now. `canceled`: nothing is sent any more. */
type PayoutStatus = 'inProcessing' | 'paid' | 'owedBack' | 'canceled';

export interface PayoutReply {
  readonly id: string;
  readonly object: 'payout';
  readonly status: PayoutStatus;
  readonly payoutDate: DateText;
  readonly amount: Amount;
  /** What the bank has paid and not brought back. */
  readonly bankAmount: Amount;
  readonly bankDate: DateText | null;
  readonly returnDate: DateText | null;
  /** The reimbursement, advance or purchase that it belongs to; null: the loan's activation. */
  readonly transactionId: string | null;
  readonly advanceId: string | null;
  readonly purchaseId: string | null;
}

/** The books in which payouts are looked for: they are the same whatever a lender has decided. */
export const KEEPING: generalLedger.Keeping = { basis: 'accrual', settings: generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS };

/** What a bank says is no part of what was sent. */
const BANK_RULES: ReadonlySet<string> = new Set(['payoutSettledAtBank', 'payoutReturned']);

/** All payouts of a loan through a day, in the order of their ledger. */
export function payoutsOf(state: LoanState, env: EvolveEnv, today: Day): readonly Payout[] {
  const loan = bookedLoan(state, env, KEEPING);
  if (loan === null) return [];
  const sent = new Map<number, { readonly day: Day; amountCents: number }>();
  for (const { factId, meets = factId, rule, effectiveDate, lines } of generalLedger.believedOn(loan, today))
    for (const { role, amount: debit } of lines) {
      const number = numberOf(state, meets);
      if (role !== 'clearingOutgoing' || BANK_RULES.has(rule) || number === null) continue;
      const known = sent.get(number) ?? { day: effectiveDate, amountCents: 0 };
      known.amountCents -= debit;
      sent.set(number, known);
    }
  for (const { payout, day } of state.payouts) if (!sent.has(payout)) sent.set(payout, { day, amountCents: 0 });
  return [...sent]
    .sort(([a], [b]) => a - b)
    .flatMap(([number, { day, amountCents }]): readonly Payout[] => {
      const moves = state.payouts.filter(({ payout }) => payout === number);
      if (amountCents <= 0 && moves.length === 0) return [];
      const last = (type: 'booked' | 'returned'): Day | null => moves.findLast((move) => move.type === type)?.day ?? null;
      const bookedOn = last('booked');
      return [
        { number, day, amountCents: cents(amountCents), bookedCents: bookedOf(state, number), bookedOn, returnedOn: last('returned') },
      ];
    });
}

/** What banks have paid of a payout and not brought back. */
export const bookedOf = ({ payouts }: Pick<LoanState, 'payouts'>, number: number): Cents =>
  cents(
    sum(
      payouts
        .filter(({ payout }) => payout === number)
        .map(({ type, amountCents }) => cents(type === 'booked' ? amountCents : -amountCents)),
    ),
  );

/** The fact that the general ledger names for a payout, and by which the interface names it. */
const payoutIdOf = ({ id }: Pick<LoanState, 'id'>, number: number): string => `${id}-${number}`;

/** Null for what is no id of a fact of the loan's ledger. */
export function numberOf({ id }: Pick<LoanState, 'id'>, payoutId: string): number | null {
  const text = payoutId.startsWith(`${id}-`) ? payoutId.slice(id.length + 1) : '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

const statusOf = ({ amountCents, bookedCents }: Payout): PayoutStatus => {
  if (bookedCents > Math.max(0, amountCents)) return 'owedBack';
  if (amountCents <= 0) return 'canceled';
  return bookedCents < amountCents ? 'inProcessing' : 'paid';
};

export function payoutView(state: LoanState, payout: Payout): PayoutReply {
  const fact = storedFact(state, payout.number)?.fact;
  const transactionId = fact?.type === 'reimbursed' ? (state.transactions.idOfPayment(payout.number) ?? null) : null;
  const advanceId = fact?.type === 'advance' ? (state.advances.find(({ number }) => number === payout.number)?.id ?? null) : null;
  const purchase = fact?.type === 'purchase' ? fact.purchase : null;
  const purchaseId = purchase === null ? null : (state.purchases.all().find((one) => one.purchase === purchase)?.id ?? null);
  return {
    id: payoutIdOf(state, payout.number),
    object: 'payout',
    status: statusOf(payout),
    payoutDate: dateText(payout.day),
    amount: amount(payout.amountCents),
    bankAmount: amount(payout.bookedCents),
    bankDate: payout.bookedOn === null ? null : dateText(payout.bookedOn),
    returnDate: payout.returnedOn === null ? null : dateText(payout.returnedOn),
    transactionId,
    advanceId,
    purchaseId,
  };
}
