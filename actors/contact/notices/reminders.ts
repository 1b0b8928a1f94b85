import {
  addBusinessDays,
  addDays,
  type Cents,
  type Day,
  day as dayOf,
  formatDay,
  isCollections,
  implicitTheme,
  must,
  parseDay,
  rightToCureIn,
  cents,
} from '../../../engine/index.js';
import { homeAddressOf, type Instrument, type PersonState, type PortalUserState, withSecretsOpen } from '../../borrower/index.js';
import {
  companyOf,
  type CompanyState,
  morningOf,
  REMIND_LOAN,
  REMINDER_ZONE,
  type Reminder,
  type ReminderRecord,
  remindersInForce,
  remindersOf,
  workCalendarOf,
} from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandSpec, DecideEnv, QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../list-order.js';
import {
  activationOf,
  autopayPlanOf,
  isPromiseKept,
  type LoanOverdue,
  type LoanState,
  nextAutopayAmount,
  overdueToday,
  recordOf,
  statusOf,
} from '../../loan/index.js';
import { amount, type DateText, dateText, dayOfText, type ListResult } from '../../wire.js';
import { methodOf } from './loan-notices.js';
import type { ReminderOfDay } from '../interactions/index.js';
import { directedToPeople } from './directed.js';
import { type Notice, noticePlanned } from './plan.js';
import { notifyOfPrivacy } from './privacy.js';

type Context = Readonly<Record<string, unknown>>;
type Env = DecideEnv | QueryEnv;

/** What a trigger counts from, and what its template reads; computed only when the day has come. */
interface Anchor {
  readonly day: Day;
  context(): Context;
}

/** What a reminder looks at. */
interface Asked {
  readonly state: LoanState;
  readonly person: PersonState;
  readonly env: Env;
  readonly reminder: Reminder;
  readonly today: Day;
  readonly overdue: () => LoanOverdue | null;
}

/** What reminders look at. Several of a loan compute once what is overdue of it. */
class LookedAt {
  #overdue: LoanOverdue | null | undefined;
  readonly person: PersonState | undefined;

  constructor(
    readonly state: LoanState,
    readonly env: Env,
  ) {
    this.person = env.read<PersonState>('person', recordOf(state).personId);
  }

