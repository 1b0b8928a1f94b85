import {
  AmortizationError,
  type AmortizedPayment,
  cents,
  computeLine,
  type Day,
  type DrawState,
  type LineFact,
  lineScheduleOf,
  type LineScheduleRow,
  type LineState,
  must,
  amortizeDraw as rowsOfDraw,
  runningPeriod,
  ZERO,
} from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import { centsOf, dayOfText, orNull } from '../../wire.js';
import { beginAction, ledgerFact, orderReply } from '../commands/order.js';
import { activatedOf, effectiveNow, END_OF_DAY_SECONDS, loanTypeOf, todayOf } from '../context.js';
import { lineFactsOf, lineOfCredit, lineRows, lineTermsOf, rowReply } from '../line/ledger.js';
import type { LoanState } from '../state.js';
import type { ScheduleRowReply } from '../views/types.js';
import { drawContractOf } from './contract.js';
import { type Draw, drawOf, requireDrawMove } from './draw.js';
import { readDrawTerms } from './read-terms.js';
import type { AmortizeDrawRequest, PreviewDrawRequest } from './types.js';

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** `POST D/amortize`: the draw is paid off in rows on the line's due dates. */
export const amortizeDraw: CommandSpec<LoanState, AmortizeDrawRequest> = {
  kind: 'loan',
  type: 'draw.amortize',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'purchase');
    const { state, env, command } = context;
    const draw = drawOf(state, command.params['drawId']);
    requireDrawMove(context, draw, 'amortize');
    const change = { type: 'drawAmortized', draw: draw.draw, payment: paymentAsked(request) } as const;
    const effective = effectiveNow(env, state);
    const ledger = lineOfCredit.runningOn(state, env, effective.day);
    const running = ledger.draws.find((known) => known.draw === draw.draw);
    if (running !== undefined) requirePayingOff(ledger, running, change.payment, running.balances.nonDuePrincipalCents);
    return {
      facts: [ledgerFact(context, request, { change, effective })],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: { schedule: lineRows(after, env, draw.draw) } }),
    };
  },
};

/** `POST L/amortize-preview`: the rows of a possible new amortized draw; nothing changes. */
export const previewDraw: CommandSpec<LoanState, PreviewDrawRequest> = {
  kind: 'loan',
  type: 'line.amortizePreview',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'draw');
    const { state, env } = context;
    activatedOf(state);
    const draw = potentialDraw(context, request);
    const today = todayOf(env, state);
    const day = request.startDate == null ? today : dayOfText(request.startDate);
    if (day < today)
      refuse('ruleViolation', '`startDate` must be today or later.', {
        errors: [{ path: 'startDate', expected: 'today or later', message: 'is in the past' }],
      });
    const amountCents = centsOf(request.purchaseAmount);
    const ledger = ledgerWith(context, draw, { day, cents: amountCents });
    const running = must(
      ledger.draws.find((known) => known.draw === draw.draw),
      'the potential draw',
    );
    requirePayingOff(ledger, running, paymentAsked(request), amountCents);
    const schedule = withServiceFee(lineScheduleOf(ledger, draw.draw), request).map((row): ScheduleRowReply => rowReply(row, state, env));
    return { facts: [], preview: true, reply: () => ({ data: { schedule } }) };
  },
};

/** A draw that exists only for the preview: on the terms of the line, paid off as the body says. */
function potentialDraw({ state, env }: Context, request: PreviewDrawRequest): Draw {
  const payment = paymentAsked(request);
  const terms = readDrawTerms({ fees: { drawFeeAmount: request.drawFee ?? null } });
  return {
    draw: state.draws.length + 1,
    id: state.id,
    externalId: null,
    drawType: 'regularPurchase',
    status: 'originated',
    nickname: 'Draw',
    isClosed: false,
    declineReason: null,
    cancellationReason: null,
    labels: [],
    additionalPeople: [],
    metaData: null,
    atOrigination: { ...terms, autoAmortization: { logic: 'perPurchase', payment } },
    rates: null,
    timestamps: {
      createdAt: env.now,
      startedAt: null,
      originatedAt: null,
      activatedAt: null,
      frozenAt: null,
      lastAmortizedAt: null,
      acceleratedAt: null,
      chargedOffAt: null,
      paidOffAt: null,
      closedAt: null,
      canceledAt: null,
    },
    createdStamp: 0,
    updatedAt: env.now,
    createdBy: { type: 'system', id: 'system' },
  };
}

/** The line on the day of the draw, with the draw and its purchase in it. */
function ledgerWith(
  { state, env }: Context,
  draw: Draw,
  { day, cents: amountCents }: { readonly day: Day; readonly cents: ReturnType<typeof cents> },
): LineState {
  const known = state.line === null ? [] : lineFactsOf(state.line);
  const activation = drawContractOf(state, env, draw, currentSettings(loanTypeOf(env, state)), day);
  const position = (next: number): Pick<LineFact, 'effective' | 'sequence' | 'recordedDay'> => ({
    effective: { day, seconds: END_OF_DAY_SECONDS },
    sequence: known.length + next,
    recordedDay: day,
  });
  const bought = {
    type: 'purchase',
    purchase: Number.MAX_SAFE_INTEGER,
    draw: draw.draw,
    kind: 'regular',
    amountCents,
    transaction: null,
  } as const;
  return computeLine(lineTermsOf(state, env), [...known, { ...activation, ...position(1) }, { ...bought, ...position(2) }], day);
}

/** Adds the service fee to each row until its cap is reached. */
function withServiceFee(rows: readonly LineScheduleRow[], request: PreviewDrawRequest): readonly LineScheduleRow[] {
  const feeCents = orNull(centsOf, request.serviceFeeAmount) ?? ZERO;
  let leftCents: number = orNull(centsOf, request.serviceFeeCapAmount ?? request.serviceCapAmount) ?? Number.POSITIVE_INFINITY;
  if (feeCents === 0) return rows;
  return rows.map((row) => {
    const charged = Math.min(feeCents, leftCents);
    leftCents -= charged;
    return { ...row, amountCents: cents(row.amountCents + charged), feesCents: cents(row.feesCents + charged) };
  });
}

function paymentAsked({ duration, recurringAmount }: Pick<AmortizeDrawRequest, 'duration' | 'recurringAmount'>): AmortizedPayment {
  if (duration != null && recurringAmount == null) return { type: 'periods', count: duration };
  if (duration == null && recurringAmount != null) return { type: 'amount', amountCents: centsOf(recurringAmount) };
  return refuseProperty('duration', 'duration or recurringAmount', 'Provide exactly one of `duration` and `recurringAmount`.');
}

/** 422 if the amount would never pay off the principal. */
function requirePayingOff(ledger: LineState, { rates }: DrawState, payment: AmortizedPayment, principalCents: number): void {
  if (principalCents === 0) return;
  try {
    rowsOfDraw(ledger, { principalCents: cents(principalCents), start: ledger.day, payment, rates, from: runningPeriod(ledger) });
  } catch (error) {
    if (!(error instanceof AmortizationError)) throw error;
    refuse('ruleViolation', `The draw cannot be amortized: ${error.message}.`, {
      errors: [{ path: 'recurringAmount', expected: 'an amount that pays the draw off', message: error.message }],
      cause: error,
    });
  }
}
