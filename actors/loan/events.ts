import { type Cents, type Day, instantAt, type LineLedgerEvent } from '../../engine/index.js';
import type { EvolveEnv } from '../kernel/actor.js';
import { type EffectiveTime, type EventDraft, type Fact, fieldChanges } from '../kernel/fact.js';
import { amount, dateText, dateTimeText, timeOfDay } from '../wire.js';
import { recordOf } from './context.js';
import { aboutDraw, describeDraw, type DrawLedgerEvent, isOfDraw } from './draws/events.js';
import { drawIdOf } from './draws/draw.js';
import { drawFeeId, lateFeeId, obligationId, originationFeeId, periodId } from './derived-ids.js';
import type { ChargedFee, LoanState } from './state.js';
import type { TransactionRecord } from './transactions/record.js';

/** What an event needs apart from the ledger event: statuses and amounts before it, and the reason of the order. */
export interface EventContext {
  readonly state: LoanState;
  readonly env: EvolveEnv;
  readonly isReplay: boolean;
  /** When the fact was recorded, in milliseconds of the company's clock. */
  readonly recordedAt: number;
  readonly caseId: string | null;
  readonly reason: string | null;
  /** By the ordinal of an obligation: its status before, and its due date and amount after. */
  readonly obligationBefore: (ordinal: number) => ObligationStatus | null;
  readonly obligationDue: (ordinal: number) => { readonly dueDay: Day; readonly amountCents: Cents } | null;
  readonly daysOverdueBefore: number;
  readonly principalCents: Cents;
  /** A fee that was charged by hand. */
  readonly chargedFee: (fee: number) => ChargedFee | undefined;
}

export type ObligationStatus = 'open' | 'unfulfilled' | 'overdue' | 'fulfilled';

export function obligationStatus(flags: { readonly isFulfilled: boolean; readonly isOverdue: boolean }): ObligationStatus {
  if (flags.isFulfilled) return 'fulfilled';
  return flags.isOverdue ? 'overdue' : 'unfulfilled';
}

/** An event about the loan itself. */
export function loanEvent(state: LoanState, eventType: string, data: EventDraft['data'], at?: number): EventDraft {
  const { drawId } = data;
  const event: EventDraft = {
    eventType,
    objectType: 'loan',
    objectId: state.id,
    ...namesOf(state, typeof drawId === 'string' ? drawId : null),
    data,
  };
  return at === undefined ? event : { ...event, occurredAt: at };
}

/** When the effect of a fact occurred: at its effective time if that is past, else when it was recorded. */
export function occurredAt(state: LoanState, { day, seconds }: EffectiveTime, { businessAt }: Pick<Fact, 'businessAt'>): number {
  const effectiveAt = instantAt(recordOf(state).zone, day, timeOfDay(seconds));
  return effectiveAt < Math.floor(businessAt / 1000) * 1000 ? effectiveAt : businessAt;
}

/** What an event of the loan refers to, with the draw that it concerns if it concerns one, and the caller's ids of these. */
export function namesOf(state: LoanState, drawId: string | null): Required<Pick<EventDraft, 'refs' | 'externalIds'>> {
  const { personId, externalId } = recordOf(state);
  if (drawId === null) return { refs: { loanId: state.id, personId }, externalIds: { loanId: externalId } };
  const draw = state.draws.find(({ id }) => id === drawId);
  return {
    refs: { loanId: state.id, personId, drawId },
    externalIds: { loanId: externalId, drawId: draw?.externalId ?? null },
  };
}

/** What an event of a transaction refers to; the draw is the one that the transaction is directed to. */
export function namesOfTransaction(
  state: LoanState,
  { id, externalId, draw }: Pick<TransactionRecord, 'id' | 'externalId' | 'draw'>,
): Required<Pick<EventDraft, 'refs' | 'externalIds'>> {
  const { refs, externalIds } = namesOf(state, drawIdOf(state, draw));
  return { refs: { ...refs, transactionId: id }, externalIds: { ...externalIds, transactionId: externalId } };
}

/** The published event for a ledger event; null if it has none. */
export function eventOf(ledgerEvent: LineLedgerEvent, context: EventContext): EventDraft | null {
  const { state } = context;
  const effectiveAt = instantAt(recordOf(state).zone, ledgerEvent.day, timeOfDay(ledgerEvent.seconds));
  const described = isOfDraw(ledgerEvent) ? describeDraw(ledgerEvent, state, context.env) : describe(ledgerEvent, context, effectiveAt);
  if (described === null) return null;
  const { eventType, data } = described;
  const flagged = context.isReplay ? { ...data, isReplay: true } : data;
  // An order of today at the end of its day has its effect at once.
  const event = loanEvent(state, eventType, flagged, Math.min(effectiveAt, context.recordedAt));
  return isOfDraw(ledgerEvent) ? aboutDraw(event, state, ledgerEvent.draw) : event;
}

export interface Described {
  readonly eventType: string;
  readonly data: EventDraft['data'];
}

