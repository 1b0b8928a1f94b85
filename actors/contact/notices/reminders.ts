import { addBusinessDays, addDays, type Day, formatDay, implicitTheme, isCollections, must } from '../../../engine/index.js';
import type { PersonState } from '../../borrower/index.js';
import {
  companyOf,
  type CompanyState,
  morningOf,
  REMIND_LOAN,
  type Reminder,
  type ReminderRecord,
  remindersInForce,
  remindersOf,
  workCalendarOf,
} from '../../company/index.js';
import type { CommandSpec } from '../../kernel/actor.js';
import {
  autopayPlanOf,
  isPromiseKept,
  type LoanOverdue,
  type LoanState,
  overdueToday,
  recordOf,
  statusOf,
  upToDate,
} from '../../loan/index.js';
import type { ReminderOfDay } from '../interactions/index.js';
import { directedToPeople } from './directed.js';
import { type Notice, type NoticeEnv, noticePlanned, type Withheld, withheld } from './plan.js';
import { notifyOfPrivacy } from './privacy.js';
import { type Anchor, ANCHORS } from './reminder-days.js';

/** What reminders look at. Several of a loan compute once what is overdue of it. */
export class LookedAt {
  #overdue: LoanOverdue | null | undefined;
  readonly state: LoanState;
  readonly person: PersonState | undefined;

  constructor(
    state: LoanState,
    readonly env: NoticeEnv,
  ) {
    this.state = upToDate(state, env);
    this.person = env.read<PersonState>('person', recordOf(state).personId);
  }

  overdue = (): LoanOverdue | null => (this.#overdue ??= overdueToday(this.state, this.env));
}
/** The day on which a configuration falls for a date: business days count by the company's calendar. */
function dayFor(anchor: Day, { day, dayType }: Reminder, company: CompanyState): Day {
  return dayType === 'calendar' ? addDays(anchor, day) : addBusinessDays(anchor, day, workCalendarOf(company));
}

/** What a configuration does for a loan on a day: the notice that it sends, or why it sends none. Changes nothing. */
export function judged(
  { env, state, person, overdue }: LookedAt,
  { stored: reminder }: ReminderRecord,
  today: Day,
): { readonly notice: Notice } | Withheld {
  const status = statusOf(state);
  const isOfDebt = isCollections(must(implicitTheme(reminder.subject), `${reminder.subject} says its theme`));
  if (status !== 'active' && !(status === 'accelerated' && isOfDebt)) return withheld(`The loan is ${status}.`);
  if (person === undefined) return withheld('The borrower is not there any more.');
  if (isOfDebt && isPromiseKept(state)) return withheld('The borrower keeps a promise to pay.');
  const isPaidByItself = autopayPlanOf(state)?.status === 'active';
  if (isPaidByItself && REPLACED_BY_AUTOPAY.has(reminder.subject)) return withheld('Automatic payments are on.');
  const found = ANCHORS[reminder.trigger]({ state, person, env, reminder, today, overdue });
  if ('reason' in found) return found;
  const anchor = anchorOf([found].flat(), reminder, companyOf(env, env.tenant), today);
  if ('reason' in anchor) return anchor;
  const { subject, channels } = reminder;
  return { notice: { subject, channels, context: anchor.context(), loanId: state.id, caseId: null } };
}

/**
 * The one whose day has come. A loan brings one message of a subject a day: of several, it is about the earliest payment or card. Else the
 * day on which the next one falls, or the last one fell.
 */
function anchorOf(anchors: readonly Anchor[], reminder: Reminder, company: CompanyState, today: Day): Anchor | Withheld {
  const sorted = anchors
    .map((anchor) => ({ anchor, on: dayFor(anchor.day, reminder, company) }))
    .sort((a, b) => a.anchor.day - b.anchor.day);
  const next = sorted.find(({ on }) => on >= today) ?? must(sorted.at(-1), 'a trigger without a day says why');
  return next.on === today ? next.anchor : withheld(`It falls on ${formatDay(next.on)}.`);
}

const REPLACED_BY_AUTOPAY: ReadonlySet<string> = new Set(['paymentDueDateReminder', 'autopayEnableReminder', 'loginFirstPaymentReminder']);

/** What a day's work does for one loan. */
interface RemindBody {
  readonly day: Day;
}

/** Whether a reminder that was planned for a day would be planned again. */
export function isStillDue(env: NoticeEnv, loanId: string, { id, day }: ReminderOfDay): boolean {
  const state = env.read<LoanState>('loan', loanId);
  const reminder = remindersOf(companyOf(env, env.tenant)).get(id);
  return state?.record != null && reminder?.stored.status === 'active' && 'notice' in judged(new LookedAt(state, env), reminder, day);
}

/** The command of mass work that each loan of a loan type gets in the morning. */
const remindLoan: CommandSpec<LoanState, RemindBody> = {
  kind: 'loan',
  type: REMIND_LOAN,
  place: { on: 'target' },
  decide({ state, env, body }) {
    const { day } = body;
    const reminders = remindersInForce(companyOf(env, env.tenant), recordOf(state).loanTypeId);
    const lookedAt = new LookedAt(state, env);
    const { person } = lookedAt;
    const facts = reminders.flatMap((reminder) => {
      const verdict = judged(lookedAt, reminder, day);
      if (!('notice' in verdict) || person === undefined) return [];
      const notice: Notice = { ...verdict.notice, sendAt: morningOf(day), reminder: { id: reminder.id, day } };
      return [...noticePlanned(env, person, notice, 'reminder'), ...directedToPeople(env, state, notice, 'reminder')];
    });
    return { facts, reply: () => ({ data: undefined }) };
  },
};

export const reminderCommandsOfLoans: readonly CommandSpec<LoanState>[] = [remindLoan, notifyOfPrivacy];
