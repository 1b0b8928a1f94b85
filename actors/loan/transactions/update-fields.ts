import { type Allocation, type Day, fieldOf, positionOfPayment, sum, ZERO, cents } from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { amount, centsOf, dateText, millisecondsOf } from '../../wire.js';
import { activationOf } from '../context.js';
import { obligationId } from '../derived-ids.js';
import { drawIdOf } from '../draws/draw.js';
import { recordedSince, type RunningLedger, runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { refuseFaults } from './check-create.js';
import type { TransactionChanges } from './evolve.js';
import { movedCents, type Split, type TransactionDetails, type TransactionRecord, type TransactionTimestamps } from './record.js';
import type { TimestampsRequest, UpdateTransactionRequest } from './requests.js';
import type { AllocationRowView, AllocationView, TransactionView } from './view-types.js';

const PARTS = ['paidPrincipalAmount', 'paidInterestAmount', 'paidFeesAmount', 'paidOverAmount'] as const;

/**
 * The request without what it sends back as replies show it: that changes nothing, so no rule of changes concerns it. The case stays, since
 * it is the one of this change; the parts of a split belong together.
 */
export function withoutSentBack(request: UpdateTransactionRequest, shown: TransactionView): UpdateTransactionRequest {
  const isSame = (value: unknown, before: unknown): boolean => JSON.stringify(value) === JSON.stringify(before);
  const isSplitSame = PARTS.every((part) => request[part] === undefined || isSame(request[part], shown[part]));
  const isNews = ([name, value]: readonly [string, unknown]): boolean =>
    name === 'caseId' || (isAmong(PARTS, name) ? !isSplitSame : !isSame(value, fieldOf(shown, name)));
  const { timestamps, ...others } = request;
  const times = Object.entries(timestamps ?? {}).filter(([name, value]) => !isSame(value, fieldOf(shown.timestamps, name)));
  return {
    ...Object.fromEntries(Object.entries(others).filter(isNews)),
    ...(times.length === 0 ? {} : { timestamps: Object.fromEntries(times) }),
  };
}

const isAmong = (names: readonly string[], name: string): boolean => names.includes(name);

/** Fields that the caller may change on every transaction. */
const COMMON: readonly (keyof UpdateTransactionRequest)[] = ['externalId', 'metaData', 'evidenceDocumentId', 'consentDocumentId', 'caseId'];

const CONTROL: ReadonlySet<string> = new Set(['previewMode']);

/** 409 for fields that can only be set on external transactions. `besides`: further fields that are allowed. */
export function refuseInternal(request: UpdateTransactionRequest, besides: readonly string[]): void {
  const allowed = new Set<string>([...COMMON, ...besides]);
  const errors: Fault[] = Object.entries(request)
    .filter(([path, value]) => value !== undefined && !CONTROL.has(path) && !allowed.has(path))
    .map(([path]) => ({ path, expected: 'nothing', message: 'can only be set on an external transaction' }));
  if (errors.length > 0)
    refuse('invalidState', '`status` and amounts can only be set on an external transaction. The service moves this money itself.', {
      errors,
    });
}

/** Fields that are stored as they are sent. */
const KEPT = [
  'externalId',
  'isVirtual',
  'processingFeeType',
  'processorTransactionId',
  'processorReversalId',
  'processorReconciliationId',
  'avsResult',
  'failureReason',
  'processorFailureReason',
  'processorFailureDetails',
  'achReturnCode',
  'reversedByTransactionId',
  'reversedByTransactionExternalId',
  'parentTransactionId',
  'autopayPlanId',
  'autopayPaymentIds',
  'cancelReason',
  'enablePrepayments',
  'evidenceDocumentId',
  'consentDocumentId',
  'caseId',
  'metaData',
] as const satisfies readonly (keyof UpdateTransactionRequest & keyof TransactionDetails)[];

/** The record's new values of the fields in the body. */
export function changesOf(request: UpdateTransactionRequest, record: TransactionRecord): TransactionChanges {
  const kept: Record<string, unknown> = {};
  for (const field of KEPT) if (request[field] !== undefined) kept[field] = request[field];
  const { processingFeeAmount, scheduledAmount, actualAmount, timestamps } = request;
  const toldSplit = statedSplitOf(request, record);
  return {
    ...kept,
    ...(processingFeeAmount === undefined
      ? {}
      : { processingFeeCents: processingFeeAmount === null ? null : centsOf(processingFeeAmount) }),
    ...(scheduledAmount === undefined ? {} : { scheduledCents: centsOf(scheduledAmount) }),
    ...(actualAmount === undefined ? {} : { actualCents: centsOf(actualAmount) }),
    ...(toldSplit === null ? {} : { toldSplit }),
    ...(timestamps == null ? {} : { times: timesOf(timestamps) }),
  };
}

/** The stated split of a transaction that the ledger does not count; its parts must add up to the amount. */
function statedSplitOf(request: UpdateTransactionRequest, record: TransactionRecord): Split | null {
  const { paidPrincipalAmount, paidInterestAmount, paidFeesAmount, paidOverAmount, actualAmount } = request;
  const parts = { paidPrincipalAmount, paidInterestAmount, paidFeesAmount, paidOverAmount };
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  if (given.length === 0) return null;
  if (record.payment !== null) {
    refuse('invalidState', 'The split cannot be changed: the transaction was already applied.', {
      errors: given.map(([path]) => ({ path, expected: 'nothing', message: 'the transaction was already applied' })),
    });
  }
  const split: Split = {
    principalCents: orZero(paidPrincipalAmount),
    interestCents: orZero(paidInterestAmount),
    feesCents: orZero(paidFeesAmount),
    overCents: orZero(paidOverAmount),
  };
  const whole = actualAmount === undefined ? movedCents(record) : centsOf(actualAmount);
  if (sum(Object.values(split)) !== whole) {
    refuseFaults(
      given.map(([path]) => ({ path, expected: 'parts that sum to actualAmount', message: 'the parts do not sum to actualAmount' })),
    );
  }
  return split;
}

const orZero = (value: number | undefined): Split['overCents'] => (value === undefined ? ZERO : centsOf(value));

const TIMES = ['initiatedAt', 'pendingAt', 'succeededAt', 'failedAt', 'canceledAt', 'inDisputeAt', 'chargebackAt'] as const;

function timesOf(timestamps: TimestampsRequest): Partial<TransactionTimestamps> {
  const times: Partial<Record<(typeof TIMES)[number], number | null>> = {};
  for (const name of TIMES) {
    const text = timestamps[name];
    if (text !== undefined) times[name] = text === null ? null : millisecondsOf(text);
  }
  return times;
}

/** The waterfall rows of a transaction, computed from the loan's facts. */
export function allocationView(state: LoanState, env: EvolveEnv, record: TransactionRecord): AllocationView {
  if (record.payment === null || activationOf(state) === null) return { ...EMPTY, transactionId: record.id };
  const ledger = recordedSince(state, env, laterOf(runningOf(state, env).day, record.effective.day), record.payment);
  return allocationIn(state, env, { ledger, transactionId: record.id, payment: record.payment });
}

/** A computed ledger with the allocations of payments. */
export interface ComputedLedger {
  readonly state: RunningLedger;
  readonly allocations: readonly Row[];
}

/** A payment in a computed ledger. */
export interface PaymentIn {
  readonly ledger: ComputedLedger;
  readonly transactionId: string;
  readonly payment: number;
}

export function allocationIn(state: LoanState, env: EvolveEnv, { ledger, transactionId, payment }: PaymentIn): AllocationView {
  const at = positionOfPayment(ledger.state.payments, payment);
  const sums = at < 0 ? undefined : ledger.state.payments.at(at);
  if (sums === undefined) return { ...EMPTY, transactionId };
  return {
    transactionId,
    appliedAmount: amount(cents(sums.amountCents)),
    principalAmount: amount(cents(sums.principalCents)),
    interestAmount: amount(cents(sums.interestCents)),
    feesAmount: amount(cents(sums.feesCents)),
    overAmount: amount(cents(sums.overCents)),
    rows: rowsOfPayment(ledger, payment).map((row): AllocationRowView => {
      const due =
        row.obligation === null ? undefined : ledger.state.obligations.find((obligation) => obligation.ordinal === row.obligation);
      return {
        bucket: row.bucket,
        obligationId: row.obligation === null ? null : obligationId(env, state, row.obligation),
        dueDate: due === undefined ? null : dateText(due.dueDay),
        drawId: row.draw === undefined ? null : drawIdOf(state, row.draw),
        amount: amount(cents(row.amountCents)),
      };
    }),
  };
}

type Row = Allocation & { readonly draw?: number | null };

/** The allocation of one payment, in the waterfall's order. */
export function rowsOfPayment({ allocations }: ComputedLedger, payment: number): readonly Row[] {
  const rows: Row[] = [];
  for (const row of allocations) if (row.transaction === payment) rows.push(row);
  return rows;
}

const EMPTY = {
  appliedAmount: amount(ZERO),
  principalAmount: amount(ZERO),
  interestAmount: amount(ZERO),
  feesAmount: amount(ZERO),
  overAmount: amount(ZERO),
  rows: [],
};

const laterOf = (a: Day, b: Day): Day => (a > b ? a : b);
