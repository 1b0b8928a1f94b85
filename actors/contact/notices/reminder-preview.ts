import { type Day, dayAt, formatDay, must } from '../../../engine/index.js';
import {
  companyOf,
  morningOf,
  REMIND_LOAN,
  REMINDER_ZONE,
  type ReminderRecord,
  remindersInForce,
  remindersOf,
  STATUSES_OF_MORNING,
} from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { stateAs } from '../../kernel/erased.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../list-order.js';
import { foreseenOn, type LoanState, othersOn, recordOf } from '../../loan/index.js';
import { type DateText, dayOfText, type ListResult } from '../../wire.js';
import { type NoticeEnv, waysNow, type Withheld, withheld } from './plan.js';
import { judged, LookedAt } from './reminders.js';
import { whyUnsent } from './write.js';

/** `POST .../notifications/{notificationId}/preview`. */
export interface ReminderPreviewQuery extends PageQuery {
  /** Default: today. At most a year ahead. */
  readonly date?: DateText;
}

/** A loan of the loan type, and what the day would bring its borrower. */
export interface ReminderPreviewView {
  readonly loanId: string;
  readonly personId: string;
  readonly isHit: boolean;
  /** Why nothing is sent; null where something is. */
  readonly reason: string | null;
  /** The channels by which it would be sent. */
  readonly channels: readonly string[];
}

/** Each loan is moved forward to the day, so the days are limited, and so are the loans of a page about a later day. */
const MOST_DAYS_AHEAD = 366;
const MOST_FORESEEN = 25;

/**
 * The borrowers that a configuration would remind on a day, and why not the others: a page of the loans of its type. It judges, plans and
 * screens as the morning of that day will, if what is scheduled is paid until then and nothing else happens. Sends and records nothing.
 */
const previewReminder: QuerySpec<LoanState, ReminderPreviewQuery> = {
  kind: 'loan',
  type: 'reminder.preview',
  on: 'tenant',
  async read({ query, request, env }): Promise<ListResult<ReminderPreviewView>> {
    const id = request.params['notificationId'] ?? '';
    const reminder = remindersOf(companyOf(env, env.tenant)).get(id) ?? refuse('notFound', `There is no notification ${id}.`);
    const { date, limit = DEFAULT_LIMIT, startingAfter, endingBefore } = query;
    const today = env.today(REMINDER_ZONE);
    const day = date === undefined ? today : dayOfText(date);
    if (day < today) refuseProperty('date', `${formatDay(today)} or later`, 'What was sent on past days is in the list of interactions.');
    if (day > today + MOST_DAYS_AHEAD) refuseProperty('date', `at most ${MOST_DAYS_AHEAD} days ahead`, 'The date is too far ahead.');
    const page = await env.listInSlices('loan', {
      limit: day > today ? Math.min(limit, MOST_FORESEEN) : limit,
      ...(startingAfter === undefined ? {} : { startingAfter }),
      ...(endingBefore === undefined ? {} : { endingBefore }),
      matches: ({ fields }) => fields['loanTypeId'] === reminder.stored.productId && STATUSES.has(fields['status']),
    });
    fetchOthers(env, page.rows);
    const then = onMorningOf(env, day);
    const notInForce = whyNotInForce(env, reminder);
    const items = page.rows.map(({ id: loanId }) => {
      const about = { loanId, personId: recordOf(must(env.read<LoanState>('loan', loanId), `the listed loan ${loanId}`)).personId };
      const found = notInForce ?? channelsOn(then, loanId, reminder, day);
      return 'reason' in found
        ? { ...about, isHit: false, reason: found.reason, channels: [] }
        : { ...about, isHit: true, reason: null, channels: found };
    });
    return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
  },
};

/** The guard reads the cases of other people on the loans: those of other units of a cluster are fetched at once. */
function fetchOthers(env: QueryEnv, rows: readonly { readonly id: string }[]): void {
  const others = rows.flatMap(({ id }) => {
    const loan = env.read<LoanState>('loan', id);
    return othersOn(loan, loan?.record?.personId ?? '');
  });
  env.readBelow('case', ...new Set(others));
}

const STATUSES: ReadonlySet<unknown> = new Set(STATUSES_OF_MORNING[REMIND_LOAN]);

/** Why a configuration reminds nobody; null where it may. */
function whyNotInForce(env: NoticeEnv, reminder: ReminderRecord): Withheld | null {
  const { status, productId } = reminder.stored;
  if (status !== 'active') return withheld('The notification is inactive.');
  const isInForce = remindersInForce(companyOf(env, env.tenant), productId).includes(reminder);
  return isInForce ? null : withheld('No template for the channels of the notification is enabled and active.');
}

/** The channels by which a configuration in force would reach the borrower of a loan, or why it would by none. */
function channelsOn(env: NoticeEnv, loanId: string, reminder: ReminderRecord, day: Day): readonly string[] | Withheld {
  const lookedAt = new LookedAt(must(env.read<LoanState>('loan', loanId), `the listed loan ${loanId}`), env);
  const verdict = judged(lookedAt, reminder, day);
  if ('reason' in verdict) return verdict;
  const person = must(lookedAt.person, 'the borrower of a judged loan is there');
  const ways = waysNow(env, person, verdict.notice);
  if ('reason' in ways) return ways;
  const tried = ways.map((way) => ({ channel: way.channel, reason: whyUnsent(env, person, verdict.notice, way) }));
  const channels = tried.flatMap(({ channel, reason }) => (reason === null ? [channel] : []));
  return channels.length > 0 ? channels : withheld([...new Set(tried.map(({ reason }) => reason))].join(' '));
}

/**
 * What a decision of that morning would read. The guard counts all messages of a borrower, also those that the caller may not see: the
 * answer says no more of them than that one stands against it.
 */
function onMorningOf(env: QueryEnv, day: Day): NoticeEnv {
  const now = Math.max(env.now, morningOf(day));
  const loans = new Map<string, LoanState | undefined>();
  const then: NoticeEnv = {
    tenant: env.tenant,
    now,
    today(zone) {
      const today = env.today(zone);
      const reached = dayAt(zone, now);
      return reached > today ? reached : today;
    },
    read: <State>(kind: string, id: string) => (kind === 'loan' ? stateAs<State>(loanOn(id)) : env.read<State>(kind, id)),
    list: (kind, request) => env.listAll(kind, request),
    readBelow: (kind, ...parentIds) => env.readBelow(kind, ...parentIds),
    answerTo: (asked) => env.answerTo(asked),
    derivedId: (prefix, shardOf, counter) => env.derivedId(prefix, shardOf, counter),
    open: (owner, sealed, context) => env.open(owner, sealed, context),
    findExternal: (tenant, kind, externalId) => env.findExternal(tenant, kind, externalId),
  };
  /** Each loan is moved forward once. */
  function loanOn(id: string): LoanState | undefined {
    if (!loans.has(id)) {
      const state = env.read<LoanState>('loan', id);
      loans.set(id, state?.record == null ? state : foreseenOn(state, env, then.today(state.record.zone)));
    }
    return loans.get(id);
  }
  return then;
}

export const reminderQueriesOfLoans: readonly QuerySpec<LoanState>[] = [previewReminder];
