import { must } from '../../../engine/index.js';
import { amount, type Amount, dateText, type DateText, dateTimeText, type DateTimeText, orNull, type Whole } from '../../wire.js';
import {
  type CardDayResults,
  type DifferenceKind,
  type ReconciliationState,
  type ReconciliationStatus,
  reconciliationStatus,
} from './reconciliation.js';

export interface BankReconciliationView {
  readonly id: string;
  readonly object: 'reconciliation';
  readonly companyId: string;
  readonly date: DateText;
  readonly paymentProcessorId: string;
  readonly status: ReconciliationStatus;
  readonly items: readonly DifferenceView[];
  /** Of a processor of cards: what its results of the day came to. */
  readonly cardResults: CardResultsView | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

interface CardResultsView {
  readonly capturedAmount: Amount;
  readonly refundedAmount: Amount;
  /** What disputes have taken, less what they have given back. */
  readonly disputedAmount: Amount;
  readonly feeAmount: Amount;
  readonly itemCount: Whole;
  /** What the processor pays for the day; a negative amount is taken. */
  readonly fundedAmount: Amount;
  readonly fundingDate: DateText;
  readonly fundingReference: string;
}

interface DifferenceView {
  readonly id: string;
  readonly kind: DifferenceKind;
  readonly transactionId: string | null;
  readonly loanId: string | null;
  readonly processorReconciliationId: string | null;
  readonly achFileId: string | null;
  readonly expectedAmount: Amount | null;
  readonly actualAmount: Amount | null;
  readonly description: string;
  readonly foundAt: DateTimeText;
  readonly resolution: string | null;
  readonly resolvedAt: DateTimeText | null;
}

export function reconciliationView(state: ReconciliationState): BankReconciliationView {
  return {
    id: state.id,
    object: 'reconciliation',
    companyId: state.tenant.company,
    date: dateText(must(state.day, 'a reconciliation has a day')),
    paymentProcessorId: state.processorId,
    status: reconciliationStatus(state),
    items: state.items.map((item) => ({
      id: item.key,
      kind: item.kind,
      transactionId: item.transactionId,
      loanId: item.loanId,
      processorReconciliationId: item.trace,
      achFileId: item.achFileId,
      expectedAmount: orNull(amount, item.expectedCents),
      actualAmount: orNull(amount, item.actualCents),
      description: item.description,
      foundAt: dateTimeText(item.foundAt),
      resolution: item.resolution,
      resolvedAt: orNull(dateTimeText, item.resolvedAt),
    })),
    cardResults: orNull(cardResultsView, state.cardResults),
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: null,
  };
}

const cardResultsView = ({ funding, itemCount, ...sums }: CardDayResults): CardResultsView => ({
  capturedAmount: amount(sums.capturedCents),
  refundedAmount: amount(sums.refundedCents),
  disputedAmount: amount(sums.disputedCents),
  feeAmount: amount(sums.feeCents),
  itemCount,
  fundedAmount: amount(funding.amountCents),
  fundingDate: dateText(funding.day),
  fundingReference: funding.reference,
});
