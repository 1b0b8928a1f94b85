import { type Cents, type Day, instantAt, type LineHappening } from '../../engine/index.js';
import type { EvolveEnv } from '../kernel/actor.js';
import type { EventDraft } from '../kernel/fact.js';
import { fieldChanges } from '../kernel/field-changes.js';
import { amount, dateText, dateTimeText, timeOfDay } from '../wire.js';
import { recordOf } from './context.js';
import { aboutDraw, describeDraw, type DrawHappening, isOfDraw } from './draws/events.js';
import { drawIdOf } from './draws/find.js';
import { drawFeeId, lateFeeId, obligationId, originationFeeId, periodId } from './derived-ids.js';
import type { LoanState } from './state.js';

/** What an event knows beyond what happened: how things stood before, and what the fact said. */
export interface EventContext {
  readonly state: LoanState;
  readonly env: EvolveEnv;
  readonly isReplay: boolean;
  readonly caseId: string | null;
  readonly reason: string | null;
  /** Of the obligations before and after, by ordinal. */
  readonly obligationBefore: (ordinal: number) => ObligationStatus | null;
  readonly obligationDue: (ordinal: number) => { readonly dueDay: Day; readonly amountCents: Cents } | null;
  readonly daysOverdueBefore: number;
  readonly principalCents: Cents;
  /** Id of a fee charged by hand. */
  readonly chargedFeeId: (fee: number) => string | null;
}

export type ObligationStatus = 'open' | 'unfulfilled' | 'overdue' | 'fulfilled';

export function obligationStatus(flags: { readonly isFulfilled: boolean; readonly isOverdue: boolean }): ObligationStatus {
  if (flags.isFulfilled) return 'fulfilled';
  return flags.isOverdue ? 'overdue' : 'unfulfilled';
}

/** An event about the loan itself; names and keys are those of platform.md 3. */
export function loanEvent(state: LoanState, eventType: string, data: EventDraft['data'], occurredAt?: number): EventDraft {
  const { personId, externalId } = recordOf(state);
  const { drawId } = data;
  const refs = typeof drawId === 'string' ? { loanId: state.id, personId, drawId } : { loanId: state.id, personId };
  const externalIds = { loanId: externalId };
  return occurredAt === undefined
    ? { eventType, objectType: 'loan', objectId: state.id, refs, externalIds, data }
    : { eventType, objectType: 'loan', objectId: state.id, refs, externalIds, data, occurredAt };
}

/** The event of the contract for something that the ledger reports. */
export function eventOf(happening: LineHappening, context: EventContext): EventDraft | null {
  const { state } = context;
  const occurredAt = instantAt(recordOf(state).zone, happening.day, timeOfDay(happening.seconds));
  const described = isOfDraw(happening) ? describeDraw(happening, state, context.env) : describe(happening, context, occurredAt);
  if (described === null) return null;
  const { eventType, data } = described;
  const flagged = context.isReplay ? { ...data, isReplay: true } : data;
  const event = loanEvent(state, eventType, flagged, occurredAt);
  return isOfDraw(happening) ? aboutDraw(event, state, happening.draw) : event;
}

export interface Described {
  readonly eventType: string;
  readonly data: EventDraft['data'];
}

