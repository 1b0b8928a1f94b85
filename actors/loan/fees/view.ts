import { cents, type Day, dayAt, type FeeReference, type FeeState, startOfDay, ZERO } from '../../../engine/index.js';
import { companyOf, type FeeType, feeTypeOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import { actorView } from '../../kernel/actor-logic.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import { SYSTEM_AGENT } from '../../kernel/fact.js';
import { matching, pageOf, type PageQuery } from '../../list-order.js';
import { amount, dateText, dateTimeText, type ListResult, orNull } from '../../wire.js';
import { activationOf, recordOf, requirePerson } from '../context.js';
import { drawFeeId, lateFeeId, originationFeeId } from '../derived-ids.js';
import { drawIdOf, drawOf } from '../draws/draw.js';
import {
  type AnyLedgerFact,
  balancesIn,
  computedWithout,
  feesIn,
  isLine,
  periodsIn,
  type RunningLedger,
  runningOn,
  storedFacts,
} from '../ledger/running.js';
import type { ChargedFee, LoanState, RemovedFee, StoredFact } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import { pastFeeReply } from './late.js';
import { removedFrom, seededFees } from './recurring.js';
import type { FeeReply } from './types.js';

/** All fees of a loan, newest first: late fees, fees charged by hand, and the origination fee. */
export function feeReplies(state: LoanState, env: ViewEnv): readonly FeeReply[] {
  const activation = activationOf(state);
  const record = recordOf(state);
  const past = [...(state.migration?.line?.pastFees ?? [])].reverse().map((fee) => pastFeeReply(fee, state, env));
  if (activation === null) return [...past, ...originationFee(state, env, null)];
  const ledger = runningOn(state, env, env.today(record.zone));
  const byHand = activation.fees.map((fee) => byHandReply(fee, ledger, state, env));
  const late = feesIn(ledger)
    .filter((fee) => fee.fee === null && fee.obligation !== null)
    .map((fee) => lateReply(fee, ledger, state, env));
  const removed = removedFrom(activation, feesIn(ledger)).map((fee) => removedReply(fee, state, env));
  const dynamic = [...late, ...removed, ...byHand].sort((a, b) => a.timestamps.createdAt.localeCompare(b.timestamps.createdAt));
  return [
    ...dynamic.reverse(),
    ...drawFees(state, env, ledger),
    ...seededFees(state, env, ledger),
    ...past,
    ...originationFee(state, env, ledger),
  ];
}

/** The draw fees, newest first. A draw fee is one fee, also if parts of it fall due with several rows. */
function drawFees(state: LoanState, env: ViewEnv, ledger: RunningLedger): readonly FeeReply[] {
  if (!isLine(ledger)) return [];
  return [...state.draws].reverse().flatMap((draw) => {
    const { fees = [], activation } = ledger.draws.find((known) => known.draw === draw.draw) ?? {};
    const parts = fees.filter(({ origin }) => origin === 'draw');
    const id = drawFeeId(env, state, draw);
    // A fee that was lowered to zero, as a cancellation does, is none of the ledger.
    const isLoweredToZero = draw.atOrigination.drawFeeCents > 0 && ledger.orders.drawFeesCents.get(draw.draw) === 0;
    const chargeDay = parts[0]?.chargeDay ?? (isLoweredToZero ? activation?.effective.day : undefined);
    if (chargeDay === undefined || id === null) return [];
    const { zone } = recordOf(state);
    const counted = hasCanceledBearer(state, ledger, draw.draw) ? [] : parts.filter(({ isCanceled }) => !isCanceled);
    const amountCents = counted.reduce((sum, part) => sum + part.amountCents, 0);
    const openCents = counted.reduce((sum, part) => sum + part.openCents, 0);
    // What is above the amount at origination, as that may have been changed since, are shares of purchases.
    const { drawFeeCents } = draw.atOrigination;
    const wholeCents = drawFeeCents + amountCents - (ledger.orders.drawFeesCents.get(draw.draw) ?? drawFeeCents);
    const dueDays = parts.flatMap((part) => feeDueDay(part, ledger) ?? []);
    return [
      {
        id,
        type: 'drawFee',
        amount: amount(cents(amountCents)),
        originalAmount: amount(cents(wholeCents)),
        remainingAmount: amount(cents(openCents)),
        status: counted.length === 0 ? 'canceled' : openCents === 0 ? 'paid' : 'booked',
        createdDate: dateText(chargeDay),
        scheduledDate: dateText(chargeDay),
        dueDate: orNull(dateText, dueDays.sort((a, b) => a - b)[0]),
        feeTypeId: null,
        drawId: draw.id,
        dynamicFeeDetails: null,
        timestamps: { createdAt: dateTimeText(startOfDay(zone, chargeDay)) },
      } as const,
    ];
  });
}

/** Whether the loan was canceled, or the draw that bears the fee: its fees are as if they had never existed. */
const hasCanceledBearer = ({ draws }: LoanState, { status }: RunningLedger, draw: number | null): boolean =>
  status === 'canceled' || draws.some((known) => known.draw === draw && known.status === 'canceled');

function originationFee(state: LoanState, env: ViewEnv, ledger: RunningLedger | null): readonly FeeReply[] {
  const record = recordOf(state);
  const contractedCents = record.atOrigination.fees.originationFeeCents;
  if (contractedCents === 0) return [];
  const feeCents = cents(ledger?.orders.originationFeeCents ?? contractedCents);
  const openCents = ledger === null ? feeCents : balancesIn(ledger).outstanding.originationFeesCents;
  const terms = activationOf(state)?.contract.terms;
  const day = terms?.activation ?? dayAt(record.zone, record.timestamps.createdAt);
  const dueDay =
    terms === undefined
      ? null
      : terms.originationFee.logic === 'separate'
        ? terms.activation
        : ledger === null
          ? null
          : (periodsIn(ledger)[0]?.dueDay ?? null);
  return [
    {
      id: originationFeeId(env, state),
      type: 'originationFee',
      amount: amount(ledger?.status === 'canceled' ? ZERO : feeCents),
      originalAmount: amount(contractedCents),
      remainingAmount: amount(openCents),
      status: terms === undefined ? 'scheduled' : ledger?.status === 'canceled' ? 'canceled' : openCents === 0 ? 'paid' : 'booked',
      createdDate: dateText(day),
      scheduledDate: orNull(dateText, terms?.activation),
      dueDate: orNull(dateText, dueDay),
      feeTypeId: null,
      drawId: null,
      dynamicFeeDetails: null,
      timestamps: { createdAt: dateTimeText(record.timestamps.createdAt) },
    },
  ];
}

function byHandReply(fee: ChargedFee, ledger: RunningLedger, state: LoanState, env: ViewEnv): FeeReply {
  const { zone } = recordOf(state);
  const booked = feesIn(ledger).find((candidate) => candidate.fee === fee.fee);
  const isCanceled = fee.canceledAt !== null || booked?.isCanceled === true || hasCanceledBearer(state, ledger, fee.draw ?? null);
  const chargeDay = booked?.chargeDay ?? fee.scheduled?.day ?? dayAt(zone, fee.createdAt);
  const openCents = isCanceled ? ZERO : cents(booked?.openCents ?? fee.amountCents);
  const feeType = feeTypeById(state, env, fee.feeTypeId);
  return {
    id: fee.id,
    type: replyTypeOf(feeType),
    amount: amount(isCanceled ? ZERO : cents(booked?.amountCents ?? fee.amountCents)),
    originalAmount: amount(fee.amountCents),
    remainingAmount: amount(openCents),
    status: isCanceled ? 'canceled' : fee.scheduled !== null ? 'scheduled' : openCents === 0 ? 'paid' : 'booked',
    createdDate: dateText(dayAt(zone, fee.createdAt)),
    scheduledDate: dateText(chargeDay),
    dueDate: orNull(
      dateText,
      isCanceled ? booked?.dueDay : feeDueDay(booked ?? { dueDay: null, chargeDay, chargeLogic: feeType?.chargeLogic ?? 'nonDue' }, ledger),
    ),
    feeTypeId: fee.feeTypeId,
    drawId: drawIdOf(state, fee.draw ?? null),
    dynamicFeeDetails: {
      loanFeeId: fee.id,
      loanFeeExternalId: fee.externalId,
      apiName: feeType?.name.apiName ?? null,
      displayName: fee.customDisplayName ?? feeType?.name.displayName ?? null,
      caseId: fee.caseId,
      createdBy: actorView(fee.by),
      chargeDate: dateText(chargeDay),
      canceledDate: orNull((at: number) => dateText(dayAt(zone, at)), fee.canceledAt),
      canceledBy: orNull(actorView, fee.canceledBy),
      transactionId: fee.transactionId ?? null,
      purchaseId: fee.purchaseId ?? null,
      capitalizedAmount: amount(ZERO),
      creditedAmount: amount(cents(booked?.creditedCents ?? 0)),
    },
    timestamps: { createdAt: dateTimeText(fee.createdAt) },
  };
}

/** Service fees have a type of their own, apart from other dynamic fees. */
const replyTypeOf = (feeType: FeeType | undefined): FeeReply['type'] => (feeType?.feeType === 'serviceFee' ? 'serviceFee' : 'dynamicFee');

function lateReply(fee: FeeState, ledger: RunningLedger, state: LoanState, env: ViewEnv): FeeReply {
  const { zone } = recordOf(state);
  const id = lateFeeId(env, state, fee.feeTypeId, fee.obligation ?? 0);
  const feeType = feeTypeById(state, env, fee.feeTypeId);
  const day: Day = fee.chargeDay;
  const isCanceled = fee.isCanceled || hasCanceledBearer(state, ledger, null);
  const waiver = fee.isCanceled ? waiverOf(state, fee) : undefined;
  return {
    id,
    type: 'dynamicFee',
    amount: amount(cents(isCanceled ? 0 : fee.amountCents)),
    originalAmount: amount(cents(originalCents(state, env, fee, ledger))),
    remainingAmount: amount(cents(fee.openCents)),
    status: isCanceled ? 'canceled' : fee.openCents === 0 ? 'paid' : 'booked',
    createdDate: dateText(day),
    scheduledDate: dateText(day),
    dueDate: orNull(dateText, fee.isCanceled ? fee.dueDay : feeDueDay(fee, ledger)),
    feeTypeId: fee.feeTypeId,
    drawId: null,
    dynamicFeeDetails: {
      loanFeeId: id,
      loanFeeExternalId: null,
      apiName: feeType?.name.apiName ?? null,
      displayName: feeType?.name.displayName ?? null,
      caseId: waiver?.caseId ?? null,
      createdBy: actorView(SYSTEM_AGENT),
      chargeDate: dateText(day),
      canceledDate: orNull((at: number) => dateText(dayAt(zone, at)), waiver?.recordedAt),
      canceledBy: orNull(actorView, waiver?.by),
      transactionId: null,
      purchaseId: null,
      capitalizedAmount: amount(ZERO),
      creditedAmount: amount(cents(fee.creditedCents)),
    },
    timestamps: { createdAt: dateTimeText(startOfDay(zone, day)) },
  };
}

/** A late fee that a replay removed: the obligation was met in time after all. */
function removedReply(
  { feeTypeId, obligation, chargeDay, amountCents, removedAt, caseId }: RemovedFee,
  state: LoanState,
  env: ViewEnv,
): FeeReply {
  const { zone } = recordOf(state);
  const id = lateFeeId(env, state, feeTypeId, obligation);
  const feeType = feeTypeById(state, env, feeTypeId);
  const nothing = amount(ZERO);
  return {
    id,
    type: 'dynamicFee',
    amount: nothing,
    originalAmount: amount(amountCents),
    remainingAmount: nothing,
    status: 'canceled',
    createdDate: dateText(chargeDay),
    scheduledDate: dateText(chargeDay),
    dueDate: null,
    feeTypeId,
    drawId: null,
    dynamicFeeDetails: {
      loanFeeId: id,
      loanFeeExternalId: null,
      apiName: feeType?.name.apiName ?? null,
      displayName: feeType?.name.displayName ?? null,
      caseId,
      createdBy: actorView(SYSTEM_AGENT),
      chargeDate: dateText(chargeDay),
      canceledDate: dateText(dayAt(zone, removedAt)),
      canceledBy: actorView(SYSTEM_AGENT),
      transactionId: null,
      purchaseId: null,
      capitalizedAmount: nothing,
      creditedAmount: nothing,
    },
    timestamps: { createdAt: dateTimeText(startOfDay(zone, chargeDay)) },
  };
}

/** The fact that canceled a late fee, if a command did it: a refund can cancel it, too. */
function waiverOf(state: LoanState, { feeTypeId, obligation }: FeeState): StoredFact<AnyLedgerFact> | undefined {
  return storedFacts(state).find(({ fact }) => fact.type === 'feeCanceled' && isLateFee(fact.fee, feeTypeId, obligation));
}

const isLateFee = (named: FeeReference, feeTypeId: string, obligation: number | null): boolean =>
  named.type === 'late' && named.feeTypeId === feeTypeId && named.obligation === obligation;

/** The amount of a late fee before it was changed by hand. */
function originalCents(state: LoanState, env: ViewEnv, { feeTypeId, obligation, amountCents }: FeeState, { day }: RunningLedger): number {
  const isChange = (fact: AnyLedgerFact): boolean => fact.type === 'feeChanged' && isLateFee(fact.fee, feeTypeId, obligation);
  if (!storedFacts(state).some(({ fact }) => isChange(fact))) return amountCents;
  const unchanged = computedWithout(state, env, day, isChange);
  return (
    feesIn(unchanged).find((fee) => fee.fee === null && fee.feeTypeId === feeTypeId && fee.obligation === obligation)?.amountCents ??
    amountCents
  );
}

/** When it became due, otherwise when it will by its charge logic; null while no date is known. */
function feeDueDay(
  { dueDay, chargeDay, chargeLogic }: Pick<FeeState, 'dueDay' | 'chargeDay' | 'chargeLogic'>,
  ledger: RunningLedger,
): Day | null {
  if (dueDay !== null || chargeLogic === 'nonDue') return dueDay;
  if (chargeLogic === 'immediate') return chargeDay;
  if (isLine(ledger))
    return chargeLogic === 'nextDueDate' ? (periodsIn(ledger).find((period) => period.dueDay > chargeDay)?.dueDay ?? null) : null;
  const { rows, nextRow } = ledger;
  const coming = rows.slice(nextRow).filter((row) => row.date > chargeDay && row.isDeferred !== true);
  return (chargeLogic === 'nextDueDate' ? coming[0] : coming.at(-1))?.date ?? null;
}

function feeTypeById(state: LoanState, env: ViewEnv, id: string): FeeType | undefined {
  return feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, id);
}

