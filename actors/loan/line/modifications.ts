import { addDays, linePeriodsOf, type LineSchedule, type LineState, must, runningPeriod } from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, Decision } from '../../kernel/actor.js';
import { dateText } from '../../wire.js';
import { refuseFaults } from '../commands/update.js';
import { loanTypeOf, todayOf } from '../context.js';
import { requireUses, toolDecision, type ToolNow } from '../modifications/schedule-now.js';
import type { ChangeDueDatesRequest } from '../modifications/types.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { productOn } from '../transactions/moves.js';
import { lineOfCredit } from './ledger.js';
import { readLineDays } from './read-terms.js';
import { daysOfSchedule, lineScheduleFaults, lineScheduleOf } from './schedule.js';

type Context<Body = unknown> = CommandContext<LoanState, Body>;

interface LineNow extends ToolNow {
  readonly ledger: LineState;
}

/** `POST L/defer-remaining-balances`: due and overdue balances become non-due; their interest and fees become principal. */
export const deferredBalances = (context: Context, request: ActionRequest): Decision<LoanState> =>
  toolDecision(context, request, lineNow(context), {
    tool: null,
    terms: { type: 'deferRemainingBalances' },
    change: { type: 'balancesDeferred' },
  });

/** `PUT L/expected-payments` of a line: its dates change from the next period on. Amounts follow from the balance. */
export function changedLineDates(context: Context, request: ChangeDueDatesRequest): Decision<LoanState> {
  const now = lineNow(context);
  const schedule = scheduleAsked(context, now, request);
  requireUses(context, now, ['changeDueDates'], now.product.limits.maxDueDateChangesPerYear);
  const running = runningPeriod(now.ledger);
  const first = must(linePeriodsOf({ ...now.ledger, schedule }, running.statementDate).at(-1), 'a period follows').dueDay;
  const least = addDays(running.dueDate, now.product.schedule.minDaysToFirstDueDate);
  if (first < least) {
    refuse('ruleViolation', 'The first new due date is too soon.', {
      errors: [
        {
          path: 'specificDays',
          expected: `a first new due date on ${dateText(least)} or later`,
          message: `it would be ${dateText(first)}`,
        },
      ],
    });
  }
  const { paymentFrequency: dueDatesFrequency, specificDays } = daysOfSchedule(schedule);
  const terms = { type: 'changeDueDates', dueDatesFrequency, specificDays, firstDay: first } as const;
  return toolDecision(context, request, now, { tool: 'change.duedates', terms, change: { type: 'lineScheduleChanged', schedule } });
}

function lineNow({ state, env }: Context): LineNow {
  const today = todayOf(env, state);
  return { today, ledger: lineOfCredit.runningOn(state, env, today), product: productOn(state, env, today) };
}

function scheduleAsked(
  { state, env }: Context,
  { product }: LineNow,
  { dueDatesFrequency, specificDays }: ChangeDueDatesRequest,
): LineSchedule {
  if (dueDatesFrequency === 'singleTerm') refuse('ruleViolation', 'A line of credit cannot have a single due date.');
  if (!product.schedule.allowedFrequencies.includes(dueDatesFrequency)) {
    refuse('ruleViolation', `The line cannot have the frequency ${dueDatesFrequency}.`, {
      errors: [
        { path: 'dueDatesFrequency', expected: product.schedule.allowedFrequencies.join(', '), message: 'not possible for this line' },
      ],
    });
  }
  const settings = currentSettings(loanTypeOf(env, state));
  const days = specificDays == null ? null : specificDays.map(String);
  const asked = {
    paymentFrequency: dueDatesFrequency,
    specificDays: readLineDays({ paymentFrequency: dueDatesFrequency, specificDays: days }) ?? days,
  };
  const faults = lineScheduleFaults(asked, settings);
  if (faults.length > 0) refuseFaults(faults.map((fault) => ({ ...fault, path: fault.path.replace('atOrigination.', '') })));
  return lineScheduleOf(asked, settings, todayOf(env, state));
}
