import { type FailureReason, isReturnCode } from '../../borrower/index.js';
import { addBusinessDays, addDays, type BusinessCalendar, type Day } from '../../../engine/index.js';
import { type LoanTypeSettings, type PaymentType, paymentTypeOfCard } from '../../company/index.js';
import type { Mode } from '../../kernel/fact.js';
import type { InstrumentType, Settlement, TransactionRecord, UsedInstrument } from './record.js';

/**
 * Moves the money; `wiring/` chooses the implementation. On the settlement day the service asks for the result of a payment and records it.
 * An implementation must return the same result every time.
 */
export interface SettlementPort {
  /** `lastFour` returns the last digits of the account or card; null if it has none, or if its borrower was erased. */
  verdict(payment: TransactionRecord, mode: Mode, lastFour: () => string | null): Verdict;
  /** Called when the engine is open. The implementation reports late returns by `report`, up to 60 days after the settlement day. */
  connect?(report: ReportReturn): void;
}

export type Verdict =
  /** `lateReturnCode`: the payment settles, and is returned later. */
  | { readonly type: 'settled'; readonly lateReturnCode: string | null }
  | { readonly type: 'returned'; readonly returnCode: string }
  /** Declined, without a return code of a bank. */
  | { readonly type: 'failed'; readonly failureReason: FailureReason };

/** A bank has returned a payment. */
export interface BankReturn {
  readonly company: string;
  readonly mode: Mode;
  readonly loanId: string;
  readonly transactionId: string;
  /** `R01` and so on. */
  readonly returnCode: string;
}

/** Resolves when the return is durable. A second report of it has no effect. Rejects with a `Refusal` if it cannot be returned. */
export type ReportReturn = (notice: BankReturn) => Promise<void>;

/** The product's settlement settings, and the business days on which money of its company moves. */
export interface SettlementTerms extends Pick<LoanTypeSettings, 'settleDays' | 'holdDays'> {
  readonly businessDays: BusinessCalendar;
  /** The payment processor of a type of payments; null: of bank payments the settlement port moves the money, of cards nobody does. */
  readonly processorFor: (type: PaymentType) => string | null;
}

/** Business days after settlement on which a late return comes in. */
const LATE_RETURN_BUSINESS_DAYS = 5;

/**
 * The default: a payment settles when its settlement days are over. In test mode the last four digits of the account can make it fail:
 * `99NN` is returned with the code `RNN` instead of settling, `98NN` settles and is returned with `RNN` five business days later, for every
 * `RNN` of the table of return codes. In live mode the digits have no effect.
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
 * The days of money that the service moves. A payment that is initiated on a day is in the file of that evening, or of the next business
 * day's evening, and settles after the product's business days.
 */
export function settlementOf(
  initiatedOn: Day,
  { instrumentType, cardType }: Pick<UsedInstrument, 'instrumentType' | 'cardType'>,
  { settleDays, businessDays, processorFor }: SettlementTerms,
): Settlement {
  const fileDay = addBusinessDays(initiatedOn, 0, businessDays);
  const handOverDay = addDays(fileDay, 1);
  const settled = addBusinessDays(fileDay, instrumentType === 'card' ? settleDays.card : settleDays.ach, businessDays);
  const settlement: Settlement = { handOverDay, settleDay: settled > handOverDay ? settled : handOverDay, lateReturn: null };
  if (instrumentType === 'card')
    return { ...settlement, card: { processorId: processorFor(paymentTypeOfCard(cardType)), resultDay: null } };
  const processorId = instrumentType === 'bankAccount' ? processorFor('ach') : null;
  if (processorId === null) return settlement;
  return { ...settlement, ach: { processorId, fileId: null, isSameDay: false, entryDay: null } };
}

export const lateReturnDay = (settledOn: Day, calendar: BusinessCalendar): Day =>
  addBusinessDays(settledOn, LATE_RETURN_BUSINESS_DAYS, calendar);

/** Business days for which the product holds money of an instrument type. */
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
