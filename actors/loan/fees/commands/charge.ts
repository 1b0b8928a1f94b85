import { refuse } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../kernel/actor.js';
import type { EffectiveTime } from '../../../kernel/fact.js';
import { centsOf, dayOfText, orNull, secondsOf } from '../../../wire.js';
import { activatedOf, effectiveNow, END_OF_DAY_SECONDS, FIRST_USER_SECONDS } from '../../context.js';
import { periodId } from '../../derived-ids.js';
import type { FeeChargedBody, FeeScheduledBody } from '../facts.js';
import { checkFeeExternalId, feeTypeAsked } from '../asked.js';
import { feeCents, feeChangeOn, nextFeeNumber } from '../quote.js';
import type { Draw } from '../../draws/draw.js';
import { drawOf, requireDrawMove } from '../../draws/find.js';
import { computedThrough, periodsIn, type RunningLedger, runningOn } from '../../ledger/running.js';
import { isTrial } from '../../migration/stage.js';
import type { ChargeFeeRequest } from '../requests.js';
import type { LoanState } from '../../state.js';
import { findTransaction } from '../../transactions/find.js';
import { feeReplies } from '../view.js';
import { beginAction, finished } from '../../commands/order.js';

/** `POST L/fees`: a past day is replayed, a day to come is scheduled (loan-terms 6.5). */
export const chargeFee: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanFee.charge',
  place: { on: 'target' },
  decide: (context) => charged(context, beginAction<ChargeFeeRequest>(context, 'chargeFee'), null),
};

/** `POST D/fees`: the same on one draw of a line. */
export const chargeDrawFee: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'drawFee.charge',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ChargeFeeRequest>(context, 'chargeFee');
    const draw = drawOf(context.state, context.command.params['drawId']);
    requireDrawMove(context, draw, 'manageFees');
    return charged(context, request, draw);
  },
};

function charged(context: CommandContext<LoanState>, request: ChargeFeeRequest, draw: Draw | null): Decision<LoanState> {
  const { state, env } = context;
  const feeType = feeTypeAsked(context, request);
  const now = effectiveNow(env, state);
  const at = chargeTime(context, request, now);
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
    refuse('feeNotCharged', `The fee ${feeType.name.apiName} comes to nothing: its caps are reached or its amount is zero.`);
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
    reply: (after) => finished(context, request, { data: feeReplies(after, env).filter((fee) => fee.id === details.id) }),
  };
}

/** The transaction of the other system that a fee of the past has come with. Draws and purchases have their history on lines. */
function originOf({ state }: CommandContext<LoanState>, { migration }: ChargeFeeRequest): { readonly transactionId?: string } {
  if (migration == null) return {};
  if (!isTrial(state)) {
    refuse('invalidState', 'A fee of another system is recorded while the loan is in preparation for a migration.', {
      errors: [{ path: 'migration', expected: 'nothing', message: 'the loan is not in preparation' }],
    });
  }
  const { originalTransactionId: asked, ...ofLines } = migration;
  const unknown = (path: string, expected: string): never =>
    refuse('ruleViolation', 'The fee names what the loan does not have.', {
      errors: [{ path: `migration.${path}`, expected, message: 'there is none' }],
    });
  for (const [path, value] of Object.entries(ofLines)) if (value != null) unknown(path, 'nothing for an installment loan');
  if (asked == null) return {};
  return { transactionId: findTransaction(state, asked)?.id ?? unknown('originalTransactionId', 'a transaction of the loan') };
}

/** The period that the fee is said to be for. */
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

function chargeTime({ state }: CommandContext<LoanState>, request: ChargeFeeRequest, now: EffectiveTime): EffectiveTime {
  const day = request.chargeDate == null ? now.day : dayOfText(request.chargeDate);
  const { activation } = activatedOf(state).contract.terms;
  if (day < activation) {
    refuse('ruleViolation', 'The charge date lies before activation.', {
      errors: [{ path: 'chargeDate', expected: 'a day from activation on', message: 'lies before activation' }],
    });
  }
  if (request.chargeTimeOfDay != null) return { day, seconds: Math.max(FIRST_USER_SECONDS, secondsOf(request.chargeTimeOfDay)) };
  return day === now.day ? now : { day, seconds: END_OF_DAY_SECONDS };
}
