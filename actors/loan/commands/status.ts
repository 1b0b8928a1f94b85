import { must } from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { amount, dateText } from '../../wire.js';
import { effectiveNow, effectiveOn, loanTypeOf, recordOf, statusOf, todayOf } from '../context.js';
import { reportingCanceled } from '../credit-reporting/index.js';
import type { LoanCanceled, LoanClosed } from '../facts.js';
import { runningOf } from '../ledger/running.js';
import type {
  AccelerateLoanRequest,
  ActionRequest,
  CancelLoanRequest,
  ChargeOffLoanRequest,
  CloseLoanRequest,
  UnfreezeLoanRequest,
} from '../requests.js';
import type { LoanState } from '../state.js';
import { loanView, scheduleReply } from '../views/loan.js';
import { beginAction, ledgerFact, orderDecision, orderReply, outstandingOn } from './order.js';

/** `POST L/accelerate`: interest stops and the whole balance is due. A past date causes a replay. */
export const accelerateLoan: CommandSpec<LoanState, AccelerateLoanRequest> = {
  kind: 'loan',
  type: 'loan.accelerate',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'accelerate');
    const { state, env } = context;
    const effective = effectiveOn(env, state, request.effectiveDate);
    return orderDecision(context, request, { change: { type: 'accelerate' }, effective }, (after) => ({
      data: { acceleratedAmount: amount(outstandingOn(after, env, effective.day)) },
    }));
  },
};

/** `POST L/reverse-accelerate`: the loan is active again; a replay computes the days since the acceleration as if it had been active. */
export const reverseAccelerateLoan: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'loan.reverseAccelerate',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'reverseAccelerate');
    const { state, env } = context;
    const since = must(runningOf(state, env).acceleratedSince, 'an accelerated loan knows since when');
    const reversedAcceleratedAmount = amount(outstandingOn(state, env, since));
    const order = { change: { type: 'reverseAccelerate' }, effective: effectiveNow(env, state) } as const;
    return orderDecision(context, request, order, () => ({ data: { reversedAcceleratedAmount } }));
  },
};

/** `POST L/freeze`: from now on accrual stops, coming due dates are suspended, and no payments are made. */
export const freezeLoan: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'loan.freeze',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'freeze');
    const { state, env } = context;
    requireFreezable(context);
    const order = { change: { type: 'freeze' }, effective: effectiveNow(env, state) } as const;
    return orderDecision(context, request, order, (after) => ({ data: loanView(after, env), sealedFor: after.record?.personId ?? '' }));
  },
};

/** A line of credit can be frozen only if its product allows it. */
function requireFreezable({ state, env }: CommandContext<LoanState>): void {
  if (recordOf(state).type === 'installment' || currentSettings(loanTypeOf(env, state)).freezeAllowedForLineOfCredit) return;
  refuse('invalidState', 'The product does not allow a line of credit to be frozen.', {
    errors: [{ path: 'loanTypeId', expected: 'a product with freezeAllowedForLineOfCredit', message: 'is not allowed by the product' }],
  });
}

/** `POST L/unfreeze`: the caller decides about interest and due dates of the frozen days. */
export const unfreezeLoan: CommandSpec<LoanState, UnfreezeLoanRequest> = {
  kind: 'loan',
  type: 'loan.unfreeze',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'unfreeze');
    const { state, env } = context;
    const change = {
      type: 'unfreeze',
      retroactivelyAccrueInterest: request.retroactivelyAccrueInterest ?? false,
      shiftDueDates: request.shiftDueDates ?? false,
    } as const;
    return orderDecision(context, request, { change, effective: effectiveNow(env, state) }, (after) => {
      const { paymentFrequency, specificDays, schedule } = scheduleReply(after, env);
      return { data: { paymentFrequency, specificDays, schedule } };
    });
  },
};

/**
 * `POST L/close`: no further draws, purchases or advances, for good. Only installment loans with several advances can be closed: any other
 * one is paid off once it owes nothing. Closing pays off a line that owes nothing.
 */
