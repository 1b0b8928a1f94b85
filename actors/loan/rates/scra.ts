import { type FeeState, rate, addDays } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { rateOf } from '../../wire.js';
import { beginAction, orderReply } from '../commands/order.js';
import { activatedOf, effectiveNow, requireProduct } from '../context.js';
import type { LedgerChanged } from '../facts.js';
import type { FeeCanceledBody } from '../fees/evolve.js';
import { feesIn, runningOn } from '../ledger/running.js';
import type { ActionRequest } from '../requests.js';
import type { LoanRecord, LoanState } from '../state.js';
import type { Why } from '../applying.js';
import { type ApplyTo, ratesSetDrafts, scopeOf } from './changes.js';
import { changeNow, requireInLife, scopeIn, spanOf } from './rate-commands.js';
import { covers, isScra, NEW_ROW, type RateRow, rateRowsOf, withRows } from './rows.js';
import type { AddRateCapRequest, AddScraRequest, ChangeRateCapRequest, ChangeScraRequest, RemoveScraQuery } from './types.js';
import { rateCapIn, rateCapReply, scraReply } from './view.js';

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** The highest rate during military service: 50 U.S.C. 3937. */
const SCRA_RATE = rate(6_000_000);

type Product = LoanRecord['type'];
const KINDS = { installment: 'loanScra', lineOfCredit: 'lineScra' } as const satisfies Readonly<Record<Product, string>>;

/** The SCRA commands of one product, which has paths of its own. */
export const scraCommands = (product: Product): readonly CommandSpec<LoanState>[] => [
  command<AddScraRequest>(product, 'add', added),
  command<ChangeScraRequest>(product, 'change', changed),
  command<RemoveScraQuery>(product, 'remove', (context, { rateId }) => ({ ...scraAsked(context, rateId), isActive: false })),
];

/** A command on an SCRA period. A removed period is as if it had never existed, but waived fees stay waived. */
function command<Request extends ActionRequest>(
  product: Product,
  verb: string,
  rowOf: (context: Context, request: Request) => RateRow,
): CommandSpec<LoanState, Request> {
  return {
    kind: 'loan',
    type: `${KINDS[product]}.${verb}`,
    place: { on: 'target' },
    decide(context) {
      const request = beginAction(context, 'changeRates');
      requireProduct(context.state, product);
      return decision(context, request, rowOf(context, request));
    },
  };
}

/** The rate of a new SCRA period, past or coming. */
const added = (context: Context, request: AddScraRequest): RateRow => ({
  ...NEW_ROW,
  id: context.env.newId('RA'),
  kind: 'interestRate',
  rate: request.annualRate === undefined ? SCRA_RATE : rateOf(request.annualRate),
  ...scraSpan(context, request, null),
  interestType: 'absoluteScra',
  isCancelFees: request.isCancelFees ?? false,
});

/** The rate with other days or another value. */
function changed(context: Context, request: ChangeScraRequest): RateRow {
  const before = scraAsked(context, request.rateId);
  return {
    ...before,
    rate: request.annualRate === undefined ? before.rate : rateOf(request.annualRate),
    ...scraSpan(context, request, before),
    isCancelFees: request.isCancelFees ?? before.isCancelFees,
  };
}

const activeScra = ({ state, env }: Context): readonly RateRow[] => rateRowsOf(state, env).filter((row) => isScra(row) && row.isActive);

/** The SCRA rate that the request names; it may name none if there is only one. */
function scraAsked(context: Context, rateId: string | null | undefined): RateRow {
  const rows = activeScra(context);
  const found = rateId == null ? rows : rows.filter(({ id }) => id === rateId);
  const [row, ...more] = found;
  if (row === undefined)
    return refuse('notFound', rateId == null ? 'The loan has no SCRA terms.' : `The loan has no active SCRA rate ${rateId}.`);
  if (more.length > 0) refuseProperty('rateId', 'the id of an SCRA rate', '`rateId` is required: the loan has several SCRA periods.');
  return row;
}

function scraSpan(context: Context, request: AddScraRequest | ChangeScraRequest, before: RateRow | null): Pick<RateRow, 'from' | 'until'> {
  const span = spanOf(context, 'interestRate', request, before);
  if (span.until !== null) requireInLife(context.state, addDays(span.until, -1), 'endDate');
  const overlapped = activeScra(context).find((row) => row.id !== before?.id && (covers(row, span.from) || covers(span, row.from)));
  if (overlapped !== undefined) refuse('activePlanExists', `The SCRA period overlaps the period ${overlapped.id}.`);
  return span;
}

