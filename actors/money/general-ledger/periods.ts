import { addDays, civil, type Day, dayOf, daysInMonth } from '../../../engine/index.js';
import { closedThrough, type CompanyState } from '../../company/index.js';
import { type Fault, refuse, Refusal } from '../../errors.js';
import { actorView, type ActorView } from '../../kernel/actor-logic.js';
import type { CommandContext, CommandSpec, QueryEnv, QuerySpec } from '../../kernel/actor.js';
import type { Agent, FactDraft } from '../../kernel/fact.js';
import { changed, recordsOf, type ResourceCreated, type ResourceHost } from '../../kernel/resources/index.js';
import { pageOf, type PageQuery } from '../../list-order.js';
import { type DateText, dateText, type DateTimeText, dateTimeText } from '../../wire.js';
import type { OpenOfPeriod } from './period-work.js';
import { batchesIn } from './view.js';

const PERIOD = 'generalLedgerPeriod';

type PeriodStatus = 'open' | 'closed';

interface PeriodChange {
  readonly status: PeriodStatus;
  readonly at: number;
  readonly by: Agent;
}

interface StoredPeriod {
  readonly changes: readonly PeriodChange[];
}

export type LedgerPeriodListQuery = PageQuery;

export interface LedgerPeriodView {
  /** `2026-03`. */
  readonly id: string;
  readonly object: 'generalLedgerPeriod';
  readonly companyId: string;
  readonly period: string;
  readonly fromDate: DateText;
  readonly toDate: DateText;
  readonly status: PeriodStatus;
  /** Who closed it and opened it again, oldest first. */
  readonly changes: readonly { readonly status: PeriodStatus; readonly at: DateTimeText; readonly by: ActorView }[];
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const periodOf = (its: Day): string => {
  const { year, month } = civil(its);
  return `${year}-${twoDigits(month)}`;
};

/** The days of a month; null for what is no month. */
export function daysOfPeriod(period: string): { readonly first: Day; readonly last: Day } | null {
  const found = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(period);
  if (found === null) return null;
  const [year, month] = [Number(found[1]), Number(found[2])];
  return { first: dayOf(year, month, 1), last: dayOf(year, month, daysInMonth(year, month)) };
}

const changesOf = (host: ResourceHost, period: string): readonly PeriodChange[] =>
  recordsOf<StoredPeriod>(host, PERIOD).get(period)?.stored.changes ?? [];

function periodView(host: ResourceHost, period: string): LedgerPeriodView {
  const { first, last } = daysOfPeriod(period) ?? refuse('notFound', `There is no month ${period}.`);
  const changes = changesOf(host, period);
  return {
    id: period,
    object: 'generalLedgerPeriod',
    companyId: host.id,
    period,
    fromDate: dateText(first),
    toDate: dateText(last),
    status: changes.at(-1)?.status ?? 'open',
    changes: changes.map(({ status, at, by }) => ({ status, at: dateTimeText(at), by: actorView(by) })),
  };
}

/** The months from the first batch to the present one, the newest first. */
function periodsOf(company: CompanyState, env: QueryEnv): readonly string[] {
  const [first] = batchesIn(env, { from: -Infinity, to: Infinity });
  const today = addDays(closedThrough(company, env), 1);
  const periods = new Set(recordsOf(company, PERIOD).keys());
  for (let at = first?.day ?? today; at <= today; at = addDays(at, 1)) periods.add(periodOf(at));
  return [...periods].sort().reverse();
}

const listPeriods: QuerySpec<CompanyState, LedgerPeriodListQuery> = {
  kind: 'company',
  type: 'generalLedgerPeriod.list',
  on: 'target',
  read: ({ state, query, env }) =>
    pageOf(
      periodsOf(state, env).map((id) => ({ id })),
      query,
      ({ id }) => periodView(state, id),
    ),
};

export const periodQueries: readonly QuerySpec<CompanyState>[] = [listPeriods];

type Context = CommandContext<CompanyState, OpenOfPeriod>;

function move(verb: 'close' | 'reopen', status: PeriodStatus, check: (context: Context, last: Day) => void): CommandSpec<CompanyState> {
  return {
    kind: 'company',
    type: `generalLedgerPeriod.${verb}`,
    place: { on: 'target' },
    catchesUp: false,
    decide(context: Context) {
      const { state, command, env } = context;
      const period = command.params['period'] ?? '';
      const { last } = daysOfPeriod(period) ?? refuse('notFound', `There is no month ${period}. A month is written as 2026-03.`);
      const changes = changesOf(state, period);
      if ((changes.at(-1)?.status ?? 'open') === status) refuse('invalidState', `The month ${period} is ${status} already.`);
      check(context, last);
      const stored: StoredPeriod = { changes: [...changes, { status, at: env.now, by: command.actor }] };
      const record = recordsOf<StoredPeriod>(state, PERIOD).get(period);
      return {
        facts: [record === undefined ? created(period, stored) : changed(PERIOD, record, stored)],
        events: [
          {
            eventType: 'generalledger.period.changed',
            objectType: PERIOD,
            objectId: period,
            refs: {},
            data: { period, status },
          },
        ],
        reply: (after) => ({ data: periodView(after, period) }),
      };
    },
  };
}

const created = (id: string, stored: StoredPeriod): FactDraft => {
  const body: ResourceCreated = { resource: PERIOD, id, parentId: null, stored };
  return { type: 'ResourceCreated', body };
};

export const periodCommands: readonly CommandSpec<CompanyState>[] = [
  move('close', 'closed', ({ state, env, body: open }, last) => {
    if (last > closedThrough(state, env)) refuse('invalidState', `The month is not over: ${dateText(last)} is open.`);
    const faults: Fault[] = [
      ...open.unsealed.map((date) => ({ path: date, expected: 'a day that is sealed', message: 'is not sealed yet' })),
      ...open.unmapped.map(({ path, message }) => ({ path, expected: 'an account in the mapping of its day', message })),
      ...open.clearing.map(({ path, message }) => ({ path, expected: 'an account that is cleared', message })),
      ...open.differences.map((path) => ({ path, expected: 'entries as they were sealed', message: 'differs from what was sealed' })),
    ];
    if (faults.length > 0) throw new Refusal('invalidState', 'The month has open items.', { errors: faults.slice(0, MOST_NAMED) });
  }),
  move('reopen', 'open', () => {}),
];

/** Open items that a refusal names. */
const MOST_NAMED = 100;
