import { must } from '../../../engine/index.js';
import { amount, dateText } from '../../wire.js';
import { loanEvent } from '../events.js';
import { applyLedgerFact } from '../ledger/evolve.js';
import { feesIn, runningOf } from '../ledger/running.js';
import { changeSources, nextSources } from '../ledger/settings.js';
import type {
  FeeCanceledBody,
  FeeChargedBody,
  FeeFacts,
  FeeScheduledBody,
  LateFeesTaken,
  RecurringFeesDone,
  RecurringFeesTaken,
  ScheduledFeeCanceledBody,
  ScheduledFeeChangedBody,
} from './facts.js';
import { feeEventType } from './events.js';
import { activationOf } from '../context.js';
import { drawIdOf } from '../draws/find.js';
import type { Activated, ChargedFee, LoanState } from '../state.js';
import type { Applying } from '../tell.js';
import { fieldChanges } from '../../kernel/field-changes.js';

/** Applies the facts of fees, and tells of them. */
export const APPLY_FEES: { readonly [Type in keyof FeeFacts]: (applying: Applying, body: FeeFacts[Type]) => void } = {
  FeeCharged: feeCharged,
  FeeScheduled: feeScheduled,
  FeeCanceled: feeCanceled,
  ScheduledFeeCanceled: scheduledFeeCanceled,
  ScheduledFeeChanged: scheduledFeeChanged,
  LateFeesTaken: lateFeesTaken,
  RecurringFeesTaken: recurringFeesTaken,
  RecurringFeesDone: recurringFeesDone,
};

/** A fee is given to the ledger, at once or because its day has come. */
function feeCharged(applying: Applying, body: FeeChargedBody): void {
  const { state, emit } = applying;
  const fee = newFee(applying, body, null);
  keep(state, fee);
  const { effective } = applyLedgerFact(applying, body);
  if (emit === null || isWaived(applying, fee)) return;
  emit(
    loanEvent(state, feeEventType(fee.category), {
      feeId: fee.id,
      feeTypeId: fee.feeTypeId,
      amount: amount(fee.amountCents),
      effectiveDate: dateText(effective.day),
      drawId: drawIdOf(state, 'draw' in body.change ? body.change.draw : null),
    }),
  );
}

/** On a day of military service, or by a refund of before: nothing was booked. */
const isWaived = ({ state, env }: Applying, { fee }: ChargedFee): boolean =>
  feesIn(runningOf(state, env)).find((booked) => booked.fee === fee)?.isCanceled === true;

function feeScheduled(applying: Applying, body: FeeScheduledBody): void {
  keep(applying.state, newFee(applying, body, body.at));
}

/** Waived: the ledger is computed again without the fee. */
function feeCanceled(applying: Applying, body: FeeCanceledBody): void {
  if (body.feeId !== null) markCanceled(applying, body.feeId, body.reason);
  applyLedgerFact(applying, body);
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

function lateFeesTaken({ state, fact }: Applying, body: LateFeesTaken): void {
  const activation = activatedIn(state);
  changeSources(activation, nextSources(activation.sources, body.from, body.lateFees), fact.businessAt);
}

function recurringFeesTaken({ state }: Applying, { triggers, doneThrough }: RecurringFeesTaken): void {
  const activation = activatedIn(state);
  activation.recurring = { triggers, doneThrough, made: activation.recurring.made };
}

function recurringFeesDone({ state }: Applying, { through, made }: RecurringFeesDone): void {
  const activation = activatedIn(state);
  activation.recurring = { triggers: activation.recurring.triggers, doneThrough: through, made };
}
