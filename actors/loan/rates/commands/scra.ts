import type { Day, FeeState, Rate } from '../../../../engine/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../runtime/actor.js';
import type { FactDraft } from '../../../runtime/fact.js';
import { rateOf } from '../../../wire.js';
import { activatedOf, effectiveNow } from '../../context.js';
import type { FeeCanceledBody } from '../../fees/facts.js';
import { ratesSetDrafts, scopeOf } from '../changes.js';
import type { AddScraRequest, ChangeScraRequest, RemoveScraQuery } from '../requests.js';
import { covers, isScra, NEW_ROW, rateRowsOf, type RateRow } from '../rows.js';
import { requireInLife, spanOf } from '../rules.js';
import type { ActionRequest } from '../../requests.js';
import { feesIn, runningOn } from '../../ledger/running.js';
import type { LoanState } from '../../state.js';
import { scraReply } from '../view.js';
import { beginAction, finished } from '../../commands/order.js';

type Context = CommandContext<LoanState>;

/** What the law allows during military service: 50 U.S.C. 3937. */
const SCRA_RATE = 6_000_000 as Rate;

/** `POST L/payment-plan-scra`: the rate of an SCRA period, past or to come (loan-terms 11). */
export const addScra: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanScra.add',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<AddScraRequest>(context, 'changeRates');
    const row: RateRow = {
      ...NEW_ROW,
      id: context.env.newId('RA'),
      kind: 'interestRate',
      rate: request.annualRate === undefined ? SCRA_RATE : rateOf(request.annualRate),
      ...scraSpan(context, request, null),
      interestType: 'absoluteScra',
      isCancelFees: request.isCancelFees ?? false,
    };
    return decision(context, request, row);
  },
};

/** `PUT L/payment-plan-scra`: other days, or another rate. */
export const changeScra: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanScra.change',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ChangeScraRequest>(context, 'changeRates');
    const before = scraAsked(context, request.rateId);
    return decision(context, request, {
      ...before,
      rate: request.annualRate === undefined ? before.rate : rateOf(request.annualRate),
      ...scraSpan(context, request, before),
      isCancelFees: request.isCancelFees ?? before.isCancelFees,
    });
  },
};

/** `DELETE L/payment-plan-scra`: as if the period had not been; fees that were waived stay waived. */
export const removeScra: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanScra.remove',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<RemoveScraQuery>(context, 'changeRates');
    return decision(context, request, { ...scraAsked(context, request.rateId), isActive: false });
  },
};

const activeScra = ({ state, env }: Context): readonly RateRow[] => rateRowsOf(state, env).filter((row) => isScra(row) && row.isActive);

/** The SCRA rate that is meant: it may be left out when there is only one. */
function scraAsked(context: Context, rateId: string | null | undefined): RateRow {
  const rows = activeScra(context);
  const found = rateId == null ? rows : rows.filter(({ id }) => id === rateId);
  const [row, ...more] = found;
  if (row === undefined) return refuse('notFound', rateId == null ? 'The loan has no SCRA terms.' : `The loan has no active SCRA rate ${rateId}.`);
  if (more.length > 0) refuseProperty('rateId', 'the id of an SCRA rate', 'The loan has several SCRA periods.');
  return row;
}

function scraSpan(context: Context, request: AddScraRequest | ChangeScraRequest, before: RateRow | null): Pick<RateRow, 'from' | 'until'> {
  const span = spanOf(context, 'interestRate', request, before);
  if (span.until !== null) requireInLife(context.state, (span.until - 1) as Day, 'endDate');
  const overlapped = activeScra(context).find((row) => row.id !== before?.id && (covers(row, span.from) || covers(span, row.from)));
  if (overlapped !== undefined) refuse('activePlanExists', `The SCRA period ${overlapped.id} has days of this one.`);
  return span;
}

function decision(context: Context, request: ActionRequest, row: RateRow): Decision<LoanState> {
  const { state, env } = context;
  const now = effectiveNow(env, state);
  const why = { caseId: request.caseId ?? null, reason: 'SCRA' };
  // For a line it covers the line and all draws (loan-terms 11).
  const rates = ratesSetDrafts(state, env, scopeOf(state, env, undefined), [row], { now, why }, 'lineAndDraws');
  return {
    facts: [...rates, ...(row.isActive && row.isCancelFees ? waivedFees(context, row, why) : [])],
    preview: request.previewMode === true,
    reply: (after) => finished(context, request, { data: scraReply(after, env, row.id) }),
  };
}

/** The fees that were charged on the days of the period, late ones and those by hand. */
function waivedFees({ state, env }: Context, row: RateRow, why: Pick<FeeCanceledBody, 'caseId' | 'reason'>): readonly FactDraft[] {
  const now = effectiveNow(env, state);
  return feesIn(runningOn(state, env, now.day))
    .filter((fee) => !fee.isCanceled && covers(row, fee.chargeDay))
    .map((fee) => {
      const byHand = activatedOf(state).fees.find((known) => known.fee === fee.fee);
      const body: FeeCanceledBody = { change: cancellationOf(fee), feeId: fee.fee === null ? null : (byHand?.id ?? null), recordedDay: now.day, ...why };
      return { type: 'FeeCanceled', body, effective: now };
    });
}

function cancellationOf({ fee, feeTypeId, obligation }: FeeState): FeeCanceledBody['change'] {
  if (fee !== null) return { type: 'feeCanceled', fee: { type: 'charged', fee } };
  return { type: 'feeCanceled', fee: { type: 'late', feeTypeId, obligation: obligation ?? 0 } };
}