export const closeLoan: CommandSpec<LoanState, CloseLoanRequest> = {
  kind: 'loan',
  type: 'loan.close',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'close');
    const { state, env } = context;
    const record = recordOf(state);
    const settings = loanTypeOf(env, state).versions.at(-1)?.settings;
    const isLine = record.type === 'lineOfCredit';
    if (!isLine && settings?.structure.allowMultipleAdvances !== true) {
      refuse('invalidState', 'The loan cannot be closed: its product allows only one advance.', {
        errors: [{ path: 'loanTypeId', expected: 'a product with structure.allowMultipleAdvances', message: 'allows only one advance' }],
      });
    }
    if (record.isClosed)
      refuse('invalidState', 'The loan is already closed.', { errors: [{ path: 'isClosed', expected: 'false', message: 'is closed' }] });
    const body: LoanClosed = {
      day: todayOf(env, state),
      reason: request.closeReason ?? null,
      description: request.closeReasonDescription,
      isRequestedByBorrower: request.closeRequestedByBorrower ?? false,
      caseId: request.caseId ?? null,
    };
    const effective = effectiveNow(env, state);
    // The ledger of a line needs a fact: a line is paid off only after it is closed.
    const closing = isLine ? [ledgerFact(context, request, { change: { type: 'lineClosed' }, effective })] : [];
    return {
      facts: [{ type: 'LoanClosed', body }, ...closing],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: loanView(after, env), sealedFor: record.personId }),
    };
  },
};

/** Whether there are payments, credits or settled purchases. */
const hasMoved = (state: LoanState, env: EvolveEnv): boolean =>
  runningOf(state, env).payments.length > 0 || state.purchases.all().some(({ status }) => status === 'settled' || status === 'disputed');

export interface CancelLoanQuery {
  readonly force?: boolean;
  /** Accepted and ignored: canceling a loan always frees its external ids and those of its parts. */
  readonly clearAllExternalIds?: boolean;
}

/** `POST L/cancel`: the loan is as if it had never existed. An active loan with payments or purchases needs `force`. */
export const cancelLoan: CommandSpec<LoanState, CancelLoanRequest, CancelLoanQuery> = {
  kind: 'loan',
  type: 'loan.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'cancel');
    const { state, env, command } = context;
    const { force = false } = command.query ?? {};
    if (!force && statusOf(state) === 'active' && hasMoved(state, env)) {
      refuse('invalidState', 'The loan has transactions. Refund the money first, or send `force` true.', {
        errors: [{ path: 'force', expected: 'true', message: 'the loan has transactions' }],
      });
    }
    const effective = effectiveNow(env, state);
    const { metro2AccountStatus: code = null } = request;
    const body: LoanCanceled = {
      cancellationReason: request.cancellationReason ?? null,
      isFreeingExternalIds: true,
      metro2AccountStatus: code,
      caseId: request.caseId ?? null,
      day: effective.day,
    };
    const reporting = reportingCanceled(env, state, { code, caseId: body.caseId });
    return {
      facts: [...reporting, { type: 'LoanCanceled', body, effective }],
      preview: request.previewMode === true,
      reply: () => orderReply(context, request, { data: null, message: `The loan ${state.id} is canceled.` }),
    };
  },
};

/** `POST L/charge-off`: an active loan is accelerated first, a frozen one unfrozen first. */
export const chargeOffLoan: CommandSpec<LoanState, ChargeOffLoanRequest> = {
  kind: 'loan',
  type: 'loan.chargeOff',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'chargeOff');
    const { state, env } = context;
    const effective = effectiveOn(env, state, request.effectiveDate);
    const reason = request.chargedOffReason;
    const decision = orderDecision(context, request, { change: { type: 'chargeOff', reason }, effective, reason }, (after) => ({
      data: { chargeOffAmount: amount(outstandingOn(after, env, effective.day)) },
    }));
    return { ...decision, facts: [...unfrozen(context, request, effective), ...decision.facts] };
  },
};

/**
 * Unfreezing is a fact of its own, so that the loan is active after the charge-off is reversed. If the charge-off is effective before the
 * loan was frozen, the loan is unfrozen on the day it was frozen.
 */
function unfrozen(context: CommandContext<LoanState>, request: ChargeOffLoanRequest, chargedOff: EffectiveTime): readonly FactDraft[] {
  const { state, env } = context;
  const { status, statusSince } = runningOf(state, env);
  if (status !== 'frozen') return [];
  const effective = chargedOff.day >= statusSince ? chargedOff : effectiveOn(env, state, dateText(statusSince));
  const change = { type: 'unfreeze', retroactivelyAccrueInterest: false, shiftDueDates: false } as const;
  return [ledgerFact(context, request, { change, effective, reason: request.chargedOffReason })];
}

/** `POST L/reverse-charge-off`: the loan is active again; a replay accrues interest from the charge-off day on. */
export const reverseChargeOffLoan: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'loan.reverseChargeOff',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'reverseChargeOff');
    const { state, env } = context;
    const since = must(runningOf(state, env).chargedOffSince, 'a charged-off loan knows since when');
    const reversedChargeOffAmount = amount(outstandingOn(state, env, since));
    const order = { change: { type: 'reverseChargeOff' }, effective: effectiveNow(env, state) } as const;
    return orderDecision(context, request, order, () => ({ data: { reversedChargeOffAmount } }));
  },
};
