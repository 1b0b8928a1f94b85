import { addDays, type Day, LAST_DAY } from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import { dateText, dayOfText, orNull, rateOf } from '../../wire.js';
import { beginAction, orderReply } from '../commands/order.js';
import { activatedOf, effectiveNow, loanTypeOf, recordOf, todayOf } from '../context.js';
import { type Draw, requireDrawMove } from '../draws/draw.js';
import type { DrawChange } from '../draws/rates.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { type RateOrder, type RateScope, ratesSetDrafts, scopeOf } from './changes.js';
import { indexOf, isScra, NEW_ROW, type RateKind, type RateRow } from './rows.js';
import type { AddRatesRequest, ChangeRateRequest, NewInterestRate, NewPromoRate } from './types.js';
import { ratesChangedReply } from './view.js';

/** The dates of a request: the end is inclusive, null is the end of the loan. */
export interface SentDates {
  readonly startDate?: string | null;
  readonly endDate?: string | null;
}

type Span = Pick<RateRow, 'from' | 'until'>;

/** The least number of days from start to end. */
const LEAST_DAYS: { readonly [Kind in RateKind]: 0 | 1 } = { interestRate: 0, promoRate: 1, rateCap: 1 };

/**
 * The days of a rate, from the request and the values before. 400 for an end before its start, 422 for a start outside of the loan's life.
 */
export function spanOf({ state, env }: CommandContext<LoanState>, kind: RateKind, sent: SentDates, before: Span | null, path = ''): Span {
  const from = sent.startDate == null ? (before?.from ?? todayOf(env, state)) : dayOfText(sent.startDate);
  const until = sent.endDate === undefined ? (before?.until ?? null) : orNull((text: string) => addDays(dayOfText(text), 1), sent.endDate);
  const least = LEAST_DAYS[kind];
  if (until !== null && until - 1 < from + least) {
    refuseProperty(`${path}endDate`, `${dateText(addDays(from, least))} or later`, 'The end date is too early.');
  }
  requireInLife(state, from, `${path}startDate`);
  return { from, until };
}

/** 422 outside of the days from activation to the last due date. */
export function requireInLife(state: LoanState, day: Day, path: string): void {
  const { contract, summary } = activatedOf(state);
  const { activation } = contract.terms;
  // A line of credit has no end.
  const last = summary.endDay ?? ('endDate' in contract ? contract.endDate : addDays(LAST_DAY, -1));
  if (activation <= day && day <= last) return;
  refuse('ruleViolation', `The date ${dateText(day)} is outside of the life of the loan.`, {
    errors: [{ path, expected: `a day from ${dateText(activation)} to ${dateText(last)}`, message: 'is outside of the life of the loan' }],
  });
}

/** Flags of an added rate; null if none was added. */
interface RateFlags {
  readonly interestRateExceedsMax: boolean;
  readonly interestRateBelowMinOrZero: boolean;
}

const NO_FLAGS: RateFlags = { interestRateExceedsMax: false, interestRateBelowMinOrZero: false };

/**
 * 422 if the rate, with the index of its first day, is outside of the loan type's range. A rate of zero is flagged, and accepted if the
 * range allows it.
 */
function checkRange({ state, env }: CommandContext<LoanState>, row: RateRow, path: string): RateFlags {
  const { minRate, maxRate } = currentSettings(loanTypeOf(env, state)).interest;
  if (row.interestType === 'absolute' && row.rate < 0) {
    refuse('ruleViolation', 'An absolute rate cannot be negative.', {
      errors: [{ path, expected: 'zero or more', message: 'is negative' }],
    });
  }
  const index = row.interestType === 'spread' ? (indexOf(state, env).findLast(({ from }) => from <= row.from)?.rate ?? 0) : 0;
  const total = row.rate + index;
  const isBelow = minRate !== null && total < minRate;
  const flags = { interestRateExceedsMax: maxRate !== null && total > maxRate, interestRateBelowMinOrZero: isBelow || total <= 0 };
  if (!flags.interestRateExceedsMax && !isBelow) return flags;
  const [flag] = flags.interestRateExceedsMax ? ['interestRateExceedsMax'] : ['interestRateBelowMinOrZero'];
  return refuse('rateOutOfRange', `The rate is outside of the range of the loan type: ${flag}.`, {
    errors: [{ path, expected: 'a rate within the range of the loan type', message: flag ?? '' }],
    extra: { ratesValidation: flags },
  });
}