function decision(context: Context, request: ActionRequest, row: RateRow): Decision<LoanState> {
  const { state, env } = context;
  const now = effectiveNow(env, state);
  const why = { caseId: request.caseId ?? null, reason: 'SCRA' };
  // An SCRA rate of a line covers the line and all draws.
  const rates = ratesSetDrafts(state, env, scopeOf(state, env, undefined), { rows: [row], applyTo: 'lineAndDraws' }, { now, why });
  return {
    facts: [...rates, scraDays(context, row, why), ...(row.isActive && row.isCancelFees ? waivedFees(context, row, why) : [])],
    preview: request.previewMode === true,
    reply: (after) => orderReply(context, request, { data: scraReply(after, env, row.id) }),
  };
}

/** Records the days of service in the ledger, for automatic fees whose type has `waiveDuringScra`. */
function scraDays({ state, env }: Context, row: RateRow, why: Why): FactDraft {
  const spans = withRows(rateRowsOf(state, env), [row])
    .filter((known) => isScra(known) && known.isActive)
    .map(({ from, until }) => ({ from, until }));
  const now = effectiveNow(env, state);
  const body: LedgerChanged = { change: { type: 'scraDaysSet', spans }, recordedDay: now.day, ...why };
  return { type: 'LedgerChanged', body, effective: now };
}

/** Cancels the fees that were charged during the period, late fees and fees charged by hand. */
function waivedFees({ state, env }: Context, row: RateRow, why: Why): readonly FactDraft[] {
  const now = effectiveNow(env, state);
  return feesIn(runningOn(state, env, now.day))
    .filter((fee) => !fee.isCanceled && covers(row, fee.chargeDay))
    .map((fee) => {
      const byHand = activatedOf(state).fees.find((known) => known.fee === fee.fee);
      const body: FeeCanceledBody = {
        change: cancellationOf(fee),
        feeId: fee.fee === null ? null : (byHand?.id ?? null),
        recordedDay: now.day,
        ...why,
      };
      return { type: 'FeeCanceled', body, effective: now };
    });
}

function cancellationOf({ fee, feeTypeId, obligation }: FeeState): FeeCanceledBody['change'] {
  if (fee !== null) return { type: 'feeCanceled', fee: { type: 'charged', fee } };
  return { type: 'feeCanceled', fee: { type: 'late', feeTypeId, obligation: obligation ?? 0 } };
}

/** `POST L/rate-caps`: a maximum rate, by law or by agreement. */
export const addRateCap: CommandSpec<LoanState, AddRateCapRequest> = {
  kind: 'loan',
  type: 'loanRateCap.add',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'changeRates');
    const row: RateRow = {
      ...NEW_ROW,
      id: context.env.newId('RC'),
      kind: 'rateCap',
      rate: rateOf(request.maxRate),
      ...spanOf(context, 'rateCap', request, null),
      rateCapReason: request.rateCapReason ?? 'other',
    };
    return capDecision(context, request, row, request.applyTo);
  },
};

/** `PUT L/rate-caps/{rateCapId}`. */
export const changeRateCap: CommandSpec<LoanState, ChangeRateCapRequest> = {
  kind: 'loan',
  type: 'loanRateCap.change',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'changeRates');
    const before = capAsked(context);
    return capDecision(context, request, {
      ...before,
      rate: request.maxRate === undefined ? before.rate : rateOf(request.maxRate),
      ...spanOf(context, 'rateCap', request, before),
      rateCapReason: request.rateCapReason ?? before.rateCapReason,
    });
  },
};

/** `DELETE L/rate-caps/{rateCapId}`. */
export const removeRateCap: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'loanRateCap.remove',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'changeRates');
    return capDecision(context, request, { ...capAsked(context), isActive: false });
  },
};

function capAsked(context: Context): RateRow {
  const asked = context.command.params['rateCapId'] ?? '';
  return rateCapIn(scopeIn(context).rows, asked) ?? refuse('notFound', `The loan has no rate cap ${asked}.`);
}

function capDecision(context: Context, request: ActionRequest, row: RateRow, applyTo?: ApplyTo): Decision<LoanState> {
  const { state, env } = context;
  return {
    facts: ratesSetDrafts(state, env, scopeIn(context), { rows: [row], applyTo }, changeNow(context, request)),
    preview: request.previewMode === true,
    reply: () => orderReply(context, request, { data: rateCapReply(row) }),
  };
}
