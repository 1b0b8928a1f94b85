import { addDays, civil, type Day, dayOf, generalLedger } from '../../../engine/index.js';
import { accountFor, type CompanyState, investorOf, type LedgerAccount, mappingOn } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { AccountingItemsOfLoan } from '../../loan/index.js';
import type { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import { type AnyId, type DateText, dateText, type DateTimeText, dayOfText, millisecondsOf } from '../../wire.js';
import type { BatchState } from './batch.js';
import { type Basis, dimensionsText, isOfLoan, type Line, type Role, type RoleTotal } from './entries.js';
import { isOf } from './entry-view.js';
import { openItemsOf } from './open-items.js';
import { itemsOfLedger } from './receipts.js';
import { balancesOfLoans, COMPONENTS, type Component } from './subledger.js';
import { moneyText } from './view.js';

const LEDGER_REPORTS = ['trialBalance', 'subledger', 'restated', 'rollForward', 'clearing', 'deferredFees', 'borrowerCredit'] as const;

type ReportName = (typeof LEDGER_REPORTS)[number];

export interface LedgerReportQuery {
  /** Default `accrual`. */
  readonly basis?: Basis;
  /** The last day of the report; default the last day whose books are closed. */
  readonly date?: DateText;
  /** The first day; default the first of the month of `date`. */
  readonly fromDate?: DateText;
  /** Only what was booked at or before this moment. */
  readonly recordedAsOf?: DateTimeText;
  readonly loanTypeId?: AnyId;
  readonly investorId?: AnyId;
  readonly format?: 'json' | 'csv';
}

export type AskedReport = LedgerReportQuery;

type Cell = string | number | boolean | null;

export interface LedgerReport {
  readonly object: 'generalLedgerReport';
  readonly report: ReportName;
  readonly basis: Basis;
  readonly date: DateText;
  readonly fromDate: DateText;
  /** The names of the values of a row, in order. Amounts are texts with two decimals. */
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, Cell>>[];
}

interface Sources {
  readonly company: CompanyState;
  readonly calls: ServiceCalls;
  readonly closedThrough: Day;
}

interface Asked extends Sources {
  readonly basis: Basis;
  readonly date: Day;
  readonly from: Day;
  readonly knownAt: number;
  readonly isIn: (line: Pick<Line, 'dimensions'> & { readonly owner?: string }) => boolean;
  /** Batches through a day that were sealed until the asked moment, oldest first. */
  readonly batchesThrough: (date: Day) => Promise<readonly BatchState[]>;
  /** The last day that was sealed at the asked moment, `date` at most. */
  readonly sealed: () => Promise<Day>;
  /** What is held of each loan through a day, as known at the close of another. */
  readonly itemsOf: (through: Day, knownOn: Day) => AsyncGenerator<AccountingItemsOfLoan>;
}

type Rows = readonly Readonly<Record<string, Cell>>[];

interface Made {
  readonly columns: readonly string[];
  readonly rows: Rows;
}

const MAKERS: Readonly<Record<ReportName, (asked: Asked) => Promise<Made>>> = {
  trialBalance,
  subledger,
  restated,
  rollForward,
  clearing: (asked) => openItems(asked, CLEARING),
  borrowerCredit: (asked) => openItems(asked, CREDIT),
  deferredFees,
};

const CLEARING: ReadonlySet<Role> = new Set<Role>([
  'clearingIncoming',
  'clearingOutgoing',
  'unappliedCash',
  'investorPayable',
  'disputedPayments',
]);
const CREDIT: ReadonlySet<Role> = new Set<Role>(['borrowerCredit']);

const isReport = (name: string): name is ReportName => (LEDGER_REPORTS as readonly string[]).includes(name);

export async function reportOf(name: string, query: AskedReport, sources: Sources): Promise<LedgerReport> {
  if (!isReport(name)) return refuse('notFound', `There is no report ${name}. Reports: ${LEDGER_REPORTS.join(', ')}.`);
  const asked = askedOf(query, sources);
  const made = await MAKERS[name](asked);
  return {
    object: 'generalLedgerReport',
    report: name,
    basis: asked.basis,
    date: dateText(asked.date),
    fromDate: dateText(asked.from),
    ...made,
  };
}

function askedOf({ basis = 'accrual', date, fromDate, recordedAsOf, loanTypeId, investorId }: AskedReport, sources: Sources): Asked {
  const { company, calls, closedThrough } = sources;
  const day = date === undefined ? closedThrough : dayOfText(date);
  if (day > closedThrough) refuseProperty('date', `${dateText(closedThrough)} or earlier`, 'The books of the day are open.');
  const { year, month } = civil(day);
  const from = fromDate === undefined ? dayOf(year, month, 1) : dayOfText(fromDate);
  if (from > day) refuseProperty('fromDate', `${dateText(day)} or earlier`, 'The first day is behind the last one.');
  const knownAt = recordedAsOf === undefined ? Infinity : millisecondsOf(recordedAsOf);
  const investor = investorId === undefined ? undefined : (investorOf(company, investorId)?.id ?? investorId);
  const batchesThrough = async (last: Day): Promise<readonly BatchState[]> => {
    const query = { basis, from: EARLIEST, to: last };
    const batches = await calls.query<readonly BatchState[]>('generalLedger.batches', null, query);
    return batches.filter(({ createdAt }) => createdAt <= knownAt);
  };
  return {
    ...sources,
    basis,
    date: day,
    from,
    knownAt,
    isIn: (line) =>
      (loanTypeId === undefined || line.dimensions.loanTypeId === loanTypeId) &&
      (investor === undefined ||
        isOf({ dimensions: line.dimensions, ...(line.owner === undefined ? {} : { owner: line.owner }) }, investor)),
    batchesThrough,
    async sealed() {
      if (knownAt === Infinity) return day;
      const last = (await batchesThrough(day)).at(-1);
      return last === undefined ? EARLIEST_DAY : last.day;
    },
    itemsOf: (through, knownOn) => itemsOfLedger(calls, { basis, through, knownOn }),
  };
}

const EARLIEST = -1_000_000;
/** Before any loan. */
const EARLIEST_DAY = dayOf(1900, 1, 1);

/** The side of a role on which its balance stands, for the reading of balances. */
const SIDES: ReadonlyMap<Role, generalLedger.Side> = new Map(generalLedger.DEFAULT_CHART.map(({ role, side }) => [role, side]));

const onItsSide = (role: Role, debitCents: number): number => (SIDES.get(role) === 'credit' ? -debitCents : debitCents);

/** Of each account: what it stood at, what was booked, and what it stands at. Debits positive. */
async function trialBalance({ company, batchesThrough, date, from, isIn }: Asked): Promise<Made> {
  interface Sums {
    readonly account: LedgerAccount | undefined;
    readonly role: Role;
    opening: number;
    debits: number;
    credits: number;
  }
  const sums = new Map<string, Sums>();
  for (const batch of await batchesThrough(date)) {
    const mapping = mappingOn(company, batch.day);
    for (const total of batch.totals) {
      if (!isIn(total)) continue;
      const account = accountFor(company, mapping, total);
      const key = account?.id ?? unmappedKey(total);
      const sum = sums.get(key) ?? { account, role: total.role, opening: 0, debits: 0, credits: 0 };
      sums.set(key, sum);
      if (batch.day < from) sum.opening += total.debitCents - total.creditCents;
      else {
        sum.debits += total.debitCents;
        sum.credits += total.creditCents;
      }
    }
  }
  const ordered = [...sums.values()].sort((a, b) => compared(a.account?.number ?? `~${a.role}`, b.account?.number ?? `~${b.role}`));
  const rows = ordered.map(({ account, role, opening, debits, credits }) => ({
    accountId: account?.id ?? null,
    account: account?.number ?? null,
    accountName: account?.name ?? `no account: ${role}`,
    type: account?.type ?? null,
    opening: moneyText(opening),
    debits: moneyText(debits),
    credits: moneyText(credits),
    closing: moneyText(opening + debits - credits),
  }));
  const total = (pick: (sum: Sums) => number): string => moneyText(ordered.reduce((whole, sum) => whole + pick(sum), 0));
  return {
    columns: ['accountId', 'account', 'accountName', 'type', 'opening', 'debits', 'credits', 'closing'],
    rows: [
      ...rows,
      {
        accountId: null,
        account: null,
        accountName: 'total',
        type: null,
        opening: total(({ opening }) => opening),
        debits: total(({ debits }) => debits),
        credits: total(({ credits }) => credits),
        closing: total(({ opening, debits, credits }) => opening + debits - credits),
      },
    ],
  };
}

const unmappedKey = ({ role, dimensions }: RoleTotal): string => `no account: ${role} ${dimensionsText(dimensions)}`;

const compared = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** What roles say of a component of the loan: own, investors', not recognized, and charged off. */
const COMPONENT_OF: ReadonlyMap<Role, Component> = new Map<Role, Component>([
  ['principalReceivable', 'principal'],
  ['memoServicedPrincipal', 'principal'],
  ['interestReceivable', 'interest'],
  ['memoServicedInterest', 'interest'],
  ['memoNonaccrualInterest', 'interest'],
  ['feesReceivable', 'fees'],
  ['memoServicedFees', 'fees'],
  ['borrowerCredit', 'borrowerCredit'],
  ['memoChargedOff', 'chargedOff'],
]);

const componentOf = ({ role }: Pick<Line, 'role'>): Component | null => COMPONENT_OF.get(role) ?? null;

/**
 * The balances of the loans beside what is booked of them: the sums of the batches, and loan by loan what the general ledger holds. Cash
 * books know nothing of interest and fees that are owed.
 */
async function subledger({ basis, calls, sealed, batchesThrough, itemsOf, isIn }: Asked): Promise<Made> {
  const date = await sealed();
  const wanted = basis === 'cash' ? COMPONENTS.filter((name) => name !== 'interest' && name !== 'fees') : COMPONENTS;
  const sums = new Map<string, Subledger>(wanted.map((name) => [name, { component: name, ledger: 0, booked: 0, different: [] }]));
  for (const batch of await batchesThrough(date))
    for (const total of batch.totals) {
      const sum = sums.get(componentOf(total) ?? 'unknown');
      if (sum !== undefined && isIn(total)) sum.booked += onItsSide(total.role, total.debitCents - total.creditCents);
    }
  const held = itemsOf(date, date);
  for await (const { id, loanTypeId, balances } of balancesOfLoans(calls, date)) {
    const { value } = await held.next();
    const ofLoan = value?.id === id ? heldOf(value, isIn) : new Map<string, number>();
    if (!isIn({ dimensions: { loanTypeId } })) continue;
    for (const [name, sum] of sums) {
      sum.ledger += balances[sum.component];
      if ((ofLoan.get(name) ?? 0) !== balances[sum.component]) sum.different.push(id);
    }
  }
  const rows = [...sums].map(([name, { ledger, booked, different }]) => ({
    component: name,
    loans: moneyText(ledger),
    booked: moneyText(booked),
    difference: moneyText(ledger - booked),
    loansWithDifference: different.length,
    firstLoans: different.slice(0, MOST_NAMED).join(' '),
  }));
  return { columns: ['component', 'loans', 'booked', 'difference', 'loansWithDifference', 'firstLoans'], rows };
}

interface Subledger {
  readonly component: Component;
  ledger: number;
  booked: number;
  readonly different: string[];
}

function heldOf({ items }: AccountingItemsOfLoan, isIn: Asked['isIn']): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const line of items.flatMap(({ lines }) => lines)) {
    const component = componentOf(line);
    if (component !== null && isIn(line)) held.set(component, (held.get(component) ?? 0) + onItsSide(line.role, line.amount));
  }
  return held;
}

