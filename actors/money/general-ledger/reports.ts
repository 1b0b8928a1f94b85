import { civil, type Day, dayOf, generalLedger } from '../../../engine/index.js';
import { accountFor, type CompanyState, investorOf, type LedgerAccount, mappingOn } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import { type AnyId, type DateText, dateText, type DateTimeText, dayOfText, millisecondsOf } from '../../wire.js';
import type { BatchState } from './batch.js';
import { type Basis, type Dimensions, dimensionsText, type Entry, type Line, type Role, type RoleTotal } from './entries.js';
import { isOf } from './entry-view.js';
import { entriesOfLoans, firstDayOfLoans } from './loans.js';
import { balancesOfLoans, COMPONENTS, type Component } from './subledger.js';
import { moneyText } from './view.js';

export const LEDGER_REPORTS = [
  'trialBalance',
  'subledger',
  'restated',
  'rollForward',
  'clearing',
  'deferredFees',
  'borrowerCredit',
] as const;

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
  /** The entries of all loans that are booked through a day. */
  readonly entriesThrough: (date: Day) => AsyncGenerator<Entry>;
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
    async *entriesThrough(last) {
      const first = await firstDayOfLoans(calls);
      if (first === null) return;
      // A day that was not sealed at the asked moment was not booked then.
      const sealed = knownAt === Infinity ? null : new Set((await batchesThrough(last)).map((batch) => batch.day));
      for await (const { entries } of entriesOfLoans(calls, { bases: [basis], from: first, through: last }))
        for (const entry of entries) if (sealed === null || sealed.has(entry.accountingDate)) yield entry;
    },
  };
}

const EARLIEST = -1_000_000;

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

/** The balances of the loans beside what is booked of them. Cash books know nothing of interest and fees that are owed. */
async function subledger(asked: Asked): Promise<Made> {
  const { basis, calls, date, entriesThrough, isIn } = asked;
  const wanted = basis === 'cash' ? COMPONENTS.filter((name) => name !== 'interest' && name !== 'fees') : COMPONENTS;
  const booked = new Map<string, Map<Component, number>>();
  for await (const { loanId, lines } of entriesThrough(date))
    for (const line of lines) {
      const component = componentOf(line);
      if (component === null || !isIn(line)) continue;
      const ofLoan = booked.get(loanId) ?? new Map<Component, number>();
      booked.set(loanId, ofLoan);
      ofLoan.set(component, (ofLoan.get(component) ?? 0) + onItsSide(line.role, line.amount));
    }
  const sums = new Map(wanted.map((name) => [name, { ledger: 0, inLedger: 0, different: [] as string[] }]));
  for await (const { id, loanTypeId, balances } of balancesOfLoans(calls, date)) {
    if (!isIn({ dimensions: { loanTypeId } })) continue;
    for (const name of wanted) {
      const sum = sums.get(name);
      if (sum === undefined) continue;
      const posted = booked.get(id)?.get(name) ?? 0;
      sum.ledger += balances[name];
      sum.inLedger += posted;
      if (posted !== balances[name]) sum.different.push(id);
    }
  }
  const rows = [...sums].map(([name, { ledger, inLedger, different }]) => ({
    component: name,
    loans: moneyText(ledger),
    booked: moneyText(inLedger),
    difference: moneyText(ledger - inLedger),
    loansWithDifference: different.length,
    firstLoans: different.slice(0, MOST_NAMED).join(' '),
  }));
  return { columns: ['component', 'loans', 'booked', 'difference', 'loansWithDifference', 'firstLoans'], rows };
}

/** Loans that a row names. */
const MOST_NAMED = 20;

/** What later facts have made of a day: by role, as booked through it, and with all that was booked since with effect until it. */
async function restated({ date, closedThrough, entriesThrough, isIn }: Asked): Promise<Made> {
  const sums = new Map<Role, { booked: number; later: number; days: Set<Day> }>();
  for await (const { accountingDate, effectiveDate, lines } of entriesThrough(closedThrough)) {
    if (effectiveDate > date) continue;
    for (const line of lines) {
      if (!isIn(line)) continue;
      const sum = sums.get(line.role) ?? { booked: 0, later: 0, days: new Set<Day>() };
      sums.set(line.role, sum);
      if (accountingDate <= date) sum.booked += line.amount;
      else {
        sum.later += line.amount;
        sum.days.add(accountingDate);
      }
    }
  }
  const rows = [...sums]
    .sort(([a], [b]) => compared(a, b))
    .map(([role, { booked, later, days }]) => ({
      role,
      asBooked: moneyText(booked),
      bookedLater: moneyText(later),
      restated: moneyText(booked + later),
      bookedOn: [...days]
        .sort((a, b) => a - b)
        .slice(0, MOST_NAMED)
        .map(dateText)
        .join(' '),
    }));
  return { columns: ['role', 'asBooked', 'bookedLater', 'restated', 'bookedOn'], rows };
}