/** Later rates have the type of the origination's rates: those of the draw if it has any, otherwise the loan's. */
const interestTypeOf = (state: LoanState, draw: Draw | null): 'absolute' | 'spread' =>
  (draw?.atOrigination.interestRates?.[0] ?? recordOf(state).atOrigination.interestRates[0])?.interestType ?? 'absolute';

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** `POST L/rates`: an interest rate, a promo rate, or both. */
export const addRates: CommandSpec<LoanState, AddRatesRequest> = {
  kind: 'loan',
  type: 'loanRate.add',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'changeRates');
    const { interestRate, promoRate } = request;
    if (interestRate == null && promoRate == null)
      refuseProperty('interestRate', 'an interest rate, a promo rate or both', 'Send an interest rate, a promo rate or both.');
    const rows: RateRow[] = [];
    const ending: RateRow[] = [];
    let flags = NO_FLAGS;
    let interestRateId: string | null = null;
    let promoRateId: string | null = null;
    if (interestRate != null) {
      const row = newRow(context, 'interestRate', interestRate);
      flags = checkRange(context, row, 'interestRate.annualRate');
      interestRateId = row.id;
      rows.push(row);
      if (interestRate.isEndExistingRates === true) ending.push(row);
    }
    if (promoRate != null) {
      const row = newRow(context, 'promoRate', promoRate);
      promoRateId = row.id;
      rows.push(row);
      if (promoRate.isEndExistingRates === true) ending.push(row);
    }
    return decision(context, request, { rows, ending, applyTo: request.applyTo }, { flags, interestRateId, promoRateId });
  },
};

/** `PUT L/rates/{rateId}`: of a rate set at origination, only the end can change. */
export const changeRate: CommandSpec<LoanState, ChangeRateRequest> = {
  kind: 'loan',
  type: 'loanRate.change',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'changeRates');
    const before = rateAsked(context);
    if (before.setAtActivation && (request.annualRate !== undefined || request.startDate !== undefined)) {
      refuse('invalidState', `The rate ${before.id} was set at origination. Only its end date can be changed.`);
    }
    const row: RateRow = {
      ...before,
      rate: request.annualRate === undefined ? before.rate : rateOf(request.annualRate),
      ...spanOf(context, before.kind, request, before),
    };
    if (row.kind === 'promoRate' && row.rate < 0) refuseProperty('annualRate', 'zero or more', 'A promo rate cannot be negative.');
    const flags = row.kind === 'interestRate' ? checkRange(context, row, 'annualRate') : NO_FLAGS;
    return decision(context, request, { rows: [row] }, idsOf(row, flags));
  },
};

/** `DELETE L/rates/{rateId}`: the loan is computed again without the rate. */
export const removeRate: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'loanRate.remove',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'changeRates');
    const before = rateAsked(context);
    if (before.setAtActivation)
      refuse('invalidState', `The rate ${before.id} was set at origination and cannot be removed. Set its end date instead.`);
    return decision(context, request, { rows: [{ ...before, isActive: false }] }, idsOf(before, NO_FLAGS));
  },
};

export interface ChangedRates {
  readonly flags: RateFlags;
  readonly interestRateId: string | null;
  readonly promoRateId: string | null;
}

const idsOf = ({ kind, id }: RateRow, flags: RateFlags): ChangedRates =>
  kind === 'interestRate' ? { flags, interestRateId: id, promoRateId: null } : { flags, interestRateId: null, promoRateId: id };

function newRow(context: Context, kind: 'interestRate' | 'promoRate', sent: NewInterestRate | NewPromoRate): RateRow {
  const { state, env } = context;
  const interestType = kind === 'interestRate' ? interestTypeOf(state, scopeIn(context).draw) : null;
  return {
    ...NEW_ROW,
    id: env.newId('RA'),
    kind,
    rate: rateOf(sent.annualRate),
    ...spanOf(context, kind, sent, null, `${kind}.`),
    interestType,
  };
}

/** The rate of the path; 404 if there is none, 409 if it is removed or belongs to an SCRA order. */
function rateAsked(context: Context): RateRow {
  const asked = context.command.params['rateId'] ?? '';
  const row = scopeIn(context).rows.find(({ id, kind }) => id === asked && kind !== 'rateCap');
  if (row === undefined) return refuse('notFound', `The loan has no rate ${asked}.`);
  if (!row.isActive) refuse('invalidState', `The rate ${asked} was already removed.`);
  if (isScra(row)) refuse('invalidState', `The rate ${asked} belongs to SCRA terms. Change the SCRA terms instead.`);
  return row;
}

/** The loan or draw whose rates the path names; 409 if the draw accepts no changes. */
export function scopeIn(context: Context): RateScope {
  const { state, env, command } = context;
  const scope = scopeOf(state, env, command.params['drawId']);
  if (scope.draw !== null) requireDrawMove(context, scope.draw, 'changeRates');
  return scope;
}

export const changeNow = ({ state, env }: Context, request: ActionRequest, reason: string | null = null): DrawChange => ({
  now: effectiveNow(env, state),
  why: { caseId: request.caseId ?? null, reason },
});

function decision(context: Context, request: ActionRequest, order: RateOrder, changed: ChangedRates): Decision<LoanState> {
  const { state, env } = context;
  return {
    facts: ratesSetDrafts(state, env, scopeIn(context), order, changeNow(context, request)),
    preview: request.previewMode === true,
    reply: (after) => orderReply(context, request, { data: ratesChangedReply(after, env, changed) }),
  };
}
