import { formatCents, type Refund } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { centsOf, dateText, secondsOf, type TimeOfDay } from '../../wire.js';
import { type AtFaultParty, billedAccount, companyOf } from '../../company/index.js';
import { beginAction, ledgerFact, orderReply } from '../commands/order.js';
import { effectiveNow, effectiveOn, FIRST_USER_SECONDS, recordOf, servicingOf, todayOf } from '../context.js';
import type { LedgerChange } from '../facts.js';
import { readDetails } from '../proceeds-details.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { nextPaymentNumber, productOn } from '../transactions/moves.js';
import { refuseReimbursed } from '../transactions/reimbursement.js';
import type { RefundChanged, RefundMade, RefundTakenBack } from './evolve.js';
import { eligibleCents, type LoanRefund, refundOf } from './refund.js';
import type { CancelRefundRequest, CreateRefundRequest, UpdateRefundRequest } from './types.js';
import { refundView } from './view.js';

/** `POST L/refunds/{refundId}/cancel`: the loan is computed again without it. */
export const cancelRefund: CommandSpec<LoanState, CancelRefundRequest> = {
  kind: 'loan',
  type: 'refund.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'manageRefund');
    const refund = refundInForce(context.state, context.command.params['refundId']);
    const body: RefundTakenBack = { refundId: refund.id, caseId: request.caseId ?? null };
    const facts: readonly FactDraft[] = [{ type: 'RefundTakenBack', body }, takeBackDraft(context, request, refund.transaction)];
    refuseReimbursed(context.state, context.env, facts);
    return {
      facts,
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: refundView(after, refundOf(after, refund.id)) }),
    };
  },
};

type Timed = { readonly refundDate?: string | null; readonly refundTimeOfDay?: TimeOfDay | null };

/** When the refund counts from. A past day causes a replay; 422 before activation or in the future. */
function refundTime({ state, env }: CommandContext<LoanState>, request: Timed): EffectiveTime {
  const at = effectiveOn(env, state, request.refundDate, 'refundDate');
  if (request.refundTimeOfDay == null) return at;
  const seconds = secondsOf(request.refundTimeOfDay);
  if (seconds < FIRST_USER_SECONDS)
    return refuseProperty('refundTimeOfDay', '02:00:00 or later', 'The time must be 02:00:00 or later: daily processing runs before that.');
  const now = effectiveNow(env, state);
  return { day: at.day, seconds: at.day === now.day ? Math.min(seconds, now.seconds) : seconds };
}

type Wanted = Pick<LoanRefund, 'amountCents' | 'effective' | 'isRefundOriginationFee'>;

/** 422 above the eligible amount, and for an origination fee on a day other than that of activation, or a second time. */
function requireRefundable({ state, env }: CommandContext<LoanState>, wanted: Wanted, but?: string): void {
  const eligible = eligibleCents(state, env, but);
  if (wanted.amountCents > eligible) {
    refuse('amountExceedsEligible', `At most ${formatCents(eligible)} can be refunded.`, {
      errors: [{ path: 'refundAmount', expected: `at most ${formatCents(eligible)}`, message: 'is above the amount that can be refunded' }],
    });
  }
  if (!wanted.isRefundOriginationFee) return;
  const other = state.refunds.find(
    ({ id, canceledAt, isRefundOriginationFee }) => id !== but && canceledAt === null && isRefundOriginationFee,
  );
  if (other !== undefined) {
    refuse('ruleViolation', `The refund ${other.id} has already refunded the origination fee.`, {
      errors: [{ path: 'isRefundOriginationFee', expected: 'false', message: 'the fee was refunded' }],
    });
  }
  if (wanted.effective.day === servicingOf(state).contract.terms.activation) return;
  refuse('ruleViolation', 'The origination fee can be refunded only on the day of activation.', {
    errors: [{ path: 'isRefundOriginationFee', expected: 'false', message: 'the refund date is not the activation date' }],
  });
}

/** The ledger fact of a refund. */
function refundDraft(context: CommandContext<LoanState>, request: Pick<ActionRequest, 'caseId'>, refund: Counted): FactDraft {
  const change: LedgerChange<Refund> = {
    type: 'refund',
    transaction: refund.transaction,
    amountCents: refund.amountCents,
    fullCents: recordOf(context.state).atOrigination.amountFinancedCents,
    isOriginationFeeRefunded: refund.isRefundOriginationFee,
    areLateFeesCanceled: refund.isRefundLateFees,
    areOtherFeesCanceled: refund.isRefundOtherFees,
  };
  return ledgerFact(context, request, { change, effective: refund.effective });
}

type Counted = Wanted & Pick<LoanRefund, 'transaction' | 'isRefundLateFees' | 'isRefundOtherFees'>;

const takeBackDraft = (context: CommandContext<LoanState>, request: Pick<ActionRequest, 'caseId'>, transaction: number): FactDraft =>
  ledgerFact(context, request, { change: { type: 'refundCanceled', transaction }, effective: effectiveNow(context.env, context.state) });

/** The loan's refund of a path; 404 if there is none, 409 if it was canceled. */
function refundInForce(state: LoanState, id: string | undefined): LoanRefund {
  const refund = refundOf(state, id);
  if (refund.canceledAt !== null) refuse('invalidState', `The refund ${refund.id} is already canceled.`);
  return refund;
}

