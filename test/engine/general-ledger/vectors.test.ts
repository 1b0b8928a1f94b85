import { test } from 'tap';
import { addDays, formatDay, generalLedger } from '../../../engine/index.js';
import { missing, vectorsOf } from '../../shared.js';
import { dayFrom } from '../numbers.js';
import { earnedByDay } from './vector-events.js';
import { believe, keepingOf } from './vector-ledger.js';
import type { JournalVector, VectorEvent, VectorLine } from './vector-types.js';

const VECTOR_COUNT = 60;

/** Where a source has one account for several roles, as the file of the vectors says. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  clearing: ['clearingIncoming', 'clearingOutgoing', 'bank', 'merchantReceivable'],
  interestAndFeesReceivable: ['interestReceivable', 'feesReceivable'],
};

/** Events whose days are booked as they pass. */
const OF_DAYS: ReadonlySet<string> = new Set(['accrualDays', 'amortizationDays']);

/** The order of recoveries is the loan type's waterfall of charged-off loans. */
const OF_LOAN_TYPE = 'recoveryOrder';

const vectors = vectorsOf<JournalVector>('journal-entries.json', 'journalEntries');
const skip = vectors ? false : missing('domain', 'vectors', 'journal-entries.json');

/** All entries of a vector, booked day by day. */
function journalOf(vector: JournalVector): readonly generalLedger.Entry[] {
  const { events } = vector.inputs;
  const days = events.flatMap(({ effectiveDate, knownOn, from, through }) => [
    effectiveDate,
    knownOn,
    ...(from === undefined ? [] : [from]),
    ...(through === undefined ? [] : [through]),
  ]);
  const last = Math.max(...days.map(dayFrom));
  const passing = events.filter(({ type }) => OF_DAYS.has(type));
  const recorded = events.filter(({ type }) => !OF_DAYS.has(type)).sort((a, b) => dayFrom(a.knownOn) - dayFrom(b.knownOn) || a.n - b.n);
  const entries: generalLedger.Entry[] = [];
  const known: VectorEvent[] = [];
  for (let day = dayFrom(days.sort()[0] ?? ''); day <= last; day = addDays(day, 1)) {
    const today = recorded.filter(({ knownOn }) => dayFrom(knownOn) === day);
    if (today.length === 0 && !passing.some(({ from = '', through = '' }) => dayFrom(from) <= day && day <= dayFrom(through))) continue;
    const booked = believe(vector, [...known, ...passing], addDays(day, -1));
    const before = believe(vector, [...known, ...passing], day);
    const steps = today.map((event) => {
      known.push(event);
      const cause = { factId: `${event.n}`, factType: event.type, recordedAt: day };
      return { cause, believed: believe(vector, [...known, ...passing], day) };
    });
    const now = steps.at(-1)?.believed ?? before;
    const closed = { factId: 'close', factType: 'dayClosed', recordedAt: day };
    const accounting = { book: 'C', basis: vector.basis, loanId: 'LN', day, cause: closed };
    entries.push(...generalLedger.entriesOfDay({ ...accounting, booked, before, recorded: steps, now }));
  }
  return entries;
}

interface Naming {
  readonly groups: ReadonlyMap<string, string>;
  readonly hasDimensions: (role: string) => boolean;
  readonly hasMemoranda: boolean;
}

/** A role stands for its dimensions unless the vector names them, and for its group if the vector names that. */
function namingOf({ expected, inputs }: JournalVector): Naming {
  const listed = expected.entries.flatMap(({ lines }) => lines.map(({ account }) => account));
  const accounts = [...listed, ...Object.keys(inputs.balancesBefore ?? {})];
  const groups = Object.entries(GROUPS).filter(([group]) => accounts.includes(group));
  return {
    groups: new Map(groups.flatMap(([group, roles]) => roles.map((role) => [role, group] as const))),
    hasDimensions: (role) => accounts.some((account) => account.startsWith(`${role}.`)),
    hasMemoranda: accounts.some((account) => account.startsWith('memo')),
  };
}

function accountOf({ role, dimensions, owner }: generalLedger.Line, { groups, hasDimensions }: Naming): string {
  const dimension = dimensions.feeKind ?? dimensions.investor;
  const named = dimension !== undefined && hasDimensions(role) ? `${role}.${dimension}` : role;
  return `${groups.get(role) ?? named}${owner === undefined ? '' : `@${owner}`}`;
}

type Amounts = Record<string, number>;

function addTo(amounts: Amounts, account: string, amount: number): void {
  amounts[account] = (amounts[account] ?? 0) + amount;
}

