import {
  type Cents,
  type Day,
  type FeeCanceled,
  type FeeCharged,
  type LateFeeTerms,
  type LineFeeCharged,
  must,
} from '../../../engine/index.js';
import type { FeeCategory } from '../../company/index.js';
import { type EffectiveTime, fieldChanges } from '../../kernel/fact.js';
import { amount, dateText } from '../../wire.js';
import { activationOf } from '../context.js';
import { drawIdOf } from '../draws/draw.js';
import { loanEvent, occurredAt } from '../events.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import { applyLedgerFact, reasonWritten } from '../ledger/evolve.js';
import { feesIn, runningOf } from '../ledger/running.js';
import { changeSources, nextSources } from '../ledger/settings.js';
import type { Activated, ChargedFee, LoanState } from '../state.js';
import type { Applying } from '../applying.js';
import type { RecurringTrigger } from './recurring.js';

/** Applies the facts of fees, and emits their events. */
export const APPLY_FEES: { readonly [Type in keyof FeeFacts]: (applying: Applying, body: FeeFacts[Type]) => void } = {
  FeeCharged: feeCharged,
  FeeScheduled: feeScheduled,
  FeeCanceled: feeCanceled,
  ScheduledFeeCanceled: scheduledFeeCanceled,
  ScheduledFeeChanged: scheduledFeeChanged,
  LateFeesTaken: lateFeeTermsAdopted,
  RecurringFeesTaken: recurringFeesTaken,
  RecurringFeesDone: recurringFeesDone,
};

/** A fee is charged in the ledger, at once or because its day has come. */
function feeCharged(applying: Applying, body: FeeChargedBody): void {
  const { state, emit } = applying;
  const fee = newFee(applying, body, null);
  keep(state, fee);
  const { effective } = applyLedgerFact(applying, body);
  if (emit === null || isWaived(applying, fee)) return;
  const data = {
    feeId: fee.id,
    feeTypeId: fee.feeTypeId,
    amount: amount(fee.amountCents),
    effectiveDate: dateText(effective.day),
    drawId: drawIdOf(state, 'draw' in body.change ? body.change.draw : null),
  };
  emit(loanEvent(state, feeEventType(fee.category), data, occurredAt(state, effective, applying.fact)));
}

/** Whether nothing was charged: because of military service on that day, or of an earlier refund. */
const isWaived = ({ state, env }: Applying, { fee }: ChargedFee): boolean =>
  feesIn(runningOf(state, env)).find((booked) => booked.fee === fee)?.isCanceled === true;

function feeScheduled(applying: Applying, body: FeeScheduledBody): void {
  keep(applying.state, newFee(applying, body, body.at));
}

/** Waived: the ledger is computed again without the fee. */
function feeCanceled(applying: Applying, body: FeeCanceledBody): void {
  if (body.feeId !== null) markCanceled(applying, body.feeId, body.reason);
  applyLedgerFact(applying, reasonWritten(body));
}

function scheduledFeeCanceled(applying: Applying, body: ScheduledFeeCanceledBody): void {
  const { state, emit } = applying;
  const fee = markCanceled(applying, body.feeId, body.reason);
  emit?.(
    loanEvent(state, 'loan.fee.canceled', {
      feeId: fee.id,
      feeTypeId: fee.feeTypeId,
      amount: amount(fee.amountCents),
      effectiveDate: fee.scheduled === null ? null : dateText(fee.scheduled.day),
      drawId: drawIdOf(state, fee.draw ?? null),
      reason: body.reason,
    }),
  );
}

function scheduledFeeChanged({ state, emit }: Applying, { feeId, amountCents }: ScheduledFeeChangedBody): void {
  const fee = must(
    activatedIn(state).fees.find((known) => known.id === feeId),
    `the loan has no fee ${feeId}`,
  );
  keep(state, { ...fee, amountCents });
  emit?.(
    loanEvent(state, 'loan.fee.changed', {
      feeId,
      feeTypeId: fee.feeTypeId,
      amount: amount(amountCents),
      effectiveDate: fee.scheduled === null ? null : dateText(fee.scheduled.day),
      drawId: drawIdOf(state, fee.draw ?? null),
      changes: fieldChanges({ amount: amount(fee.amountCents) }, { amount: amount(amountCents) }),
    }),
  );
}

function newFee({ state, fact }: Applying, body: FeeScheduledBody | FeeChargedBody, scheduled: ChargedFee['scheduled']): ChargedFee {
  const known = activatedIn(state).fees.find((fee) => fee.id === body.details.id);
  const made = known ?? {
    ...body.details,
    ...(scheduled !== null && activatedIn(state).summary.status === 'paidOff' ? ({ isOrderedAfterPayoff: true } as const) : {}),
    fee: body.change.fee,
    feeTypeId: body.change.feeTypeId,
    amountCents: body.change.amountCents,
    createdAt: fact.businessAt,
    by: fact.by,
    caseId: body.caseId,
    canceledAt: null,
    canceledBy: null,
    cancelReason: null,
  };
  return { ...made, scheduled };
}