/** `POST L/refunds`: reduces what was financed, and bills the at-fault party for it. */
export const createRefund: CommandSpec<LoanState, CreateRefundRequest> = {
  kind: 'loan',
  type: 'refund.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'refund');
    const { state, env } = context;
    const refund: RefundMade['refund'] = {
      id: env.newId('RF'),
      transaction: nextPaymentNumber(state),
      effective: refundTime(context, request),
      amountCents: centsOf(request.refundAmount),
      atFaultParty: request.atFaultParty,
      billedAccount: accountBilled(context, request.atFaultParty),
      isRefundOriginationFee: request.isRefundOriginationFee ?? false,
      isRefundLateFees: request.isRefundLateFees ?? false,
      isRefundOtherFees: request.isRefundOtherFees ?? false,
      details: readDetails(companyOf(env, state.tenant), request.refundDetails),
      caseId: request.caseId ?? null,
    };
    requireRefundable(context, refund);
    const body: RefundMade = { refund };
    return {
      facts: [{ type: 'RefundMade', body }, refundDraft(context, request, refund)],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: refundView(after, refundOf(after, refund.id)) }),
    };
  },
};

/** `PUT L/refunds/{refundId}`: the ledger voids the old refund and counts the changed one. */
export const updateRefund: CommandSpec<LoanState, UpdateRefundRequest> = {
  kind: 'loan',
  type: 'refund.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'manageRefund');
    const { state, command } = context;
    const before = refundInForce(state, command.params['refundId']);
    // The old refund is voided first.
    const after: LoanRefund = { ...changed(context, before, request), transaction: nextPaymentNumber(state, 1) };
    requireRefundable(context, after, before.id);
    const {
      id: _id,
      createdAt: _createdAt,
      updatedAt: _updatedAt,
      canceledAt: _canceledAt,
      originalCents: _original,
      billedAccount: _billed,
      amountCents,
      ...plain
    } = after;
    const { atFaultParty, billedAccount: account = null } = after;
    // The fact names the account only if another one is billed: the event about it depends on it.
    const billing = account === (before.billedAccount ?? null) ? { atFaultParty } : { atFaultParty, billedAccount: account };
    const others = { ...plain, ...billing };
    // The fact has the amount only if it changed: events of refunds depend on it.
    const changes = amountCents === before.amountCents ? others : { ...others, amountCents };
    const facts = isCountedOtherwise(before, after)
      ? [changedFact(before, changes), takeBackDraft(context, request, before.transaction), refundDraft(context, request, after)]
      : [changedFact(before, { ...billing, details: after.details, caseId: after.caseId })];
    refuseReimbursed(state, context.env, facts);
    return {
      facts,
      preview: request.previewMode === true,
      reply: (done) => orderReply(context, request, { data: refundView(done, refundOf(done, before.id)) }),
    };
  },
};

type Billed = Pick<LoanRefund, 'atFaultParty' | 'billedAccount'>;

/** Another party is billed to its account of today. The account of a party that stays is the one that was recorded. */
function billedTo(
  context: CommandContext<LoanState>,
  { atFaultParty: before, billedAccount: account }: LoanRefund,
  party: AtFaultParty,
): Billed {
  return { atFaultParty: party, billedAccount: party === before ? (account ?? null) : accountBilled(context, party) };
}

/** The account that the loan type names today for the refunds of a party. */
const accountBilled = ({ state, env }: CommandContext<LoanState>, party: AtFaultParty): string | null =>
  billedAccount(productOn(state, env, todayOf(env, state)).refunds.billing[party]);

const changedFact = ({ id }: LoanRefund, changes: RefundChanged['changes']): FactDraft => ({
  type: 'RefundChanged',
  body: { refundId: id, changes } satisfies RefundChanged,
});

/** Whether a change of a refund changes balances. */
const isCountedOtherwise = (before: LoanRefund, after: LoanRefund): boolean =>
  before.amountCents !== after.amountCents ||
  before.effective.day !== after.effective.day ||
  before.effective.seconds !== after.effective.seconds ||
  before.isRefundOriginationFee !== after.isRefundOriginationFee ||
  before.isRefundLateFees !== after.isRefundLateFees ||
  before.isRefundOtherFees !== after.isRefundOtherFees;

function changed(context: CommandContext<LoanState>, before: LoanRefund, request: UpdateRefundRequest): LoanRefund {
  const isMoved = request.refundDate !== undefined || request.refundTimeOfDay != null;
  return {
    ...before,
    effective: isMoved
      ? refundTime(context, { ...request, refundDate: request.refundDate ?? dateText(before.effective.day) })
      : before.effective,
    amountCents: request.refundAmount === undefined ? before.amountCents : centsOf(request.refundAmount),
    ...billedTo(context, before, request.atFaultParty ?? before.atFaultParty),
    isRefundOriginationFee: request.isRefundOriginationFee ?? before.isRefundOriginationFee,
    isRefundLateFees: request.isRefundLateFees ?? before.isRefundLateFees,
    isRefundOtherFees: request.isRefundOtherFees ?? before.isRefundOtherFees,
    details:
      request.refundDetails === undefined
        ? before.details
        : readDetails(companyOf(context.env, context.state.tenant), request.refundDetails),
    caseId: request.caseId ?? before.caseId,
  };
}