/** Amounts by account in the order of their names, without those at zero. */
const sorted = (amounts: Readonly<Amounts>): Amounts =>
  Object.fromEntries(
    Object.entries(amounts)
      .filter(([, amount]) => amount !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const isCompared = (line: generalLedger.Line, { hasMemoranda }: Naming): boolean => hasMemoranda || !line.role.startsWith('memo');

/** Entries by event, days and what they correct; days of an event that the vector sums up are one. */
function entriesFound(vector: JournalVector, entries: readonly generalLedger.Entry[], naming: Naming): Record<string, Amounts> {
  const found: Record<string, Amounts> = {};
  const lasts = new Map<string, generalLedger.Entry>();
  const counts = new Map<string, Set<number>>();
  for (const entry of entries) {
    const event = vector.inputs.events.find(({ n }) => `${n}` === entry.factId);
    const isSum = vector.expected.entries.some(({ event: n, sumOfDays }) => sumOfDays !== undefined && `${n}` === entry.factId);
    const key = isSum && event !== undefined && OF_DAYS.has(event.type) ? `${entry.factId} days` : headOf(entry);
    if (isUnlisted(vector, event)) continue;
    if (key.endsWith(' days')) {
      lasts.set(key, entry);
      counts.set(key, (counts.get(key) ?? new Set()).add(entry.accountingDate));
    }
    for (const line of entry.lines) if (isCompared(line, naming)) addTo((found[key] ??= {}), accountOf(line, naming), line.amount);
  }
  const named = Object.entries(found).map(([key, amounts]) => {
    const last = lasts.get(key);
    return [last === undefined ? key : `${key} ${counts.get(key)?.size} ${formatDay(last.accountingDate)}`, sorted(amounts)] as const;
  });
  return Object.fromEntries(named.filter(([, amounts]) => Object.keys(amounts).length > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const isUnlisted = ({ expected }: JournalVector, event: VectorEvent | undefined): boolean =>
  expected.notListed !== undefined && !expected.entries.some(({ event: n }) => n === event?.n);

function headOf({ factId, accountingDate, effectiveDate, effectiveThrough, corrects, priorYear }: generalLedger.Entry): string {
  const through = effectiveThrough === undefined ? '' : `..${formatDay(effectiveThrough)}`;
  const corrected = corrects === undefined ? '' : ` corrects ${corrects}`;
  const year = priorYear && through !== '' ? ' prior year' : '';
  return `${factId} ${formatDay(accountingDate)} for ${formatDay(effectiveDate)}${through}${corrected}${year}`;
}

function entriesExpected({ expected }: JournalVector): Record<string, Amounts> {
  const found: Record<string, Amounts> = {};
  for (const { event, bookedOn, effectiveDate, effectiveThrough, corrects, priorYear, sumOfDays, lines } of expected.entries) {
    const through = effectiveThrough === undefined ? '' : `..${effectiveThrough}`;
    const head = `${event} ${bookedOn} for ${effectiveDate}${through}${corrects === undefined ? '' : ` corrects ${corrects}`}`;
    const key = sumOfDays === undefined ? `${head}${priorYear === true ? ' prior year' : ''}` : `${event} days ${sumOfDays} ${bookedOn}`;
    for (const line of lines) addTo((found[key] ??= {}), nameOf(line), (line.debit ?? 0) - (line.credit ?? 0));
  }
  return Object.fromEntries(
    Object.entries(found)
      .map(([key, amounts]) => [key, sorted(amounts)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const nameOf = ({ account, owner }: VectorLine): string => `${account}${owner === undefined ? '' : `@${owner}`}`;

function balancesFound(vector: JournalVector, entries: readonly generalLedger.Entry[], naming: Naming): Amounts {
  const amounts: Amounts = { ...vector.inputs.balancesBefore };
  for (const { lines } of entries)
    for (const line of lines) if (isCompared(line, naming)) addTo(amounts, accountOf(line, naming), line.amount);
  return sorted(amounts);
}

test('the published journals', { skip }, (t) => {
  t.equal(vectors?.length, VECTOR_COUNT);
  for (const vector of vectors ?? []) {
    void t.test(`${vector.id}: ${vector.title}`, (t) => {
      const entries = journalOf(vector);
      const naming = namingOf(vector);
      t.equal(new Set(entries.map(({ id }) => id)).size, entries.length, 'ids are unique');
      t.match(journalOf(vector), entries, 'computed again it is the same');
      t.strictSame(entriesFound(vector, entries, naming), entriesExpected(vector));
      const { balances } = vector.expected;
      if (balances !== undefined) t.strictSame(balancesFound(vector, entries, naming), sorted(balances));
      t.end();
    });
  }
  t.end();
});

test('what is earned at the level yield of the published series', (t) => {
  const earned = earnedByDay();
  const ofDay = (day: number): number => (earned[day - 1] ?? 0) - (earned[day - 2] ?? 0);
  t.strictSame([1, 2, 3, 4, 5, 199, 200].map(ofDay), [961, 957, 952, 948, 944, 11, 5]);
  t.end();
});

test('settings that a vector names are those of the books', { skip }, (t) => {
  const known = new Set(Object.keys(generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS));
  for (const vector of vectors ?? []) {
    for (const name of Object.keys(vector.settings ?? {})) t.ok(known.has(name) || name === OF_LOAN_TYPE, `${vector.id} names ${name}`);
    t.ok(keepingOf(vector).settings);
  }
  t.end();
});
