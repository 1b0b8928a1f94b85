import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import { rateOf } from '../../wire.js';
import { type ApplyTo, ratesSetDrafts } from './changes.js';
import type { AddRateCapRequest, ChangeRateCapRequest } from './types.js';
import { NEW_ROW, type RateRow } from './rows.js';
import { spanOf } from './rules.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { rateCapIn, rateCapReply } from './view.js';
import { beginAction, finished } from '../commands/order.js';
import { changeNow, scopeIn } from './rate-commands.js';

type Context = CommandContext<LoanState>;

/** `POST L/rate-caps`: a bound of what may accrue, by law or by promise. */
export const addRateCap: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanRateCap.add',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<AddRateCapRequest>(context, 'changeRates');
    const row: RateRow = {
      ...NEW_ROW,
      id: context.env.newId('RC'),
      kind: 'rateCap',
      rate: rateOf(request.maxRate),
      ...spanOf(context, 'rateCap', request, null),
      rateCapReason: request.rateCapReason ?? 'other',
    };
    return decision(context, request, row, request.applyTo);
  },
};

/** `PUT L/rate-caps/{rateCapId}`. */
export const changeRateCap: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanRateCap.change',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ChangeRateCapRequest>(context, 'changeRates');
    const before = capAsked(context);
    return decision(context, request, {
      ...before,
      rate: request.maxRate === undefined ? before.rate : rateOf(request.maxRate),
      ...spanOf(context, 'rateCap', request, before),
      rateCapReason: request.rateCapReason ?? before.rateCapReason,
    });
  },
};

/** `DELETE L/rate-caps/{rateCapId}`. */
export const removeRateCap: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanRateCap.remove',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ActionRequest>(context, 'changeRates');
    return decision(context, request, { ...capAsked(context), isActive: false });
  },
};

function capAsked(context: Context): RateRow {
  const asked = context.command.params['rateCapId'] ?? '';
  return rateCapIn(scopeIn(context).rows, asked) ?? refuse('notFound', `The loan has no rate cap ${asked}.`);
}

function decision(context: Context, request: ActionRequest, row: RateRow, applyTo?: ApplyTo): Decision<LoanState> {
  const { state, env } = context;
  return {
    facts: ratesSetDrafts(state, env, scopeIn(context), [row], changeNow(context, request), applyTo),
    preview: request.previewMode === true,
    reply: () => finished(context, request, { data: rateCapReply(row) }),
  };
}