/** Loans that a row names. */
const MOST_NAMED = 20;

/** What later facts have made of a day: by role, as booked through it, and as all that is known now would have it. */
async function restated({ date, closedThrough, itemsOf, isIn }: Asked): Promise<Made> {
  const sums = new Map<Role, { booked: number; now: number; days: Set<Day> }>();
  const add = ({ items }: AccountingItemsOfLoan, name: 'booked' | 'now'): void => {
    for (const { recordedDay, factId, lines } of items)
      for (const line of lines) {
        if (!isIn(line)) continue;
        const sum = sums.get(line.role) ?? { booked: 0, now: 0, days: new Set<Day>() };
        sums.set(line.role, sum);
        sum[name] += line.amount;
        if (name === 'now' && factId !== null && recordedDay > date) sum.days.add(recordedDay);
      }
  };
  for await (const loan of itemsOf(date, date)) add(loan, 'booked');
  for await (const loan of itemsOf(date, closedThrough)) add(loan, 'now');
  const ordered = [...sums].sort(([a], [b]) => compared(a, b));
  const rows = ordered.map(([role, { booked, now, days }]) => ({
    role,
    asBooked: moneyText(booked),
    bookedLater: moneyText(now - booked),
    restated: moneyText(now),
    recordedOn: datesText(days),
  }));
  return { columns: ['role', 'asBooked', 'bookedLater', 'restated', 'recordedOn'], rows };
}

