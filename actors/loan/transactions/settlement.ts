import { type FailureReason, isReturnCode } from '../../borrower/index.js';
import { addBusinessDays, addDays, type BusinessCalendar, type Day } from '../../../engine/index.js';
import type { LoanTypeSettings } from '../../company/index.js';
import type { Mode } from '../../kernel/fact.js';
import type { InstrumentType, Settlement, TransactionRecord } from './record.js';

/**
 * Who moves the money: a part of the service that is wired in `wiring/`. The service asks on the settlement day what
 * became of a payment, and records the answer: an implementation answers the same however often it is asked.
 */
export interface SettlementPort {
  /** `lastFour` gives the last digits of the account or card; null where it has none, or its borrower was erased. */
  verdict(payment: TransactionRecord, mode: Mode, lastFour: () => string | null): Verdict;
  /** Called once the engine is open: what comes back after its settlement day, up to 60 days later, is told through `tell`. */
  connect?(tell: TellReturn): void;
}

export type Verdict =
  /** `lateReturnCode`: settled, and returned after that all the same. */
  | { readonly type: 'settled'; readonly lateReturnCode: string | null }
  | { readonly type: 'returned'; readonly returnCode: string }
  /** Declined, without a return code of a bank. */
  | { readonly type: 'failed'; readonly failureReason: FailureReason };

/** A bank has sent a payment back. */
export interface BankReturn {
  readonly company: string;
  readonly mode: Mode;
  readonly loanId: string;
  readonly transactionId: string;
  /** `R01` and so on. */
  readonly returnCode: string;
}

/** Resolves once the return is durable; told twice, it counts once. Rejects with a `Refusal` what cannot be returned. */
export type TellReturn = (notice: BankReturn) => Promise<void>;

/** What the product says of money on its way, and the days on which money of its company moves. */
export interface SettlementTerms extends Pick<LoanTypeSettings, 'settleDays' | 'holdDays'> {
  readonly businessDays: BusinessCalendar;
}

/** Business days after settlement on which a late return comes in. */
const LATE_RETURN_BUSINESS_DAYS = 5;

/**
 * The default: what was handed over is settled when its days are over. In test mode the last four digits of the
 * account tell it to fail: `99NN` is returned with the code `RNN` instead of being settled, `98NN` is settled and
 * returned with `RNN` five business days later, for every `RNN` of the table of return codes. In live mode the digits mean
 * nothing.
 */
export const defaultSettlement: SettlementPort = {
  verdict(_payment, mode, lastFour) {
    const [, kind, digits] = /^(99|98)(\d\d)$/.exec(mode === 'test' ? (lastFour() ?? '') : '') ?? [];
    const returnCode = `R${digits ?? ''}`;
    if (kind === undefined || !isReturnCode(returnCode)) return { type: 'settled', lateReturnCode: null };
    return kind === '99' ? { type: 'returned', returnCode } : { type: 'settled', lateReturnCode: returnCode };
  },
};

/**
 * The days of money that the service moves: what is initiated on a day goes out with the file of that evening, or of the
 * next business day's, and counts as settled after the product's business days.
 */
export function settlementOf(initiatedOn: Day, instrumentType: InstrumentType, { settleDays, businessDays }: SettlementTerms): Settlement {
  const fileDay = addBusinessDays(initiatedOn, 0, businessDays);
  const handOverDay = addDays(fileDay, 1);
  const settled = addBusinessDays(fileDay, instrumentType === 'card' ? settleDays.card : settleDays.ach, businessDays);
  return { handOverDay, settleDay: settled > handOverDay ? settled : handOverDay, lateReturn: null };
}

export const lateReturnDay = (settledOn: Day, calendar: BusinessCalendar): Day =>
  addBusinessDays(settledOn, LATE_RETURN_BUSINESS_DAYS, calendar);

/** Business days for which the product holds money that came in this way. */
export function holdDaysOf(instrumentType: InstrumentType | null, { holdDays }: SettlementTerms): number {
  switch (instrumentType) {
    case 'bankAccount':
      return holdDays.ach;
    case 'card':
      return holdDays.card;
    case 'wire':
      return holdDays.wire;
    case null:
    case 'check':
    case 'moneyOrder':
    case 'paymentNetwork':
    case 'payroll':
      return 0;
  }
}
