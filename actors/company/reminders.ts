import type { tags } from 'typia';
import { addDays, type Cents, civil, type Day, dayAt, instantAt, type SendableChannel, type Subject } from '../../engine/index.js';
import { checkAll, refuseProperty } from '../errors.js';
import type { AgendaEntry, CommandSpec } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import type { MassOrder } from '../kernel/jobs/mass-works.js';
import { operationIdOf } from '../kernel/jobs/operations.js';
import { FOLLOW_CLOCK } from '../kernel/shard/test-clocks.js';
import { type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../kernel/resources/index.js';
import type { OffsetQuery } from '../list-order.js';
import { amount, type Amount, type AnyId, centsOf, type DateTimeText, orNull } from '../wire.js';
import { REMINDER_ZONE } from './directory.js';
import type { CompanyState } from './state.js';
import { templateDescriptorsOf } from './templates/descriptor.js';
import { chooseTemplate } from './templates/selection.js';
import { templateVersionsOf } from './templates/version.js';

/*
 * The repayment engine: what reminds borrowers of which day of a loan. Every morning at 09:00 Pacific time each
 * configuration that is active, and has a template, is evaluated for the loans of its loan type.
 */

/** From which day of a loan a configuration counts. */
type ReminderTrigger =
  | 'autopayFirstPayment'
  | 'autopayExpectedPayment'
  | 'autopayExpectedPaymentChangedAmount'
  | 'cardExpiration'
  | 'expectedPayment'
  | 'futurePayment'
  | 'loginFirstPayment'
  | 'loanOverdue'
  | 'loanRightToCure'
  | 'promoProgramEnd'
  | 'promoProgramAtRisk';

/** What each subject may remind of. */
const TRIGGERS = {
  autopayAmountChanged: ['autopayExpectedPaymentChangedAmount'],
  autopayEnableReminder: ['autopayFirstPayment', 'expectedPayment'],
  autopayPaymentReminder: ['autopayExpectedPayment', 'autopayFirstPayment'],
  cardExpiresReminder: ['cardExpiration'],
  futurepayPaymentDueReminder: ['futurePayment'],
  loanOverdueFirstNotice: ['loanOverdue'],
  loanOverdueSecondNotice: ['loanOverdue'],
  loanOverdueThirdNotice: ['loanOverdue'],
  loanOverdueFourthNotice: ['loanOverdue'],
  loanOverdueFifthNotice: ['loanOverdue'],
  loanOverdueSixthNotice: ['loanOverdue'],
  loanRightToCurePersonalUnsecured: ['loanRightToCure'],
  loginFirstPaymentReminder: ['loginFirstPayment'],
  paymentDueDateReminder: ['expectedPayment'],
  promoProgramReminder: ['promoProgramEnd'],
  promoProgramEligibilityAtRisk: ['promoProgramAtRisk'],
} as const satisfies Partial<Readonly<Record<Subject, readonly ReminderTrigger[]>>>;

type ReminderSubject = keyof typeof TRIGGERS;

export const isReminderSubject = (subject: Subject): boolean => Object.hasOwn(TRIGGERS, subject);

export interface Reminder {
  /** The loan type that it is for. */
  readonly productId: string;
  readonly subject: ReminderSubject;
  readonly trigger: ReminderTrigger;
  /** Days from the trigger's date: negative before it, positive after it. */
  readonly day: number;
  readonly dayType: 'business' | 'calendar';
  readonly channels: readonly SendableChannel[];
  readonly status: 'active' | 'inactive';
  /** Overdue notices alone: less is not written about. */
  readonly minOverdueCents: Cents | null;
  /** Of `autopayExpectedPaymentChangedAmount`: by how many percent the amount must have risen. */
  readonly changePercent: number;
}

const REMINDER_TYPE = 'repaymentNotification';

export type ReminderRecord = ResourceRecord<Reminder>;

/** In the order of their making. */
export const remindersOf = (host: ResourceHost): ReadonlyMap<string, ReminderRecord> =>
  recordsOf<ReminderRecord['stored']>(host, REMINDER_TYPE);

type DayOffset = number & tags.Type<'int32'> & tags.Minimum<-365> & tags.Maximum<365>;
type Channels = readonly SendableChannel[] & tags.MinItems<1> & tags.MaxItems<3>;
type Percent = number & tags.Minimum<0> & tags.Maximum<1000>;

interface ReminderBody {
  readonly dayType?: 'business' | 'calendar';
  readonly channels?: Channels;
  readonly status?: 'active' | 'inactive';
  readonly minOverdueAmount?: Amount | null;
  readonly changePercent?: Percent;
}

export interface ReminderCreateBody extends ReminderBody {
  readonly productId: AnyId;
  readonly subject: ReminderSubject;
  readonly trigger: ReminderTrigger;
  readonly day: DayOffset;
}

export interface ReminderUpdateBody extends ReminderBody {
  readonly trigger?: ReminderTrigger;
  readonly day?: DayOffset;
}

export interface ReminderListQuery extends OffsetQuery {
  readonly productId?: AnyId;
  readonly trigger?: ReminderTrigger;
  readonly subject?: ReminderSubject;
  readonly status?: 'active' | 'inactive';
  readonly dayType?: 'business' | 'calendar';
  readonly sortBy?: readonly string[];
}

export interface ReminderView extends Omit<Reminder, 'minOverdueCents'> {
  readonly id: string;
  readonly object: 'repaymentNotification';
  readonly companyId: string;
  readonly minOverdueAmount: Amount | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export const REMINDER: Declaration<ReminderCreateBody, ReminderUpdateBody, Reminder, CompanyState> = {
  type: REMINDER_TYPE,
  prefix: 'RE',
  param: 'notificationId',
  unique: [],
  create: (
    { productId, subject, trigger, day, dayType = 'calendar', channels = ['email'], status = 'active', ...limits },
    { host, env },
  ) => {
    env.today(REMINDER_ZONE); // the company lives by its calendar from here on
    const { loanTypes } = host;
    const reminder = { productId, subject, trigger, day, dayType, channels, status, ...limitsOf(limits, NO_LIMITS) };
    checkAll([
      () => loanTypes.has(productId) || refuseProperty('productId', 'the id of a loan type', `There is no loan type ${productId}.`),
      () => checked(reminder),
    ]);
    return checked(reminder);
  },
  change: (before, { minOverdueAmount, changePercent, ...body }) =>
    checked({
      ...before,
      ...body,
      ...limitsOf(
        { ...(minOverdueAmount === undefined ? {} : { minOverdueAmount }), ...(changePercent === undefined ? {} : { changePercent }) },
        before,
      ),
    }),
  matches({ stored }, query: ReminderListQuery) {
    const { productId, trigger, subject, status, dayType } = query;
    return (
      (productId === undefined || stored.productId === productId) &&
      (trigger === undefined || stored.trigger === trigger) &&
      (subject === undefined || stored.subject === subject) &&
      (status === undefined || stored.status === status) &&
      (dayType === undefined || stored.dayType === dayType)
    );
  },
  order: (records, sortBy) => sorted(records, sortBy),
  view: ({ minOverdueCents, ...stored }) => ({ ...stored, minOverdueAmount: orNull(amount, minOverdueCents) }),
};

type Limits = Pick<Reminder, 'minOverdueCents' | 'changePercent'>;

const NO_LIMITS: Limits = { minOverdueCents: null, changePercent: 0 };

const limitsOf = (
  { minOverdueAmount, changePercent }: Pick<ReminderBody, 'minOverdueAmount' | 'changePercent'>,
  before: Limits,
): Limits => ({
  minOverdueCents: minOverdueAmount === undefined ? before.minOverdueCents : orNull(centsOf, minOverdueAmount),
  changePercent: changePercent ?? before.changePercent,
});

function checked(reminder: Reminder): Reminder {
  const { subject, trigger, minOverdueCents, changePercent } = reminder;
  const triggers: readonly ReminderTrigger[] = TRIGGERS[subject];
  const isOverdue = trigger === 'loanOverdue' || trigger === 'loanRightToCure';
  checkAll([
    () =>
      triggers.includes(trigger) ||
      refuseProperty('trigger', triggers.join(' or '), `The subject ${subject} has the trigger ${triggers.join(' or ')}.`),
    () =>
      minOverdueCents === null ||
      isOverdue ||
      refuseProperty('minOverdueAmount', 'null', 'Only notices about what is overdue have a least overdue amount.'),
    () =>
      changePercent === 0 ||
      trigger === 'autopayExpectedPaymentChangedAmount' ||
      refuseProperty('changePercent', '0', 'Only a changed amount of autopay has a percentage.'),
  ]);
  return { ...reminder, channels: [...new Set(reminder.channels)] };
}

const SORTED = ['productId', 'subject', 'trigger', 'day', 'status'] as const;

function sorted(records: readonly ReminderRecord[], sortBy: readonly string[]): readonly ReminderRecord[] {
  const keys = sortBy.map((word) => {
    const field = SORTED.find((name) => name === word.replace(/^-/, ''));
    return {
      field: field ?? refuseProperty('sortBy', `${SORTED.join(', ')}, with - for descending`, `Not a field to sort by: ${word}`),
      sign: word.startsWith('-') ? -1 : 1,
    };
  });
  return keys.length === 0
    ? records
    : records.toSorted((a, b) => {
        for (const { field, sign } of keys) {
          const [one, other] = [a.stored[field], b.stored[field]];
          if (one !== other) return one < other ? -sign : sign;
        }
        return 0;
      });
}

/** What a new loan type begins with. `day` is in calendar days. */
const STANDARD: readonly (readonly [ReminderSubject, ReminderTrigger, day: number, channels?: readonly SendableChannel[]])[] = [
  ['paymentDueDateReminder', 'expectedPayment', -5],
  ['autopayPaymentReminder', 'autopayExpectedPayment', -3],
  ['futurepayPaymentDueReminder', 'futurePayment', -2],
  ['autopayEnableReminder', 'autopayFirstPayment', -10],
  ['loginFirstPaymentReminder', 'loginFirstPayment', -7],
  ['cardExpiresReminder', 'cardExpiration', -30],
  ['loanOverdueFirstNotice', 'loanOverdue', 2],
  ['loanOverdueSecondNotice', 'loanOverdue', 7],
  ['loanOverdueThirdNotice', 'loanOverdue', 14],
  ['loanOverdueFourthNotice', 'loanOverdue', 21],
  ['loanOverdueFifthNotice', 'loanOverdue', 30],
  ['loanOverdueSixthNotice', 'loanOverdue', 45],
  ['loanRightToCurePersonalUnsecured', 'loanRightToCure', 10, ['mail']],
  ['autopayAmountChanged', 'autopayExpectedPaymentChangedAmount', -10],
];

/** The configurations of a new loan type, all active: nothing is sent before the lender has templates for them. */
export const standardReminders = (env: { newId(prefix: string): string }, productId: string): readonly FactDraft[] =>
  STANDARD.map(([subject, trigger, day, channels = ['email']]) => {
    const stored: Reminder = { productId, subject, trigger, day, dayType: 'calendar', channels, status: 'active', ...NO_LIMITS };
    return { type: 'ResourceCreated', body: { resource: REMINDER_TYPE, id: env.newId('RE'), parentId: null, stored } };
  });

/** Those of a loan type that are active and have an enabled template: by their ids. Each loan asks every day. */
export function remindersInForce(company: CompanyState, productId: string): readonly ReminderRecord[] {
  const reminders = remindersOf(company);
  const [descriptors, versions] = [templateDescriptorsOf(company), templateVersionsOf(company)];
  let known = inForce.get(reminders);
  if (known?.descriptors !== descriptors || known.versions !== versions) {
    known = { descriptors, versions, byProduct: new Map() };
    inForce.set(reminders, known);
  }
  let found = known.byProduct.get(productId);
  if (found === undefined) {
    found = [...reminders.values()].filter(({ stored }) => isInForce(company, stored, productId));
    known.byProduct.set(productId, found);
  }
  return found;
}

/** Computed from these maps, which a change replaces. */
interface InForce {
  readonly descriptors: ReturnType<typeof templateDescriptorsOf>;
  readonly versions: ReturnType<typeof templateVersionsOf>;
  readonly byProduct: Map<string, readonly ReminderRecord[]>;
}

const inForce = new WeakMap<ReturnType<typeof remindersOf>, InForce>();

const isInForce = (company: CompanyState, { productId: ofProduct, status, channels, subject }: Reminder, productId: string): boolean =>
  ofProduct === productId &&
  status === 'active' &&
  channels.some((channel) => typeof chooseTemplate(company, { subject, channel, productId, language: null }) !== 'string');

const MORNING = { hour: 9, minute: 0, second: 0 };

/** When the reminders of a day go out: 09:00 in Los Angeles, in milliseconds. */
export const morningOf = (today: Day): number => instantAt(REMINDER_ZONE, today, MORNING);

/** The fact that a day's reminders were ordered. */
export interface RemindersOrdered {
  /** The day in Los Angeles. */
  readonly day: Day;
}

/** The next day whose reminders are to be ordered; off the agenda while nothing would be sent. */
export function remindersAgenda(state: CompanyState): AgendaEntry | null {
  const { loanTypes, remindedOn, createdAt } = state;
  if (![...loanTypes.keys()].some((productId) => remindersInForce(state, productId).length > 0 || hasPrivacyNotice(state, productId)))
    return null;
  return { zone: REMINDER_ZONE, nextDay: addDays(remindedOn ?? dayAt(REMINDER_ZONE, createdAt), 1) };
}

/** The fact that time was set back to a day: by a test clock that starts in the past. */
export interface TimeSetBack {
  /** Today in Los Angeles. */
  readonly today: Day;
}

/** The service's own command once a test clock has started. The reminders begin again on the day of a clock that has set time back. */
export const followClock: CommandSpec<CompanyState> = {
  kind: 'company',
  type: FOLLOW_CLOCK,
  place: { on: 'target' },
  decide({ state, env }) {
    const today = env.today(REMINDER_ZONE);
    const isSetBack = today < (state.remindedOn ?? dayAt(REMINDER_ZONE, state.createdAt));
    const facts = isSetBack ? [{ type: 'TimeSetBack', body: { today } satisfies TimeSetBack }] : [];
    return { facts, reply: () => ({ data: undefined }) };
  },
};

/** Days that were missed, as by a service that was down, and whose reminders are still sent. */
const MOST_DAYS_LATE = 3;

/**
 * The reminders of each day that has begun, oldest first: one piece of mass work for each loan type that has some in force. It is done
 * before the next day is closed, and what it plans goes out in the morning.
 */
export function* remindersDue(state: CompanyState, throughDay: Day): Iterable<FactDraft> {
  for (let entry = remindersAgenda(state); entry !== null && entry.nextDay <= throughDay; entry = remindersAgenda(state)) {
    const { nextDay } = entry;
    const today = nextDay + MOST_DAYS_LATE < throughDay ? addDays(throughDay, -MOST_DAYS_LATE) : nextDay;
    for (const work of worksOfMorning(state, today)) yield ordered(state, work);
    yield { type: 'RemindersOrdered', body: { day: today } satisfies RemindersOrdered };
  }
}

/** What is ordered for the loans of each loan type on a day. */
export function worksOfMorning(state: CompanyState, today: Day): readonly WorkOfDay[] {
  return [...state.loanTypes.keys()].flatMap((productId) =>
    commandsOf(state, productId, today).map((command) => ({ productId, today, command })),
  );
}

function commandsOf(state: CompanyState, productId: string, today: Day): readonly CommandOfMorning[] {
  return [
    ...(remindersInForce(state, productId).length > 0 ? [REMIND_LOAN] : []),
    ...(isPrivacyDay(today) && hasPrivacyNotice(state, productId) ? [NOTIFY_OF_PRIVACY] : []),
  ];
}

/** The yearly privacy notice goes out on January 15 (12 CFR 1016.5). */
function isPrivacyDay(today: Day): boolean {
  const { month, day } = civil(today);
  return month === 1 && day === 15;
}

const hasPrivacyNotice = (company: CompanyState, productId: string): boolean =>
  (['email', 'mail'] as const).some(
    (channel) => typeof chooseTemplate(company, { subject: 'annualPrivacyPolicyNotice', channel, productId, language: null }) !== 'string',
  );

/** The commands that each loan of a loan type gets: `reminders.ts` and `privacy.ts` in `actors/contact/notices`. */
export const REMIND_LOAN = 'loan.remind' as const;
export const NOTIFY_OF_PRIVACY = 'loan.notifyOfPrivacy' as const;

/**
 * The statuses of the loans that get each of them. Nobody is reminded of a frozen loan, but its borrower is still a customer, who is owed
 * the privacy notice. With a loan that is charged off or paid in full that has ended (12 CFR 1016.5(b)(2)(ii)).
 */
export const STATUSES_OF_MORNING = {
  [REMIND_LOAN]: ['active', 'accelerated'],
  [NOTIFY_OF_PRIVACY]: ['active', 'accelerated', 'frozen'],
} as const;

export type CommandOfMorning = keyof typeof STATUSES_OF_MORNING;

interface WorkOfDay {
  readonly productId: string;
  readonly today: Day;
  readonly command: CommandOfMorning;
}

/** The operation of such a work. */
export const operationOfMorning = ({ id, mode }: Pick<CompanyState, 'id' | 'mode'>, { productId, today, command }: WorkOfDay): string =>
  operationIdOf(`${command}/${id}/${mode}/${productId}/${today}`);

function ordered(state: CompanyState, work: WorkOfDay): FactDraft {
  const { productId, today, command } = work;
  const order: MassOrder = {
    kind: command,
    resultObjectId: productId,
    isDryRun: false,
    isHeld: false,
    supposing: [],
    isOfDay: true,
    operationId: operationOfMorning(state, work),
    task: {
      type: 'command',
      command,
      selection: { kind: 'loan', filter: { loanTypeId: productId, statuses: STATUSES_OF_MORNING[command] } },
      body: { day: today },
    },
  };
  return { type: 'MassOrdered', body: order };
}
