import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import { rateOf } from '../../wire.js';
import { effectiveNow } from '../context.js';
import { requireDrawMove } from '../draws/find.js';
import type { DrawChange } from '../draws/rates.js';
import { type ApplyTo, type RateScope, ratesSetDrafts, scopeOf } from './changes.js';
import type { AddRatesRequest, ChangeRateRequest, NewInterestRate, NewPromoRate } from './types.js';
import { isScra, NEW_ROW, type RateRow } from './rows.js';
import { checkRange, endedAt, interestTypeOf, NO_FLAGS, type RateFlags, spanOf } from './rules.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { ratesChangedReply } from './view.js';
import { beginAction, finished } from '../commands/order.js';

type Context = CommandContext<LoanState>;

/** `POST L/rates`: an interest rate, a promo rate, or both. */
export const addRates: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanRate.add',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<AddRatesRequest>(context, 'changeRates');
    const { interestRate, promoRate } = request;
    if (interestRate == null && promoRate == null)
      refuseProperty('interestRate', 'an interest rate, a promo rate or both', 'No rate is given.');
    const { rows: known } = scopeIn(context);
    const rows: RateRow[] = [];
    let flags = NO_FLAGS;
    let interestRateId: string | null = null;
    let promoRateId: string | null = null;
    if (interestRate != null) {
      const row = newRow(context, 'interestRate', interestRate);
      flags = checkRange(context, row, 'interestRate.annualRate');
      interestRateId = row.id;
      rows.push(...(interestRate.isEndExistingRates === true ? endedAt(known, row.kind, row.from) : []), row);
    }
    if (promoRate != null) {
      const row = newRow(context, 'promoRate', promoRate);
      promoRateId = row.id;
      rows.push(...(promoRate.isEndExistingRates === true ? endedAt(known, row.kind, row.from) : []), row);
    }
    return decision(context, request, rows, { flags, interestRateId, promoRateId }, request.applyTo);
  },
};

/** `PUT L/rates/{rateId}`: of a rate that origination set only the end may change. */
export const changeRate: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanRate.change',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ChangeRateRequest>(context, 'changeRates');
    const before = rateAsked(context);
    if (before.setAtActivation && (request.annualRate !== undefined || request.startDate !== undefined)) {
      refuse('invalidState', `The rate ${before.id} was set at origination: it can only be ended.`);
    }
    const row: RateRow = {
      ...before,
      rate: request.annualRate === undefined ? before.rate : rateOf(request.annualRate),
      ...spanOf(context, before.kind, request, before),
    };
    if (row.kind === 'promoRate' && row.rate < 0) refuseProperty('annualRate', 'zero or more', 'A promo rate is not negative.');
    const flags = row.kind === 'interestRate' ? checkRange(context, row, 'annualRate') : NO_FLAGS;
    return decision(context, request, [row], idsOf(row, flags));
  },
};

/** `DELETE L/rates/{rateId}`: the loan is computed again with the rates that are left. */
export const removeRate: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanRate.remove',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ActionRequest>(context, 'changeRates');
    const before = rateAsked(context);
    if (before.setAtActivation) refuse('invalidState', `The rate ${before.id} was set at origination: it can be ended, but not removed.`);
    return decision(context, request, [{ ...before, isActive: false }], idsOf(before, NO_FLAGS));
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
  const interestType = kind === 'interestRate' ? interestTypeOf(state) : null;
  return {
    ...NEW_ROW,
    id: env.newId('RA'),
    kind,
    rate: rateOf(sent.annualRate),
    ...spanOf(context, kind, sent, null, `${kind}.`),
    interestType,
  };
}

/** The rate of the path; 404 for none, 409 for one that is removed or belongs to an SCRA order. */
function rateAsked(context: Context): RateRow {
  const asked = context.command.params['rateId'] ?? '';
  const row = scopeIn(context).rows.find(({ id, kind }) => id === asked && kind !== 'rateCap');
  if (row === undefined) return refuse('notFound', `The loan has no rate ${asked}.`);
  if (!row.isActive) refuse('invalidState', `The rate ${asked} is removed already.`);
  if (isScra(row)) refuse('invalidState', `The rate ${asked} belongs to SCRA terms: change those.`);
  return row;
}

/** Whose rates are meant: the loan's, or those of a draw that takes changes. */
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

function decision(
  context: Context,
  request: ActionRequest,
  rows: readonly RateRow[],
  changed: ChangedRates,
  applyTo?: ApplyTo,
): Decision<LoanState> {
  const { state, env } = context;
  return {
    facts: ratesSetDrafts(state, env, scopeIn(context), rows, changeNow(context, request), applyTo),
    preview: request.previewMode === true,
    reply: (after) => finished(context, request, { data: ratesChangedReply(after, env, changed) }),
  };
}
