import { addDays, must } from '../../../../engine/index.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { dayOfText, orNull } from '../../../wire.js';
import type { LoanState } from '../../state.js';
import { requireUses, toolDecision } from '../decision.js';
import { onBusinessDays } from '../due-dates.js';
import type { DeferScheduleRequest } from '../types.js';
import { keptTerm } from '../row-terms.js';
import { beginTool, requireTerms, rowsFrom, scheduleNow, tried } from '../schedule-now.js';
import { DEFERRAL_TYPES } from '../state.js';

/** `PUT L/expected-payments/defer-schedule`: due dates from a given one on move by a number of days; their amounts are computed again. */
export const deferSchedule: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.deferSchedule',
  place: { on: 'target' },
  decide(context) {
    const request = beginTool<DeferScheduleRequest>(context);
    const now = scheduleNow(context);
    requireTerms(now);
    requireUses(context, now, DEFERRAL_TYPES, now.product.limits.maxDeferralsPerYear);
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
    tried(now, change, 'days');
    const terms = { type: 'deferSchedule', startDay, days, numberOfPeriods: rows.length } as const;
    return toolDecision(context, request, now, { tool: 'schedule.defer', terms, change });
  },
};
