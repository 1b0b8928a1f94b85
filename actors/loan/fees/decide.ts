import { type Cents, type Day, type FeeReference, type FeeState, formatCents, ZERO, cents } from '../../../engine/index.js';
import { companyOf, type FeeType, feeTypeOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { centsOf, dayOfText, orNull, secondsOf } from '../../wire.js';
import { beginAction, ledgerFact, orderReply } from '../commands/order.js';
import { activatedOf, effectiveNow, END_OF_DAY_SECONDS, FIRST_USER_SECONDS, recordOf, todayOf } from '../context.js';
import { lateFeeId, periodId } from '../derived-ids.js';
import { countedFrom, type Draw, drawActivationTime, drawOf, requireDrawMove } from '../draws/draw.js';
import { computedThrough, feesIn, periodsIn, type RunningLedger, runningOf, runningOn } from '../ledger/running.js';
import { isMigrationTrial } from '../migration/stage.js';
import type { ChargedFee, LoanState } from '../state.js';
import { findTransaction } from '../transactions/check.js';
import type { FeeCanceledBody, FeeChargedBody, FeeScheduledBody, ScheduledFeeCanceledBody, ScheduledFeeChangedBody } from './evolve.js';
import { feeCents, feeChangeOn, nextFeeNumber } from './quote.js';
import { removedFrom, seededFees } from './recurring.js';
import type { CancelFeeRequest, ChangeFeeRequest, ChangeOriginationFeeRequest, ChargeFeeRequest } from './types.js';
import { feeReplies } from './view.js';

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** The active fee type that a charge names; 422 if the loan type has no such fee type. */
export function feeTypeAsked({ state, env }: Context, { apiName, feeTypeId }: ChargeFeeRequest): FeeType {
  const asked = feeTypeId ?? apiName;
  if (asked == null) return refuseProperty('apiName', 'apiName or feeTypeId', 'Send `apiName` or `feeTypeId`.');
  const feeType = feeTypeOf(companyOf(env, env.tenant), recordOf(state).loanTypeId, asked);
  if (feeType === undefined || feeType.status !== 'active') {
    const path = feeTypeId == null ? 'apiName' : 'feeTypeId';
    return refuse('ruleViolation', `The loan type has no active fee type ${asked}.`, {
      errors: [{ path, expected: 'an active fee type of the loan type', message: 'there is no such fee type' }],
    });
  }
  return feeType;
}

/** 409 when another fee of the company has the external id. */
export function checkFeeExternalId({ env }: Context, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(env.tenant, 'loanFee', externalId) === undefined) return;
  refuse('duplicate', `\`externalId\` ${externalId} is already used by another fee.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}

/** A dynamic fee that a path names: one that was charged by hand, or a late fee of the ledger. */
type NamedFee =
  | { readonly type: 'byHand'; readonly fee: ChargedFee }
  | { readonly type: 'late'; readonly id: string; readonly fee: FeeState; readonly reference: FeeReference };

/** 404 if there is no such fee, 409 if it is canceled. */
function namedFee({ state, env, command }: CommandContext<LoanState>): NamedFee {
  const asked = command.params['feeId'] ?? '';
  const id = asked.startsWith('ext-') ? (env.findExternal(env.tenant, 'loanFee', asked.slice(4)) ?? asked) : asked;
  const byHand = activatedOf(state).fees.find((fee) => fee.id === id);
  if (byHand !== undefined) {
    if (byHand.canceledAt !== null) refuseCanceled(id);
    return { type: 'byHand', fee: byHand };
  }
  const ledger = runningOn(state, env, todayOf(env, state));
  if (seededFees(state, env, ledger).some((fee) => fee.id === id)) refuseSeeded(id);
  for (const fee of feesIn(ledger)) {
    const { feeTypeId, obligation } = fee;
    if (fee.fee !== null || obligation === null || lateFeeId(env, state, feeTypeId, obligation) !== id) continue;
    if (fee.isCanceled) refuseCanceled(id);
    return { type: 'late', id, fee, reference: { type: 'late', feeTypeId, obligation } };
  }
  const removed = removedFrom(activatedOf(state), feesIn(ledger));
  if (removed.some(({ feeTypeId, obligation }) => lateFeeId(env, state, feeTypeId, obligation) === id)) refuseCanceled(id);
  return refuse('notFound', `The loan has no dynamic fee ${id}.`);
}

/** A fee balance at the cutoff cannot be canceled: nobody knows which fees it consists of. A service credit lowers it. */
const refuseSeeded = (id: string): never =>
  refuse('invalidState', `The fee ${id} is a balance at the cutoff of the migration. Use a service credit to lower it.`);

const refuseCanceled = (id: string): never => refuse('invalidState', `The fee ${id} is canceled.`);

/** `PUT L/fees/{feeId}/cancel`: the fee is as if it had never existed; money that paid it is applied again. */
export const cancelFee: CommandSpec<LoanState, CancelFeeRequest> = {
  kind: 'loan',
  type: 'loanFee.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'cancelFee');
    const { env } = context;
    const named = namedFee(context);
    const feeId = named.type === 'byHand' ? named.fee.id : named.id;
    return {
      facts: [cancellation(context, request, named)],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: feeReplies(after, env).find((fee) => fee.id === feeId) ?? null }),
    };
  },
};

function cancellation({ state, env }: CommandContext<LoanState>, request: CancelFeeRequest, named: NamedFee): FactDraft {
  const caseId = request.caseId ?? null;
  const reason = request.reason ?? null;
  if (named.type === 'byHand' && named.fee.scheduled !== null) {
    const body: ScheduledFeeCanceledBody = { feeId: named.fee.id, reason, caseId };
    return { type: 'ScheduledFeeCanceled', body };
  }
  const fee = named.type === 'byHand' ? ({ type: 'charged', fee: named.fee.fee } as const) : named.reference;
  const feeId = named.type === 'byHand' ? named.fee.id : null;
  const body: FeeCanceledBody = { change: { type: 'feeCanceled', fee }, feeId, recordedDay: todayOf(env, state), caseId, reason };
  return { type: 'FeeCanceled', body, effective: effectiveNow(env, state) };
}

/** `PUT L/fees/origination`: at most the amount at creation. The loan is replayed from its activation. */
export const changeOriginationFee: CommandSpec<LoanState, ChangeOriginationFeeRequest> = {
  kind: 'loan',
  type: 'loanFee.changeOrigination',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'cancelFee');
    const { state, env } = context;
    const { amountCents: mostCents } = activatedOf(state).contract.terms.originationFee;
    const amountCents = request.feeAmount == null ? ZERO : centsOf(request.feeAmount);
    if (amountCents > mostCents) {
      refuse('ruleViolation', `The origination fee can be at most ${formatCents(mostCents)}, its amount when the loan was created.`, {
        errors: [{ path: 'feeAmount', expected: `at most ${formatCents(mostCents)}`, message: 'is above the fee at creation' }],
      });
    }
    const known = runningOf(state, env).orders.originationFeeCents ?? mostCents;
    const change = { type: 'originationFeeChanged', amountCents } as const;
    return {
      facts: amountCents === known ? [] : [ledgerFact(context, request, { change, effective: effectiveNow(env, state) })],
      preview: request.previewMode === true,
      reply: () => orderReply(context, request, { data: null, status: 204 }),
    };
  },
};

/** `PUT L/fees/{feeId}`: another amount since the charge, clipped as when it is charged by hand. The loan is replayed with it. */
export const changeFee: CommandSpec<LoanState, ChangeFeeRequest> = {
  kind: 'loan',
  type: 'loanFee.change',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'cancelFee');
    const named = namedFee(context);
    const id = named.type === 'byHand' ? named.fee.id : named.id;
    const amountCents = clipped(context, named, centsOf(request.feeAmount));
    if (amountCents === 0) refuse('feeNotCharged', 'The fee would be zero. Cancel it instead.');
    const { env } = context;
    return {
      facts: amountCents === knownCents(context, named) ? [] : [amountChanged(context, request, named, amountCents)],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: feeReplies(after, env).find((fee) => fee.id === id) ?? null }),
    };
  },
};

/** The fee's amount now: the record of a fee that was charged by hand has the amount of its charge. */
function knownCents({ state, env }: CommandContext<LoanState>, named: NamedFee): Cents {
  if (named.type === 'late' || named.fee.scheduled !== null) return cents(named.fee.amountCents);
  const booked = feesIn(runningOn(state, env, todayOf(env, state))).find(({ fee }) => fee === named.fee.fee);
  return cents(booked?.amountCents ?? named.fee.amountCents);
}

function amountChanged(context: CommandContext<LoanState>, request: ChangeFeeRequest, named: NamedFee, amountCents: Cents): FactDraft {
  const { state, env } = context;
  if (named.type === 'byHand' && named.fee.scheduled !== null) {
    const body: ScheduledFeeChangedBody = { feeId: named.fee.id, amountCents, caseId: request.caseId ?? null };
    return { type: 'ScheduledFeeChanged', body };
  }
  return ledgerFact(context, request, {
    change: { type: 'feeChanged', fee: referenceOf(named), amountCents },
    effective: effectiveNow(env, state),
  });
}

const referenceOf = (named: NamedFee) => (named.type === 'byHand' ? ({ type: 'charged', fee: named.fee.fee } as const) : named.reference);

/** The amount within the bounds of its type, the rule of the borrower's state and the caps. */
function clipped({ state, env }: CommandContext<LoanState>, named: NamedFee, asked: Cents): Cents {
  const feeType = feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, named.fee.feeTypeId);
  if (feeType === undefined) return asked;
  const draw = named.type === 'byHand' ? state.draws.find(({ draw: number }) => number === named.fee.draw) : undefined;
  return feeCents(state, runningOn(state, env, todayOf(env, state)), {
    feeType,
    amountCents: asked,
    but: referenceOf(named),
    ...(draw === undefined ? {} : { ofDraw: draw.atOrigination }),
  });
}

/** `POST L/fees`: a past day causes a replay, a coming day is scheduled. */
export const chargeFee: CommandSpec<LoanState, ChargeFeeRequest> = {
  kind: 'loan',
  type: 'loanFee.charge',
  place: { on: 'target' },
  decide: (context) => charged(context, beginAction(context, 'chargeFee'), null),
};

/** `POST D/fees`: a fee of one draw of a line. */
export const chargeDrawFee: CommandSpec<LoanState, ChargeFeeRequest> = {
  kind: 'loan',
  type: 'drawFee.charge',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'chargeFee');
    const draw = drawOf(context.state, context.command.params['drawId']);
    requireDrawMove(context, draw, 'manageFees');
    return charged(context, request, draw);
  },
};

function charged(context: CommandContext<LoanState>, request: ChargeFeeRequest, draw: Draw | null): Decision<LoanState> {
  const { state, env } = context;
  const feeType = feeTypeAsked(context, request);
  const now = effectiveNow(env, state);
  const at = chargeTime(context, request, { now, draw });
  checkFeeExternalId(context, request.externalId);
  const origin = originOf(context, request);
  const ledger = runningOn(state, env, now.day);
  const period = periodAsked(context, ledger, request);
  const amountCents = feeCents(state, ledger, {
    feeType,
    amountCents: orNull(centsOf, request.feeAmount ?? request.amount),
    day: at.day,
    ...(at.day < now.day ? { ledgerThen: computedThrough(state, env, at.day) } : {}),
    ...period,
    ...(draw === null ? {} : { ofDraw: draw.atOrigination }),
  });
  if (amountCents === 0)
    refuse('feeNotCharged', `The fee ${feeType.name.apiName} was not charged: its caps are reached or its amount is zero.`);
  const details = {
    id: env.newId('LF'),
    externalId: request.externalId ?? null,
    category: feeType.feeType,
    customDisplayName: request.customDisplayName ?? null,
    ...period,
    ...origin,
    ...(draw === null ? {} : { draw: draw.draw }),
  };
  const caseId = request.caseId ?? null;
  const change = feeChangeOn(state, feeType, nextFeeNumber(state), amountCents, draw?.draw ?? null);
  const scheduled: FeeScheduledBody = { change, details, at, caseId };
  const booked: FeeChargedBody = { change, details, recordedDay: now.day, caseId, reason: null };
  return {
    facts: [at.day > now.day ? { type: 'FeeScheduled', body: scheduled } : { type: 'FeeCharged', body: booked, effective: at }],
    preview: request.previewMode === true,
    reply: (after) => orderReply(context, request, { data: feeReplies(after, env).filter((fee) => fee.id === details.id) }),
  };
}

/** The transaction of the other system that caused a past fee. Only lines have a history of draws and purchases. */
function originOf({ state }: CommandContext<LoanState>, { migration }: ChargeFeeRequest): { readonly transactionId?: string } {
  if (migration == null) return {};
  if (!isMigrationTrial(state)) {
    refuse('invalidState', '`migration` can only be set while the loan is in preparation for a migration.', {
      errors: [{ path: 'migration', expected: 'nothing', message: 'the loan is not in preparation' }],
    });
  }
  const { originalTransactionId: asked, ...ofLines } = migration;
  const unknown = (path: string, expected: string): never =>
    refuse('ruleViolation', 'The fee refers to an object that the loan does not have: see `errors`.', {
      errors: [{ path: `migration.${path}`, expected, message: 'does not exist' }],
    });
  for (const [path, value] of Object.entries(ofLines)) if (value != null) unknown(path, 'nothing for an installment loan');
  if (asked == null) return {};
  return { transactionId: findTransaction(state, asked)?.id ?? unknown('originalTransactionId', 'a transaction of the loan') };
}

/** The period that the request names for the fee. */
function periodAsked(
  { state, env }: CommandContext<LoanState>,
  ledger: RunningLedger,
  { triggerPeriodId }: ChargeFeeRequest,
): { readonly period?: number } {
  if (triggerPeriodId == null) return {};
  const found = periodsIn(ledger).find(({ ordinal }) => periodId(env, state, ordinal) === triggerPeriodId);
  if (found !== undefined) return { period: found.ordinal };
  return refuse('ruleViolation', `The loan has no period ${triggerPeriodId}.`, {
    errors: [{ path: 'triggerPeriodId', expected: 'a period of the loan', message: 'there is no such period' }],
  });
}

/** When the fee is charged. 422 for a day before the activation of the loan, or of the draw that bears the fee. */
function chargeTime(
  { state, env }: CommandContext<LoanState>,
  request: ChargeFeeRequest,
  { now, draw }: { readonly now: EffectiveTime; readonly draw: Draw | null },
): EffectiveTime {
  const day = request.chargeDate == null ? now.day : dayOfText(request.chargeDate);
  const { activation } = activatedOf(state).contract.terms;
  const ofDraw = draw === null ? null : drawActivationTime(state, env, draw);
  if (day < activation || (ofDraw !== null && day < ofDraw.day)) {
    refuse('ruleViolation', `\`chargeDate\` is before the activation of the ${day < activation ? 'loan' : 'draw'}.`, {
      errors: [{ path: 'chargeDate', expected: 'the day of activation or later', message: 'is before activation' }],
    });
  }
  return countedFrom(timeOn(day, request, now), ofDraw);
}

function timeOn(day: Day, { chargeTimeOfDay }: ChargeFeeRequest, now: EffectiveTime): EffectiveTime {
  if (chargeTimeOfDay != null) return { day, seconds: Math.max(FIRST_USER_SECONDS, secondsOf(chargeTimeOfDay)) };
  return day === now.day ? now : { day, seconds: END_OF_DAY_SECONDS };
}
