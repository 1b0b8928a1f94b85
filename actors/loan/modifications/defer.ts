import { addDays, type Day, type EffectiveTime, must, type OpenRow } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import { type DateText, dayOfText, orNull } from '../../wire.js';
import { beginAction } from '../commands/order.js';
import { recordOf } from '../context.js';
import { deferredBalances } from '../line/modifications.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import {
  beginTool,
  datesAfter,
  keptTerm,
  onBusinessDays,
  refuseDay,
  requireTerms,
  requireUses,
  rowsFrom,
  scheduleNow,
  type ScheduleNow,
  toolDecision,
  simulatedSchedule,
} from './schedule-now.js';
import { DEFERRAL_TYPES } from './state.js';
import type { DeferDueDateRequest, DeferScheduleRequest } from './types.js';

/** `PUT L/expected-payments/defer-due-date`: moves one payment to a later due date, or to one after the last. */
export const deferDueDate: CommandSpec<LoanState, DeferDueDateRequest> = {
  kind: 'loan',
  type: 'loan.deferDueDate',
  place: { on: 'target' },
  decide(context) {
    const request = beginTool(context);
    const now = scheduleToDefer(context);
    const existing = existingRow(now, dayOfText(request.existingDueDate));
    const newDay = newDayOf(now, existing.date, request.newDueDate ?? null);
    const use = {
      tool: 'duedate.defer',
      terms: { type: 'deferDueDate', existingDay: existing.date, newDay },
      change: { type: 'dueDateDeferred', dueDay: existing.date, newDay },
    } as const;
    return toolDecision(context, request, now, existing.date > now.today ? use : { ...use, effective: before(existing.date) });
  },
};

/** The schedule, where another deferral is allowed. */
function scheduleToDefer(context: CommandContext<LoanState>): ScheduleNow {
  const now = scheduleNow(context);
  requireTerms(now);
  requireUses(context, now, DEFERRAL_TYPES, now.product.limits.maxDeferralsPerYear);
  return now;
}

/** The last moment before the payment falls due. The loan is computed again from then on. */
const before = (dueDay: Day): EffectiveTime => ({ day: addDays(dueDay, -1), seconds: LAST_SECOND });
const LAST_SECOND = 86_399;

/** A coming row, or an unpaid one that has fallen due. */
function existingRow({ ledger, open }: ScheduleNow, day: Day): OpenRow {
  const ordinal = ledger.rows.findIndex((row) => row.date === day && row.isDeferred !== true);
  const row = ledger.rows[ordinal];
  if (row === undefined) return refuseDay('existingDueDate', open);
  if (ordinal >= ledger.nextRow) return row;
  const obligation = ledger.obligations.find((candidate) => candidate.ordinal === ordinal);
  if (obligation !== undefined && !obligation.isFulfilled) return row;
  return refuse('ruleViolation', 'Nothing is unpaid on `existingDueDate`.', {
    errors: [{ path: 'existingDueDate', expected: 'a due date with something unpaid', message: 'nothing is left to defer' }],
  });
}

function newDayOf({ ledger, open, product }: ScheduleNow, existing: Day, asked: DateText | null): Day {
  const later = open.filter((row) => row.date > existing && row.isDeferred !== true);
  if (asked !== null) return later.find((row) => row.date === dayOfText(asked))?.date ?? refuseDay('newDueDate', later);
  const last = must(ledger.rows.at(-1), 'a schedule has rows').date;
  return must(onBusinessDays(datesAfter(ledger.dueDateRule, last, 1), product.schedule)[0], 'a date follows');
}

/** `PUT L/expected-payments/defer-schedule`: moves the due dates from a given one on by some days and computes their amounts again. */
export const deferSchedule: CommandSpec<LoanState, DeferScheduleRequest> = {
  kind: 'loan',
  type: 'loan.deferSchedule',
  place: { on: 'target' },
  decide(context) {
    const request = beginTool(context);
    const now = scheduleToDefer(context);
    const { days } = request;
    const rows = rowsFrom(now, 'startDueDate', orNull(dayOfText, request.startDueDate));
    const startDay = must(rows[0], 'a due date to move').date;
    const change = {
      type: 'scheduleChanged',
      from: startDay,
      dueDates: onBusinessDays(
        rows.map((row) => addDays(row.date, days)),
        now.product.schedule,
      ),
      payment: { type: 'level' },
      rowTerms: rows.map(keptTerm),
    } as const;
    simulatedSchedule(now, change, 'days');
    const terms = { type: 'deferSchedule', startDay, days, numberOfPeriods: rows.length } as const;
    return toolDecision(context, request, now, { tool: 'schedule.defer', terms, change });
  },
};

/** `POST L/defer-remaining-balances`: only for lines of credit. */
export const deferRemainingBalances: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'loan.deferRemainingBalances',
  place: { on: 'target' },
  decide(context) {
    if (recordOf(context.state).type === 'lineOfCredit') return deferredBalances(context, beginAction(context, 'deferBalances'));
    beginTool(context);
    return refuse('ruleViolation', 'Only a line of credit can defer its remaining balances.', {
      errors: [{ path: 'type', expected: 'lineOfCredit', message: 'the loan is an installment loan' }],
    });
  },
};
