import { type PastFeeCanceled as PastFeeTakenBack, ZERO } from '../../../../engine/index.js';
import { type Fault, refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { centsOf, dayOfText, orNull } from '../../../wire.js';
import { beginAction, orderReply } from '../../commands/order.js';
import { effectiveNow } from '../../context.js';
import { findDraw } from '../../draws/draw.js';
import type { LedgerChange, LedgerChanged } from '../../facts.js';
import { checkFeeExternalId, feeTypeAsked } from '../../fees/decide.js';
import { pastFeeReply } from '../../fees/late.js';
import type { CancelFeeRequest, ChargeFeeRequest } from '../../fees/types.js';
import type { LoanState } from '../../state.js';
import { isInPreparation } from '../stage.js';
import type { PastFeeCanceled, PastFeeRecorded } from './evolve.js';
import { beginRecording, historyOf, refuseHistory } from './taking.js';
import { historyDayFaults } from './check.js';
import type { PastFee, PastFeeTerms } from './history.js';
import { findPastTransaction } from './past-transactions.js';

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** `POST L/fees` with `migration`: a fee from before the cutoff, which changes no balance. */
export function recordPastFee(context: Context<ChargeFeeRequest>): Decision<LoanState> {
  const request = beginRecording(context);
  const { state, env } = context;
  const feeType = feeTypeAsked(context, request);
  checkFeeExternalId(context, request.externalId);
  if (request.chargeDate == null) refuseProperty('chargeDate', 'the day of the charge', '`chargeDate` is required for a past fee.');
  const chargeDay = dayOfText(request.chargeDate);
  refuseHistory([...historyDayFaults(state, chargeDay, { path: 'chargeDate', live: 'a current fee' }), ...originFaults(state, request)]);
  const amountCents = orNull(centsOf, request.feeAmount ?? request.amount) ?? feeType.amount ?? ZERO;
  if (amountCents === 0) refuse('feeNotCharged', `The fee ${feeType.name.apiName} was not charged: its amount is zero.`);
  const { originalDrawId, originalTransactionId, originalPurchaseId } = request.migration ?? {};
  const fee: PastFeeTerms = {
    id: env.newId('LF'),
    externalId: request.externalId ?? null,
    feeTypeId: feeType.id,
    customDisplayName: request.customDisplayName ?? null,
    amountCents,
    chargeDay,
    originalDrawId: findDraw(state, originalDrawId ?? undefined)?.id ?? '',
    originalTransactionId: orNull((id: string) => findPastTransaction(state, id)?.id ?? id, originalTransactionId),
    originalPurchaseId: originalPurchaseId == null ? null : (state.purchases.find(originalPurchaseId)?.id ?? null),
    caseId: request.caseId ?? null,
  };
  const body: PastFeeRecorded = { fee };
  return {
    facts: [{ type: 'PastFeeRecorded', body }],
    preview: request.previewMode === true,
    reply: (after) => orderReply(context, request, { data: repliesOf(context, after, fee.id) }),
  };
}

/** Cancels a past fee. After the migration, this removes its unpaid part from the balances; the rest lowers the draw's principal. */
export function cancelPastFee(context: Context<CancelFeeRequest>): Decision<LoanState> {
  const { state, command } = context;
  const request = isInPreparation(state) ? beginRecording(context) : beginAction(context, 'cancelFee');
  const fee = findPastFee(state, command.params['feeId']) ?? refuse('notFound', 'The line of credit has no such fee.');
  if (fee.canceledAt !== null) refuse('invalidState', `The fee ${fee.id} is canceled.`);
  const body: PastFeeCanceled = { feeId: fee.id, reason: request.reason ?? null, caseId: request.caseId ?? null };
  return {
    facts: [...takenBack(context, fee, body), { type: 'PastFeeCanceled', body }],
    preview: request.previewMode === true,
    reply: (after) => orderReply(context, request, { data: repliesOf(context, after, fee.id)[0] ?? null }),
  };
}

function takenBack(
  { state, env }: Context,
  { originalDrawId, amountCents }: PastFee,
  { caseId, reason: writtenReason }: PastFeeCanceled,
): readonly FactDraft[] {
  const draw = findDraw(state, originalDrawId);
  if (state.line === null || draw === undefined) return [];
  const effective = effectiveNow(env, state);
  const change: LedgerChange<PastFeeTakenBack> = {
    type: 'pastFeeCanceled',
    draw: draw.draw,
    amountCents,
    transaction: state.line.facts.length + 1,
  };
  const body: LedgerChanged = { change, recordedDay: effective.day, caseId, reason: null, writtenReason };
  return [{ type: 'LedgerChanged', body, effective }];
}

export const findPastFee = (state: LoanState, anyId: string | undefined): PastFee | undefined =>
  historyOf(state).pastFees.find(({ id, externalId }) => id === anyId || (externalId !== null && `ext-${externalId}` === anyId));

const repliesOf = ({ env }: Context, after: LoanState, feeId: string) =>
  historyOf(after)
    .pastFees.filter(({ id }) => id === feeId)
    .map((fee) => pastFeeReply(fee, after, env));

/** The object that caused the fee must be known. */
function originFaults(state: LoanState, { migration }: ChargeFeeRequest): readonly Fault[] {
  const { originalDrawId, originalTransactionId, originalPurchaseId } = migration ?? {};
  const faults: Fault[] = [];
  const draw = originalDrawId == null ? undefined : findDraw(state, originalDrawId);
  if (draw === undefined || draw.drawType === 'static') {
    faults.push({
      path: 'migration.originalDrawId',
      expected: 'the original draw of the fee',
      message: originalDrawId == null ? 'is missing' : 'there is no such draw',
    });
  }
  if (originalTransactionId != null && findPastTransaction(state, originalTransactionId) === undefined) {
    faults.push({ path: 'migration.originalTransactionId', expected: 'a past transaction', message: 'there is no such transaction' });
  }
  if (originalPurchaseId != null && state.purchases.find(originalPurchaseId) === undefined) {
    faults.push({ path: 'migration.originalPurchaseId', expected: 'a purchase of the line', message: 'there is no such purchase' });
  }
  return faults;
}