/** By loan type and role: what it stood at, what each rule has moved, and what it stands at. */
async function rollForward({ date, from, entriesThrough, isIn }: Asked): Promise<Made> {
  const openings = new Map<string, number>();
  const moves = new Map<string, Map<string, number>>();
  const keyOf = ({ role, dimensions }: Line): string => `${dimensions.loanTypeId ?? ''}\n${role}`;
  for await (const { accountingDate, corrects, rule, lines } of entriesThrough(date))
    for (const line of lines) {
      if (!isIn(line) || componentOf(line) === null) continue;
      const key = keyOf(line);
      const ofKey = moves.get(key) ?? new Map<string, number>();
      moves.set(key, ofKey);
      if (accountingDate < from) openings.set(key, (openings.get(key) ?? 0) + line.amount);
      else {
        const name = corrects === undefined ? rule : 'corrections';
        ofKey.set(name, (ofKey.get(name) ?? 0) + line.amount);
      }
    }
  const rows: Readonly<Record<string, Cell>>[] = [];
  for (const [key, ofKey] of [...moves].sort(([a], [b]) => compared(a, b))) {
    const [loanTypeId = '', role = ''] = key.split('\n');
    const opening = openings.get(key) ?? 0;
    const row = (movement: string, cents: number): void => void rows.push({ loanTypeId, role, movement, amount: moneyText(cents) });
    row('opening', opening);
    let closing = opening;
    for (const [name, cents] of [...ofKey].sort(([a], [b]) => compared(a, b))) {
      row(name, cents);
      closing += cents;
    }
    row('closing', closing);
  }
  return { columns: ['loanTypeId', 'role', 'movement', 'amount'], rows };
}

interface OpenItem {
  readonly factId: string;
  readonly day: Day;
  /** On the side of the first of the open items. */
  cents: number;
}

/** What stands in accounts that money only passes through: by loan, with the facts that are not met yet, the oldest first. */
export async function* openItemsOf(
  entries: AsyncIterable<Entry>,
  isWanted: (line: Line) => boolean,
): AsyncGenerator<{ readonly loanId: string; readonly role: Role; readonly dimensions: Dimensions; readonly items: readonly OpenItem[] }> {
  let loan: string | null = null;
  let open = new Map<string, { readonly line: Line; readonly items: OpenItem[] }>();
  const done = function* (loanId: string) {
    for (const { line, items } of open.values())
      if (items.length > 0) yield { loanId, role: line.role, dimensions: line.dimensions, items };
  };
  for await (const { loanId, factId, corrects, accountingDate, lines } of entries) {
    if (loanId !== loan) {
      if (loan !== null) yield* done(loan);
      loan = loanId;
      open = new Map();
    }
    for (const line of lines) {
      if (!isWanted(line)) continue;
      const key = `${line.role} ${dimensionsText(line.dimensions)}`;
      const { items } = open.get(key) ?? { items: [] };
      open.set(key, { line, items });
      meet(items, { factId: corrects ?? factId, day: accountingDate, cents: line.amount });
    }
  }
  if (loan !== null) yield* done(loan);
}

/** An amount of the other side meets the item of its own fact first, then the oldest. */
function meet(items: OpenItem[], item: OpenItem): void {
  let rest = item.cents;
  const isOther = ({ cents }: OpenItem): boolean => cents < 0 === rest > 0;
  while (rest !== 0 && items.some(isOther)) {
    const own = items.findIndex((each) => isOther(each) && each.factId === item.factId);
    const at = own >= 0 ? own : items.findIndex(isOther);
    const met = items[at];
    if (met === undefined) break;
    const cents = Math.sign(rest) * Math.min(Math.abs(rest), Math.abs(met.cents));
    rest -= cents;
    met.cents += cents;
    if (met.cents === 0) items.splice(at, 1);
  }
  if (rest !== 0) items.push({ ...item, cents: rest });
}

async function openItems({ date, entriesThrough, isIn }: Asked, roles: ReadonlySet<Role>): Promise<Made> {
  const rows: Readonly<Record<string, Cell>>[] = [];
  const found = openItemsOf(entriesThrough(date), (line) => roles.has(line.role) && isIn(line));
  for await (const { loanId, role, dimensions, items } of found)
    for (const { factId, day, cents } of items)
      rows.push({
        role,
        loanId,
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
async function deferredFees({ date, entriesThrough, isIn }: Asked): Promise<Made> {
  const sums = new Map<string, { readonly loanId: string; readonly role: Role; deferred: number; earned: number }>();
  for await (const { loanId, rule, lines } of entriesThrough(date))
    for (const line of lines) {
      if (!DEFERRED.has(line.role) || !isIn(line)) continue;
      const key = `${loanId} ${line.role}`;
      const sum = sums.get(key) ?? { loanId, role: line.role, deferred: 0, earned: 0 };
      sums.set(key, sum);
      const cents = onItsSide(line.role, line.amount);
      if (rule === 'amortization') sum.earned -= cents;
      else sum.deferred += cents;
    }
  const rows = [...sums.values()].map(({ loanId, role, deferred, earned }) => ({
    loanId,
    role,
    original: moneyText(deferred),
    recognized: moneyText(earned),
    rest: moneyText(deferred - earned),
  }));
  return { columns: ['loanId', 'role', 'original', 'recognized', 'rest'], rows };
}