function describe(ledgerEvent: Exclude<LineLedgerEvent, DrawLedgerEvent>, context: EventContext, effectiveAt: number): Described {
  const { state, env } = context;
  switch (ledgerEvent.type) {
    case 'periodStarted':
      return {
        eventType: 'loan.period.started',
        data: {
          periodId: periodId(env, state, ledgerEvent.period),
          startDate: dateText(ledgerEvent.startDate),
          endDate: dateText(ledgerEvent.endDate),
          dueDate: dateText(ledgerEvent.dueDate),
        },
      };
    case 'obligationStatusChanged': {
      const due = context.obligationDue(ledgerEvent.obligation);
      return {
        eventType: 'loan.obligation.statuschanged',
        data: {
          obligationId: obligationId(env, state, ledgerEvent.obligation),
          oldStatus: context.obligationBefore(ledgerEvent.obligation),
          newStatus: obligationStatus(ledgerEvent),
          isOpen: ledgerEvent.isOpen,
          dueDate: due === null ? null : dateText(due.dueDay),
          amount: due === null ? null : amount(due.amountCents),
        },
      };
    }
    case 'overdue':
    case 'overdueUpdate':
      return {
        eventType: ledgerEvent.type === 'overdue' ? 'loan.overdue' : 'loan.overdue.update',
        data: {
          daysOverdue: ledgerEvent.daysOverdue,
          overdueAmount: amount(ledgerEvent.overdueCents),
          overdueSinceDate: dateText(ledgerEvent.overdueSince),
          oldestObligationId: obligationId(env, state, ledgerEvent.oldestObligation),
        },
      };
    case 'current':
      return {
        eventType: 'loan.current',
        data: { becameCurrentDate: dateText(ledgerEvent.day), previousDaysOverdue: context.daysOverdueBefore },
      };
    case 'lateFeeBooked':
      return {
        eventType: 'loan.latefee.booked',
        data: {
          feeId: lateFeeId(env, state, ledgerEvent.feeTypeId, ledgerEvent.obligation),
          feeTypeId: ledgerEvent.feeTypeId,
          amount: amount(ledgerEvent.amountCents),
          effectiveDate: dateText(ledgerEvent.day),
          drawId: null,
        },
      };
    case 'feeCanceled':
      return {
        eventType: 'loan.fee.canceled',
        data: {
          ...feeNamed(ledgerEvent, context),
          amount: amount(ledgerEvent.amountCents),
          effectiveDate: dateText(ledgerEvent.day),
          drawId: drawOfFee(ledgerEvent, context),
          reason: context.reason,
        },
      };
    case 'feeChanged':
      return {
        eventType: 'loan.fee.changed',
        data: {
          ...feeNamed(ledgerEvent, context),
          amount: amount(ledgerEvent.amountCents),
          effectiveDate: dateText(ledgerEvent.day),
          drawId: drawOfFee(ledgerEvent, context),
          changes: fieldChanges({ amount: amount(ledgerEvent.previousCents) }, { amount: amount(ledgerEvent.amountCents) }),
        },
      };
    case 'feeCapitalized':
      return {
        eventType: 'loan.fee.capitalized',
        data: {
          ...capitalizedFee(ledgerEvent.of, context),
          amount: amount(ledgerEvent.amountCents),
          effectiveDate: dateText(ledgerEvent.day),
          drawId: drawIdOf(state, ledgerEvent.of.draw),
        },
      };
    case 'interestCapitalized':
      return {
        eventType: 'loan.interest.capitalized',
        data: {
          amount: amount(ledgerEvent.amountCents),
          effectiveDate: dateText(ledgerEvent.day),
          principalAfter: amount(context.principalCents),
        },
      };
    case 'balanceChanged':
      return {
        eventType: 'loan.balance.changed',
        data: {
          cause: ledgerEvent.cause,
          balances: balances(ledgerEvent.balances),
          previousBalances: balances(ledgerEvent.previousBalances),
        },
      };
    case 'statusChanged':
      return {
        eventType: 'loan.statuschanged',
        data: {
          oldStatus: ledgerEvent.oldStatus,
          newStatus: ledgerEvent.newStatus,
          reason: context.reason,
          effectiveAt: dateTimeText(effectiveAt),
          effectiveDate: dateText(ledgerEvent.day),
          caseId: context.caseId,
        },
      };
  }
}

type FeeNamed = Extract<LineLedgerEvent, { readonly type: 'feeCanceled' | 'feeChanged' }>;

function feeNamed(
  { feeTypeId, obligation, fee }: Pick<FeeNamed, 'feeTypeId' | 'obligation' | 'fee'>,
  { state, env, chargedFee }: EventContext,
): EventDraft['data'] {
  return { feeId: obligation === null ? (chargedFee(fee ?? 0)?.id ?? null) : lateFeeId(env, state, feeTypeId, obligation), feeTypeId };
}

/** The draw that bears a fee; null for a fee of the loan. */
const drawOfFee = ({ fee }: FeeNamed, { state, chargedFee }: EventContext): string | null =>
  drawIdOf(state, (fee === null ? undefined : chargedFee(fee))?.draw ?? null);

type CapitalizedFee = Extract<LineLedgerEvent, { readonly type: 'feeCapitalized' }>['of'];

/** Fees of the line or a draw itself have no fee type. */
function capitalizedFee(fee: CapitalizedFee, context: EventContext): EventDraft['data'] {
  const { state, env } = context;
  const draw = fee.origin === 'draw' && fee.draw !== null ? state.draws[fee.draw - 1] : undefined;
  if (draw !== undefined) return { feeId: drawFeeId(env, state, draw), feeTypeId: null };
  return fee.origin === 'origination' ? { feeId: originationFeeId(env, state), feeTypeId: null } : feeNamed(fee, context);
}

type BalanceTotals = Extract<LineLedgerEvent, { readonly type: 'balanceChanged' }>['balances'];

const balances = (totals: BalanceTotals): Readonly<Record<string, unknown>> => ({
  principal: amount(totals.principalCents),
  interest: amount(totals.interestCents),
  fees: amount(totals.feesCents),
  total: amount(totals.totalCents),
  overdue: amount(totals.overdueCents),
});