const datesText = (days: ReadonlySet<Day>): string =>
  [...days]
    .sort((a, b) => a - b)
    .slice(0, MOST_NAMED)
    .map(dateText)
    .join(' ');

/** By loan type and role: what it stood at, what each rule has moved, and what it stands at. */
async function rollForward({ from, sealed, itemsOf, isIn }: Asked): Promise<Made> {
  const date = await sealed();
  const before = addDays(from, -1);
  const openings = new Map<string, number>();
  const moves = new Map<string, Map<string, number>>();
  const add = ({ items }: AccountingItemsOfLoan, sign: 1 | -1): void => {
    for (const { rule, lines } of items)
      for (const line of lines) {
        if (!isIn(line) || componentOf(line) === null) continue;
        const key = `${line.dimensions.loanTypeId ?? ''}\n${line.role}`;
        const ofKey = moves.get(key) ?? new Map<string, number>();
        moves.set(key, ofKey);
        ofKey.set(rule, (ofKey.get(rule) ?? 0) + sign * line.amount);
        if (sign < 0) openings.set(key, (openings.get(key) ?? 0) + line.amount);
      }
  };
  for await (const loan of itemsOf(before, before)) add(loan, -1);
  for await (const loan of itemsOf(date, date)) add(loan, 1);
  const rows: Readonly<Record<string, Cell>>[] = [];
  for (const [key, ofKey] of [...moves].sort(([a], [b]) => compared(a, b))) {
    const [loanTypeId = '', role = ''] = key.split('\n');
    const opening = openings.get(key) ?? 0;
    const row = (movement: string, cents: number): void => void rows.push({ loanTypeId, role, movement, amount: moneyText(cents) });
    row('opening', opening);
    let closing = opening;
    for (const [name, cents] of [...ofKey].sort(([a], [b]) => compared(a, b))) {
      if (cents !== 0) row(name, cents);
      closing += cents;
    }
    row('closing', closing);
  }
  return { columns: ['loanTypeId', 'role', 'movement', 'amount'], rows };
}