  overdue = (): LoanOverdue | null => (this.#overdue ??= overdueToday(this.state, this.env));
}

/** Why a loan is not reminded. */
interface Silent {
  readonly reason: string;
}

type Judged = { readonly notice: Notice } | Silent;

const silent = (reason: string): Silent => ({ reason });

/** The days from which each trigger counts. */
const ANCHORS: Readonly<Record<Reminder['trigger'], (asked: Asked) => Anchor | Silent>> = {
  expectedPayment: dueDate,
  loginFirstPayment(asked) {
    if (activationOf(asked.state)?.summary.fallenDueDay != null) return silent('The first due date has passed.');
    return hasSignedIn(asked) ? silent('The borrower has signed in already.') : dueDate(asked);
  },
  autopayExpectedPayment: autopayDate,
  autopayFirstPayment: (asked) =>
    (autopayPlanOf(asked.state)?.payments.length ?? 0) > 0 ? silent('The first automatic payment was made.') : autopayDate(asked),
  autopayExpectedPaymentChangedAmount: changedAmount,
  futurePayment({ state }) {
    const [next] = state.transactions
      .scheduled()
      .filter(({ autopayPlanId, transactionType }) => autopayPlanId === null && transactionType === 'payment');
    if (next === undefined) return silent('No payment is scheduled.');
    return {
      day: next.scheduledDay,
      context: () => ({ paymentAmount: amount(next.scheduledCents), paymentDate: dateText(next.scheduledDay) }),
    };
  },
  cardExpiration: cardExpiry,
  loanOverdue: overdueSince,
  loanRightToCure(asked) {
    const { person, env, today } = asked;
    const right = rightToCureIn(homeAddressOf(env, person)?.state ?? null);
    if (right === null) return silent('The law of the borrower’s state gives no right to cure.');
    const anchor = overdueSince(asked);
    return 'reason' in anchor
      ? anchor
      : { ...anchor, context: () => ({ ...anchor.context(), cureByDate: dateText(addDays(today, right.days)) }) };
  },
  promoProgramEnd(asked) {
    const ends = activePromos(asked).map(({ endDay }) => endDay);
    return ends.length === 0 ? silent('No promotional program is active.') : { day: dayOf(Math.min(...ends)), context: () => ({}) };
  },
  promoProgramAtRisk: (asked) => (activePromos(asked).length === 0 ? silent('No promotional program is active.') : overdueSince(asked)),
};

const hasSignedIn = ({ person, env }: Asked): boolean =>
  person.userId !== null && env.read<PortalUserState>('portalUser', person.userId)?.hasSignedIn === true;

const activePromos = ({ state }: Asked): LoanState['promoPrograms'] => state.promoPrograms.filter(({ status }) => status === 'active');

function dueDate({ overdue }: Asked): Anchor | Silent {
  const { nextDueDate = null, nextDueCents = null } = overdue() ?? {};
  if (nextDueDate === null) return silent('No payment is to come.');
  return {
    day: nextDueDate,
    context: () => ({ paymentAmount: nextDueCents === null ? null : amount(nextDueCents), paymentDueDate: dateText(nextDueDate) }),
  };
}

function overdueSince({ overdue, reminder }: Asked): Anchor | Silent {
  const found = overdue();
  if (found === null || found.overdueSince === null || !found.isOverdue) return silent('Nothing is overdue.');
  const { overdueSince: day, overdueCents, daysOverdue } = found;
  if (overdueCents < (reminder.minOverdueCents ?? 0)) return silent('Less is overdue than the configuration asks for.');
  return { day, context: () => ({ overdueAmount: amount(overdueCents), daysOverdue, paymentDueDate: dateText(day) }) };
}

function autopayDate({ state, env }: Asked): Anchor | Silent {
  const plan = autopayPlanOf(state);
  if (plan?.nextDay == null) return silent('No automatic payment is to come.');
  const { nextDay, instrument } = plan;
  return {
    day: nextDay,
    context: () => ({ ...paymentOf(nextAutopayAmount(state, env)), paymentDate: dateText(nextDay), ...methodOf(env, instrument) }),
  };
}

const paymentOf = (payment: Cents | null): Context => ({ paymentAmount: payment === null ? null : amount(payment) });

/** Lines are left out: what they take is final once the statement is there. */
function changedAmount({ state, env, reminder: { changePercent } }: Asked): Anchor | Silent {
  if (recordOf(state).type === 'lineOfCredit') return silent('The automatic payments of a line of credit are final after the statement.');
  const plan = autopayPlanOf(state);
  const before = plan?.payments.at(-1)?.amountCents;
  if (plan?.nextDay == null || before === undefined) return silent('There is no automatic payment to compare with.');
  const next = nextAutopayAmount(state, env);
  if (next === null || next * 100 <= before * (100 + changePercent)) return silent('The amount has not risen.');
  const { nextDay } = plan;
  return {
    day: nextDay,
    context: () => ({ ...paymentOf(next), extraCharge: amount(cents(next - before)), paymentDueDate: dateText(nextDay) }),
  };
}

function cardExpiry({ person, env }: Asked): Anchor | Silent {
  const cards = person.instruments.filter(({ instrumentType, status }) => instrumentType === 'card' && status === 'active');
  const expiries = cards.flatMap((card) => {
    const { expirationMonth, expirationYear } = card.details;
    return expirationMonth === undefined || expirationYear === undefined ? [] : [{ card, day: lastDayOf(expirationYear, expirationMonth) }];
  });
  const [next] = expiries.sort((a, b) => a.day - b.day);
  if (next === undefined) return silent('The borrower has no card on file.');
  const { expirationMonth, expirationYear } = next.card.details;
  return { day: next.day, context: () => ({ cardLastFour: lastFourOf(env, person, next.card), expirationMonth, expirationYear }) };
}

const lastDayOf = (year: number, month: number): Day => {
  const following = month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`;
  return addDays(must(parseDay(following), 'the first day of a month'), -1);
};

const lastFourOf = (env: Env, person: PersonState, card: Instrument): string | null =>
  withSecretsOpen(env, person.id, card).details.cardNumberLastFour ?? null;

/** The day on which a configuration falls for a date: business days count by the company's calendar. */
function dayFor(anchor: Day, { day, dayType }: Reminder, company: CompanyState): Day {
  return dayType === 'calendar' ? addDays(anchor, day) : addBusinessDays(anchor, day, workCalendarOf(company));
}

/** What a configuration does for a loan on a day: the notice that it sends, or why it sends none. Changes nothing. */
function judged({ env, state, person, overdue }: LookedAt, { stored: reminder }: ReminderRecord, today: Day): Judged {
  const status = statusOf(state);
  const isOfDebt = isCollections(must(implicitTheme(reminder.subject), `${reminder.subject} says its theme`));
  if (status !== 'active' && !(status === 'accelerated' && isOfDebt)) return silent(`The loan is ${status}.`);
  if (person === undefined) return silent('The borrower is not there any more.');
  if (isOfDebt && isPromiseKept(state)) return silent('The borrower keeps a promise to pay.');
  const isPaidByItself = autopayPlanOf(state)?.status === 'active';
  if (isPaidByItself && REPLACED_BY_AUTOPAY.has(reminder.subject)) return silent('Automatic payments are on.');
  const anchor = ANCHORS[reminder.trigger]({ state, person, env, reminder, today, overdue });
  if ('reason' in anchor) return anchor;
  const on = dayFor(anchor.day, reminder, companyOf(env, env.tenant));
  if (on !== today) return silent(`It falls on ${formatDay(on)}.`);
  const { subject, channels } = reminder;
  return { notice: { subject, channels, context: anchor.context(), loanId: state.id, caseId: null } };
}

const REPLACED_BY_AUTOPAY: ReadonlySet<string> = new Set(['paymentDueDateReminder', 'autopayEnableReminder', 'loginFirstPaymentReminder']);

/** What a day's work does for one loan. */
export interface RemindBody {
  readonly day: Day;
}

/** Whether a reminder that was planned for a day would be planned again. */
export function isStillDue(env: Env, loanId: string, { id, day }: ReminderOfDay): boolean {
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

/** `POST .../notifications/{notificationId}/preview`. */
export interface ReminderPreviewQuery extends PageQuery {
  /** Default: today. */
  readonly date?: DateText;
}

/** A loan of the loan type, and what the day would bring it. */
export interface ReminderPreviewView {
  readonly loanId: string;
  readonly personId: string;
  readonly isHit: boolean;
  /** Why nothing is sent; null where something is. */
  readonly reason: string | null;
  readonly channels: readonly string[];
}

/** The borrowers that a configuration would remind on a day, and why not the others: a page of the loans of its type. Sends nothing. */
const previewReminder: QuerySpec<LoanState, ReminderPreviewQuery> = {
  kind: 'loan',
  type: 'reminder.preview',
  on: 'tenant',
  read({ query, request, env }): ListResult<ReminderPreviewView> {
    const id = request.params['notificationId'] ?? '';
    const reminder = remindersOf(companyOf(env, env.tenant)).get(id) ?? refuse('notFound', `There is no notification ${id}.`);
    const { date, limit = DEFAULT_LIMIT, startingAfter, endingBefore } = query;
    const today = env.today(REMINDER_ZONE);
    const day = date === undefined ? today : dayOfText(date);
    if (day < today) refuseProperty('date', `${formatDay(today)} or later`, 'What was sent on past days is in the list of interactions.');
    const page = env.list('loan', {
      limit,
      ...(startingAfter === undefined ? {} : { startingAfter }),
      ...(endingBefore === undefined ? {} : { endingBefore }),
      matches: ({ fields }) => fields['loanTypeId'] === reminder.stored.productId && IN_SERVICE.has(fields['status']),
    });
    const items = page.rows.map((row) => {
      const state = must(env.stateOf<LoanState>('loan', row.id), `the listed loan ${row.id}`);
      const verdict =
        reminder.stored.status === 'active' ? judged(new LookedAt(state, env), reminder, day) : silent('The notification is inactive.');
      const reason = 'reason' in verdict ? verdict.reason : null;
      const channels = 'notice' in verdict ? reminder.stored.channels : [];
      return { loanId: state.id, personId: recordOf(state).personId, isHit: reason === null, reason, channels };
    });
    return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
  },
};

const IN_SERVICE: ReadonlySet<unknown> = new Set(['active', 'accelerated']);

export const reminderQueriesOfLoans: readonly QuerySpec<LoanState>[] = [previewReminder];