export interface ListFeesQuery extends PageQuery {
  readonly types?: readonly string[];
  readonly statuses?: readonly string[];
  readonly apiName?: string;
}

const listFees: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loanFee.list',
  on: 'target',
  read: (context) => feeList(context, () => true),
};

/** `GET D/fees`: the fees of one draw. */
export const listDrawFees: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'drawFee.list',
  on: 'target',
  read(context) {
    const { id } = drawOf(context.state, context.request.params['drawId']);
    return feeList(context, ({ drawId }) => drawId === id);
  },
};

function feeList({ state, env, query, request }: QueryContext<LoanState>, isAsked: (fee: FeeReply) => boolean): ListResult {
  requirePerson(state, request.params['personId'], env);
  const { types = [], statuses = [], apiName, ...page } = (query ?? {}) as ListFeesQuery;
  const fees = matching(
    feeReplies(state, env).filter(isAsked),
    (fee) =>
      (types.length === 0 || types.includes(fee.type)) &&
      (statuses.length === 0 || statuses.includes(fee.status)) &&
      (apiName === undefined || fee.dynamicFeeDetails?.apiName === apiName),
  );
  return pageOf(fees, page, (fee) => fee);
}

const getFee: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loanFee.get',
  on: 'target',
  read({ state, env, request }): FeeReply {
    requirePerson(state, request.params['personId'], env);
    const asked = request.params['feeId'] ?? '';
    const id = asked.startsWith('ext-') ? env.findExternal(env.tenant, 'loanFee', asked.slice(4)) : asked;
    return feeReplies(state, env).find((fee) => fee.id === id) ?? refuse('notFound', `The loan has no fee ${asked}.`);
  },
};

export const feeQueries: readonly QuerySpec<LoanState>[] = [listFees, getFee];