function keep(state: LoanState, fee: ChargedFee): void {
  const activation = activatedIn(state);
  const isKnown = activation.fees.some((known) => known.id === fee.id);
  activation.fees = isKnown ? activation.fees.map((known) => (known.id === fee.id ? fee : known)) : [...activation.fees, fee];
}

function markCanceled({ state, fact }: Applying, id: string, cancelReason: string | null): ChargedFee {
  const fee = must(
    activatedIn(state).fees.find((known) => known.id === id),
    `the loan has no fee ${id}`,
  );
  keep(state, { ...fee, scheduled: null, canceledAt: fact.businessAt, canceledBy: fact.by, cancelReason });
  return fee;
}

const activatedIn = (state: LoanState): Activated => must(activationOf(state), `${state.id} has no ledger`);

function lateFeeTermsAdopted({ state, fact }: Applying, { from, lateFees, editedAt }: LateFeesTaken): void {
  const activation = activatedIn(state);
  changeSources(activation, nextSources(activation.sources, from, lateFees), editedAt ?? fact.businessAt);
}

function recurringFeesTaken({ state }: Applying, { triggers, doneThrough }: RecurringFeesTaken): void {
  const activation = activatedIn(state);
  activation.recurring = { triggers, doneThrough, made: activation.recurring.made };
}

function recurringFeesDone({ state }: Applying, { through, made }: RecurringFeesDone): void {
  const activation = activatedIn(state);
  activation.recurring = { triggers: activation.recurring.triggers, doneThrough: through, made };
}

/** The event of a fee by its category. */
const FEE_EVENTS: Partial<Record<FeeCategory, string>> = {
  lateFee: 'loan.latefee.booked',
  modificationFee: 'loan.modificationfee.booked',
  nsfFee: 'loan.nsffee.booked',
  serviceFee: 'loan.servicefee.booked',
  membershipFee: 'loan.membershipfee.booked',
  foreignTransactionFee: 'loan.foreigntransactionfee.booked',
};

const feeEventType = (category: FeeCategory): string => FEE_EVENTS[category] ?? 'loan.fee.booked';

export interface FeeFacts {
  readonly FeeCharged: FeeChargedBody;
  readonly FeeScheduled: FeeScheduledBody;
  readonly FeeCanceled: FeeCanceledBody;
  readonly ScheduledFeeCanceled: ScheduledFeeCanceledBody;
  readonly ScheduledFeeChanged: ScheduledFeeChangedBody;
  readonly LateFeesTaken: LateFeesTaken;
  readonly RecurringFeesTaken: RecurringFeesTaken;
  readonly RecurringFeesDone: RecurringFeesDone;
}

export interface FeeChargedBody extends LedgerChanged {
  readonly change: LedgerChange<FeeCharged | LineFeeCharged>;
  readonly details: FeeDetails;
}

/** A fee that is to be charged on a coming day. */
export interface FeeScheduledBody {
  readonly change: LedgerChange<FeeCharged | LineFeeCharged>;
  readonly details: FeeDetails;
  readonly at: EffectiveTime;
  readonly caseId: string | null;
}

type FeeDetails = Pick<
  ChargedFee,
  'id' | 'externalId' | 'category' | 'customDisplayName' | 'transactionId' | 'purchaseId' | 'period' | 'draw'
>;

export interface FeeCanceledBody extends LedgerChanged {
  readonly change: LedgerChange<FeeCanceled>;
  /** The fee that was charged by hand; null for a late fee. */
  readonly feeId: string | null;
}

/** A fee that was canceled before it was charged. */
export interface ScheduledFeeCanceledBody {
  readonly feeId: string;
  readonly reason: string | null;
  readonly caseId: string | null;
}

/** The amount of a fee that is still to be charged. */
export interface ScheduledFeeChangedBody {
  readonly feeId: string;
  readonly amountCents: Cents;
  readonly caseId: string | null;
}

/** The product's late fees changed: the loan adopts their terms from a day on. */
export interface LateFeesTaken {
  readonly from: Day;
  readonly lateFees: readonly LateFeeTerms[];
  /** When the product's fees were edited: reads since then have them. Absent: reads since this was recorded. */
  readonly editedAt?: number;
}

/** The loan adopts the product's changed triggers of recurring fees. Periods and years that began up to a day are done. */
export interface RecurringFeesTaken {
  readonly triggers: readonly RecurringTrigger[];
  readonly doneThrough: Day;
}

/** Periods and years that began up to a day are done, with the number of fees charged in all. */
export interface RecurringFeesDone {
  readonly through: Day;
  readonly made: number;
}
