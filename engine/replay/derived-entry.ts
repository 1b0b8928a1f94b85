import type { Day } from '../calendar/index.js';
import type { EntryComponent, EntryLine, EntrySource, EntryType, LedgerEntry } from './entries.js';
import { accruedOf, type Interest, isSame, isZero, minus, minusCents, NO_INTEREST } from './interest.js';
import type { FeeStanding, LedgerState } from './state.js';

const STANDINGS = ['nonDue', 'due', 'overdue', 'chargedOff'] as const;
const COMPONENTS = ['principal', 'interest', 'originationFees', 'lateFees', 'modificationFees', 'dynamicFees'] as const;

interface Account {
  readonly bucket: FeeStanding;
  readonly component: EntryComponent;
}

/** Every balance that an entry can touch, in the order of the lines. */
const ACCOUNTS: readonly Account[] = STANDINGS.flatMap((bucket) => COMPONENTS.map((component) => ({ bucket, component })));

/** Interest that is not due is the one balance that is not whole cents. */
const NON_DUE_INTEREST = ACCOUNTS.findIndex(({ bucket, component }) => bucket === 'nonDue' && component === 'interest');

/** Every balance exactly: cents in the order of `ACCOUNTS`, and interest that is not due, whose place among them holds 0. */
export interface Accounts {
  readonly cents: readonly number[];
  readonly nonDueInterest: Interest;
}

export function accountsOf(state: LedgerState): Accounts {
  const cents = [
    state.nonDuePrincipalCents,
    0,
    state.nonDueOriginationFeeCents,
    0,
    0,
    0,
    state.duePrincipalCents,
    state.dueInterestCents,
    state.dueOriginationFeeCents,
    0,
    0,
    0,
    state.overduePrincipalCents,
    state.overdueInterestCents,
    state.overdueOriginationFeeCents,
    0,
    0,
    0,
    state.chargedOffPrincipalCents,
    state.chargedOffInterestCents,
    state.chargedOffOriginationFeeCents,
    0,
    0,
    0,
  ];
  for (const fee of state.fees) {
    const account = STANDING_POSITION[fee.standing] + KIND_POSITION[fee.kind];
    cents[account] = (cents[account] ?? 0) + fee.openCents;
  }
  return { cents, nonDueInterest: state.nonDueInterest };
}

const STANDING_POSITION = { nonDue: 0, due: 6, overdue: 12, chargedOff: 18 } as const;
const KIND_POSITION = { lateFee: 3, modificationFee: 4, otherFee: 5 } as const;

type EntryHead = Omit<LedgerEntry, 'lines'>;

/** An entry that keeps only what changed; its lines are made when somebody reads them. */
export class DerivedEntry implements LedgerEntry {
  readonly day: Day;
  readonly seconds: number;
  readonly entryType: EntryType;
  readonly source: EntrySource;
  /** Positions in `ACCOUNTS` and the cents by which they changed, in turns. */
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
    const lines: EntryLine[] = [];
    let counter = minus(NO_INTEREST, this.#nonDueInterest);
    for (let at = 0; at < this.#changes.length; at += 2) {
      const cents = this.#changes[at + 1] ?? 0;
      counter = minusCents(counter, cents);
      lines.push(lineOf(this.#changes[at] ?? 0, { cents, parts: 0 }));
    }
    if (!isZero(this.#nonDueInterest)) lines.splice(this.#linesBeforeInterest(), 0, lineOf(NON_DUE_INTEREST, this.#nonDueInterest));
    if (!isZero(counter)) lines.push({ bucket: 'counter', component: 'counter', amount: accruedOf(counter) });
    return lines;
  }

  #linesBeforeInterest(): number {
    return (this.#changes[0] ?? ACCOUNTS.length) < NON_DUE_INTEREST ? 1 : 0;
  }
}

function changesBetween(before: readonly number[], after: readonly number[]): readonly number[] {
  const changes: number[] = [];
  for (let position = 0; position < before.length; position += 1) {
    const cents = (after[position] ?? 0) - (before[position] ?? 0);
    if (cents !== 0) changes.push(position, cents);
  }
  return changes;
}

function lineOf(position: number, amount: Interest): EntryLine {
  const { bucket, component } = ACCOUNTS[position] ?? { bucket: 'counter', component: 'counter' };
  return { bucket, component, amount: accruedOf(amount) };
}