async function openItems({ sealed, itemsOf, isIn }: Asked, roles: ReadonlySet<Role>): Promise<Made> {
  const date = await sealed();
  const rows: Readonly<Record<string, Cell>>[] = [];
  for await (const loan of itemsOf(date, date))
    for (const { role, dimensions, items } of openItemsOf(loan, (line) => roles.has(line.role) && isIn(line)))
      for (const { factId, day, cents } of items)
        rows.push({
          role,
          loanId: isOfLoan(loan.id) ? loan.id : null,
          dimensions: dimensionsText(dimensions),
          factId,
          since: dateText(day),
          ageDays: date - day,
          amount: moneyText(onItsSide(role, cents)),
        });
  rows.sort((a, b) => Number(b['ageDays']) - Number(a['ageDays']));
  return { columns: ['role', 'loanId', 'dimensions', 'factId', 'since', 'ageDays', 'amount'], rows };
}

const DEFERRED: ReadonlySet<Role> = new Set<Role>(['deferredFees', 'deferredCosts', 'merchantDiscountDeferred', 'deferredMembershipFees']);

/** Of each loan: what was deferred, what of it was earned, and the rest. */
async function deferredFees({ sealed, itemsOf, isIn }: Asked): Promise<Made> {
  const date = await sealed();
  const rows: Readonly<Record<string, Cell>>[] = [];
  for await (const { id: loanId, items } of itemsOf(date, date)) {
    const sums = new Map<Role, { deferred: number; earned: number }>();
    for (const { rule, lines } of items)
      for (const line of lines) {
        if (!DEFERRED.has(line.role) || !isIn(line)) continue;
        const sum = sums.get(line.role) ?? { deferred: 0, earned: 0 };
        sums.set(line.role, sum);
        const cents = onItsSide(line.role, line.amount);
        if (rule === 'amortization') sum.earned -= cents;
        else sum.deferred += cents;
      }
    for (const [role, { deferred, earned }] of sums)
      rows.push({ loanId, role, original: moneyText(deferred), recognized: moneyText(earned), rest: moneyText(deferred - earned) });
  }
  return { columns: ['loanId', 'role', 'original', 'recognized', 'rest'], rows };
}
