import { addDays, type Day, type EffectiveTime, must, type OpenRow } from '../../../../engine/index.js';
import { refuse } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { type DateText, dayOfText } from '../../../wire.js';
import type { LoanState } from '../../state.js';
import { requireUses, toolDecision } from '../decision.js';
import { datesAfter, onBusinessDays } from '../due-dates.js';
import type { DeferDueDateRequest } from '../types.js';
import { beginTool, refuseDay, requireTerms, scheduleNow, type ScheduleNow } from '../schedule-now.js';
import { DEFERRAL_TYPES } from '../state.js';

/** `PUT L/expected-payments/defer-due-date`: one payment moves to a later due date or after the last. */
export const deferDueDate: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.deferDueDate',
  place: { on: 'target' },
  decide(context) {
    const request = beginTool<DeferDueDateRequest>(context);
    const now = scheduleNow(context);
    requireTerms(now);
    requireUses(context, now, DEFERRAL_TYPES, now.product.limits.maxDeferralsPerYear);
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

/** The last moment before the payment fell due: from there on the loan is computed again. */
const before = (dueDay: Day): EffectiveTime => ({ day: addDays(dueDay, -1), seconds: LAST_SECOND });
const LAST_SECOND = 86_399;

/** A row to come, or one that has fallen due and is not paid. */
function existingRow({ ledger, open }: ScheduleNow, day: Day): OpenRow {
  const ordinal = ledger.rows.findIndex((row) => row.date === day && row.isDeferred !== true);
  const row = ledger.rows[ordinal];
  if (row === undefined) return refuseDay('existingDueDate', open);
  if (ordinal >= ledger.nextRow) return row;
  const obligation = ledger.obligations.find((candidate) => candidate.ordinal === ordinal);
  if (obligation !== undefined && !obligation.isFulfilled) return row;
  return refuse('ruleViolation', 'What fell due on the day is paid, or nothing did.', {
    errors: [{ path: 'existingDueDate', expected: 'a due date with something unpaid', message: 'nothing is left to defer' }],
  });
}

function newDayOf({ ledger, open, product }: ScheduleNow, existing: Day, asked: DateText | null): Day {
  const later = open.filter((row) => row.date > existing && row.isDeferred !== true);
  if (asked !== null) return later.find((row) => row.date === dayOfText(asked))?.date ?? refuseDay('newDueDate', later);
  const last = must(ledger.rows.at(-1), 'a schedule has rows').date;
  return must(onBusinessDays(datesAfter(ledger.dueDateRule, last, 1), product.schedule)[0], 'a date follows');
}
