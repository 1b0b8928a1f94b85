import type { Day } from '../../calendar/index.js';
import { type Accrued, accruedUnits } from '../../money/index.js';
import type { BalancesByDueStatus } from './balances.js';
import type { BalanceTotals, EntryComponent, EntryLine, EntrySource, EntryType, LedgerEntry } from './entries.js';
import { accruedOf, type Interest, isSame, isZero, minus, NO_INTEREST } from './interest.js';
import type { FeeDueStatus, FeeState } from './state.js';

const DUE_STATUSES = ['nonDue', 'due', 'overdue', 'chargedOff'] as const;
const COMPONENTS = ['principal', 'interest', 'originationFees', 'lateFees', 'modificationFees', 'dynamicFees'] as const;

interface Account {
  readonly bucket: FeeDueStatus;
  readonly component: EntryComponent;
}

/** Every balance that an entry can touch, in the order of the lines. */
const ACCOUNTS: readonly Account[] = DUE_STATUSES.flatMap((bucket) => COMPONENTS.map((component) => ({ bucket, component })));

/** Interest that is not due is the only balance with fractions of cents. */
const NON_DUE_INTEREST = ACCOUNTS.findIndex(({ bucket, component }) => bucket === 'nonDue' && component === 'interest');

/** All balances: cents in the order of `ACCOUNTS` with 0 for interest that is not due, and that interest exactly. */
export interface Accounts {
  readonly cents: readonly number[];
  readonly nonDueInterest: Interest;
}

export function addAmount(cents: number[], account: number, amountCents: number): void {
  cents[account] = (cents[account] ?? 0) + amountCents;
}

export const accountOfFee = ({ dueStatus, kind }: Pick<FeeState, 'dueStatus' | 'kind'>): number =>
  DUE_STATUS_OFFSET[dueStatus] + KIND_POSITION[kind];

/** The account of the origination fee of a loan or draw. */
export const accountOfOriginationFee = (dueStatus: FeeDueStatus): number => DUE_STATUS_OFFSET[dueStatus] + 2;

const DUE_STATUS_OFFSET = { nonDue: 0, due: 6, overdue: 12, chargedOff: 18 } as const;
const KIND_POSITION = { lateFee: 3, modificationFee: 4, otherFee: 5 } as const;

type EntryHead = Omit<LedgerEntry, 'lines'>;

/** An entry that stores only changes and makes its lines when they are read. */
export class DerivedEntry implements LedgerEntry {
  readonly day: Day;
  readonly seconds: number;
  readonly entryType: EntryType;
  readonly source: EntrySource;
  /** Pairs of a position in `ACCOUNTS` and the change in cents. */
  readonly #changes: readonly number[];
  readonly #nonDueInterest: Interest;

  constructor({ day, seconds, entryType, source }: EntryHead, before: Accounts, after: Accounts) {
    this.day = day;
    this.seconds = seconds;
    this.entryType = entryType;
    this.source = source;
    this.#changes = changesBetween(before.cents, after.cents);
    this.#nonDueInterest = isSame(before.nonDueInterest, after.nonDueInterest)
      ? NO_INTEREST
      : minus(after.nonDueInterest, before.nonDueInterest);
  }

  get isChange(): boolean {
    return this.#changes.length > 0 || !isZero(this.#nonDueInterest);
  }

  get lines(): readonly EntryLine[] {
    return withCounterLine(balanceLines(this.#changes, this.#nonDueInterest));
  }
}

/** The lines of the balances that differ. */
export const changedLines = (before: Accounts, after: Accounts): readonly EntryLine[] =>
  balanceLines(changesBetween(before.cents, after.cents), minus(after.nonDueInterest, before.nonDueInterest));

function balanceLines(changes: readonly number[], nonDueInterest: Interest): EntryLine[] {
  const lines: EntryLine[] = [];
  for (let at = 0; at < changes.length; at += 2) {
    lines.push(lineOf(changes[at] ?? 0, { cents: changes[at + 1] ?? 0, parts: 0 }));
  }
  if (isZero(nonDueInterest)) return lines;
  const linesBefore = (changes[0] ?? ACCOUNTS.length) < NON_DUE_INTEREST ? 1 : 0;
  lines.splice(linesBefore, 0, lineOf(NON_DUE_INTEREST, nonDueInterest));
  return lines;
}

/** Adds the counter line, so that all lines sum to zero. */
export function withCounterLine<Line extends { readonly amount: Accrued }>(lines: Line[]): (Line | EntryLine)[] {
  const counter = lines.reduce((left, { amount }) => left - amount, 0n);
  return counter === 0n ? lines : [...lines, { bucket: 'counter', component: 'counter', amount: accruedUnits(counter) }];
}

function changesBetween(before: readonly number[], after: readonly number[]): readonly number[] {
  const changes: number[] = [];
  for (let position = 0; position < after.length; position += 1) {
    const cents = (after[position] ?? 0) - (before[position] ?? 0);
    if (cents !== 0) changes.push(position, cents);
  }
  return changes;
}

function lineOf(position: number, amount: Interest): EntryLine {
  const { bucket, component } = ACCOUNTS[position] ?? { bucket: 'counter', component: 'counter' };
  return { bucket, component, amount: accruedOf(amount) };
}

/** An origination fee that is a balance of its own. */
interface OriginationBalances {
  readonly nonDueOriginationFeeCents: number;
  readonly dueOriginationFeeCents: number;
  readonly overdueOriginationFeeCents: number;
  readonly chargedOffOriginationFeeCents: number;
}

export const NO_ORIGINATION: OriginationBalances = {
  nonDueOriginationFeeCents: 0,
  dueOriginationFeeCents: 0,
  overdueOriginationFeeCents: 0,
  chargedOffOriginationFeeCents: 0,
};

export const NO_ACCOUNTS: Accounts = { cents: ACCOUNTS.map(() => 0), nonDueInterest: NO_INTEREST };

/** The accounts of balances and of their fees. */
export function accountsOfBalances(balances: BalancesByDueStatus, origination: OriginationBalances): number[] {
  return [
    balances.nonDuePrincipalCents,
    0,
    origination.nonDueOriginationFeeCents,
    0,
    0,
    0,
    balances.duePrincipalCents,
    balances.dueInterestCents,
    origination.dueOriginationFeeCents,
    0,
    0,
    0,
    balances.overduePrincipalCents,
    balances.overdueInterestCents,
    origination.overdueOriginationFeeCents,
    0,
    0,
    0,
    balances.chargedOffPrincipalCents,
    balances.chargedOffInterestCents,
    origination.chargedOffOriginationFeeCents,
    0,
    0,
    0,
  ];
}

/** Types without money in or out: the outstanding balance only accrues or moves. */
const SILENT: ReadonlySet<string> = new Set<EntryType>(['interestAccrual', 'movedToDue', 'movedToOverdue']);

/** Whether an entry may change the outstanding balance by more than accrual. */
export const isSilent = (entryType: string): boolean => SILENT.has(entryType);

export const areSameTotals = (before: BalanceTotals, after: BalanceTotals): boolean =>
  after.totalCents === before.totalCents && after.principalCents === before.principalCents;