function describe(happening: Exclude<LineHappening, DrawHappening>, context: EventContext, occurredAt: number): Described {
  const { state, env } = context;
  switch (happening.type) {
    case 'periodStarted':
      return {
        eventType: 'loan.period.started',
        data: {
          periodId: periodId(env, state, happening.period),
          startDate: dateText(happening.startDate),
          endDate: dateText(happening.endDate),
          dueDate: dateText(happening.dueDate),
        },
      };
    case 'obligationStatusChanged': {
      const due = context.obligationDue(happening.obligation);
      return {
        eventType: 'loan.obligation.statuschanged',
        data: {
          obligationId: obligationId(env, state, happening.obligation),
          oldStatus: context.obligationBefore(happening.obligation),
          newStatus: obligationStatus(happening),
          isOpen: happening.isOpen,
          dueDate: due === null ? null : dateText(due.dueDay),
          amount: due === null ? null : amount(due.amountCents),
        },
      };
    }
    case 'overdue':
    case 'overdueUpdate':
      return {
        eventType: happening.type === 'overdue' ? 'loan.overdue' : 'loan.overdue.update',
        data: {
          daysOverdue: happening.daysOverdue,
          overdueAmount: amount(happening.overdueCents),
          overdueSinceDate: dateText(happening.overdueSince),
          oldestObligationId: obligationId(env, state, happening.oldestObligation),
        },
      };
    case 'current':
      return {
        eventType: 'loan.current',
        data: { becameCurrentDate: dateText(happening.day), previousDaysOverdue: context.daysOverdueBefore },
      };
    case 'lateFeeBooked':
      return {
        eventType: 'loan.latefee.booked',
        data: {
          feeId: lateFeeId(env, state, happening.feeTypeId, happening.obligation),
          feeTypeId: happening.feeTypeId,
          amount: amount(happening.amountCents),
          effectiveDate: dateText(happening.day),
          drawId: null,
        },
      };
    case 'feeCanceled':
      return {
        eventType: 'loan.fee.canceled',
        data: {
          ...feeNamed(happening, context),
          amount: amount(happening.amountCents),
          effectiveDate: dateText(happening.day),
          drawId: null,
          reason: context.reason,
        },
      };
    case 'feeChanged':
      return {
        eventType: 'loan.fee.changed',
        data: {
          ...feeNamed(happening, context),
          amount: amount(happening.amountCents),
          effectiveDate: dateText(happening.day),
          drawId: null,
          changes: fieldChanges({ amount: amount(happening.previousCents) }, { amount: amount(happening.amountCents) }),
        },
      };
    case 'feeCapitalized':
      return {
        eventType: 'loan.fee.capitalized',
        data: {
          ...capitalizedFee(happening.of, context),
          amount: amount(happening.amountCents),
          effectiveDate: dateText(happening.day),
          drawId: drawIdOf(state, happening.of.draw),
        },
      };
    case 'interestCapitalized':
      return {
        eventType: 'loan.interest.capitalized',
        data: {
          amount: amount(happening.amountCents),
          effectiveDate: dateText(happening.day),
          principalAfter: amount(context.principalCents),
        },
      };
    case 'balanceChanged':
      return {
        eventType: 'loan.balance.changed',
        data: {
          cause: happening.cause,
          balances: balances(happening.balances),
          previousBalances: balances(happening.previousBalances),
        },
      };
    case 'statusChanged':
      return {
        eventType: 'loan.statuschanged',
        data: {
          oldStatus: happening.oldStatus,
          newStatus: happening.newStatus,
          reason: context.reason,
          effectiveAt: dateTimeText(occurredAt),
          effectiveDate: dateText(happening.day),
          caseId: context.caseId,
        },
      };
  }
}

type FeeNamed = Extract<LineHappening, { readonly type: 'feeCanceled' | 'feeChanged' }>;

function feeNamed(
  { feeTypeId, obligation, fee }: Pick<FeeNamed, 'feeTypeId' | 'obligation' | 'fee'>,
  { state, env, chargedFeeId }: EventContext,
): EventDraft['data'] {
  return { feeId: obligation === null ? chargedFeeId(fee ?? 0) : lateFeeId(env, state, feeTypeId, obligation), feeTypeId };
}

type CapitalizedFee = Extract<LineHappening, { readonly type: 'feeCapitalized' }>['of'];

/** Fees that came with the line or a draw have no type. */
function capitalizedFee(fee: CapitalizedFee, context: EventContext): EventDraft['data'] {
  const { state, env } = context;
  const draw = fee.origin === 'draw' && fee.draw !== null ? state.draws[fee.draw - 1] : undefined;
  if (draw !== undefined) return { feeId: drawFeeId(env, state, draw), feeTypeId: null };
  return fee.origin === 'origination' ? { feeId: originationFeeId(env, state), feeTypeId: null } : feeNamed(fee, context);
}

type BalanceTotals = Extract<LineHappening, { readonly type: 'balanceChanged' }>['balances'];

const balances = (totals: BalanceTotals): Readonly<Record<string, unknown>> => ({
  principal: amount(totals.principalCents),
  interest: amount(totals.interestCents),
  fees: amount(totals.feesCents),
  total: amount(totals.totalCents),
  overdue: amount(totals.overdueCents),
});
