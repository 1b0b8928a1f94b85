import type { Accrued, Cents } from '../money/index.js';
import type { EntryBucket, EntryComponent, EntryLine, EntryType } from './entries.js';
import type { BalanceTotals } from './happenings.js';
import type { FeeStanding, LedgerState } from './state.js';
import { exact, roundedCents } from './units.js';

/** Every balance that an entry can touch, in the order of the lines. */
const ACCOUNTS: readonly { readonly bucket: FeeStanding; readonly component: EntryComponent }[] = (
  ['nonDue', 'due', 'overdue', 'chargedOff'] as const
).flatMap((bucket) =>
  (['principal', 'interest', 'originationFees', 'lateFees', 'modificationFees', 'dynamicFees'] as const).map(
    (component) => ({ bucket, component }),
  ),
);

/** The balances before a change; null when nobody watches, so that a bare computation pays nothing for entries. */
export interface Before {
  /** Null when the watcher asks for no entries. */
  readonly accounts: readonly bigint[] | null;
  readonly totals: BalanceTotals;
}

export function beginEntry(state: LedgerState): Before | null {
  const { watcher } = state;
  if (watcher === null) return null;
  return { accounts: watcher.entered === undefined ? null : accountsOf(state), totals: balanceTotals(state) };
}

/** Types that move no money in or out: the outstanding balance only accrues or changes its place. */
const SILENT: ReadonlySet<EntryType> = new Set(['interestAccrual', 'movedToDue', 'movedToOverdue']);

/** Tells the watcher what has changed since `before` as one entry, and the balance's change if it is of interest. */
export function enter(state: LedgerState, before: Before | null, entryType: EntryType): void {
  if (before === null) return;
  const { day, seconds, source } = state;
  const lines = before.accounts === null ? [] : linesBetween(before.accounts, accountsOf(state));
  if (lines.length > 0) state.watcher?.entered?.({ day, seconds, entryType, source, lines });
  if (SILENT.has(entryType)) return;
  const balances = balanceTotals(state);
  if (balances.totalCents === before.totals.totalCents) return;
  state.watcher?.happened({
    type: 'balanceChanged',
    day,
    seconds,
    cause: entryType,
    balances,
    previousBalances: before.totals,
  });
}

function linesBetween(before: readonly bigint[], after: readonly bigint[]): readonly EntryLine[] {
  const lines: EntryLine[] = [];
  let sum = 0n;
  ACCOUNTS.forEach(({ bucket, component }, position) => {
    const amount = (after[position] ?? 0n) - (before[position] ?? 0n);
    if (amount === 0n) return;
    sum += amount;
    lines.push(lineOf(bucket, component, amount));
  });
  if (sum !== 0n) lines.push(lineOf('counter', 'counter', -sum));
  return lines;
}

function lineOf(bucket: EntryBucket, component: EntryComponent, amount: bigint): EntryLine {
  return { bucket, component, amount: amount as Accrued };
}

/** Every balance exactly, in the order of `ACCOUNTS`. */
function accountsOf(state: LedgerState): readonly bigint[] {
  const fees = feesByKind(state);
  return [
    exact(state.nonDuePrincipalCents),
    state.nonDueInterest,
    exact(state.nonDueOriginationFeeCents),
    ...fees.nonDue,
    exact(state.duePrincipalCents),
    exact(state.dueInterestCents),
    exact(state.dueOriginationFeeCents),
    ...fees.due,
    exact(state.overduePrincipalCents),
    exact(state.overdueInterestCents),
    exact(state.overdueOriginationFeeCents),
    ...fees.overdue,
    exact(state.chargedOffPrincipalCents),
    exact(state.chargedOffInterestCents),
    exact(state.chargedOffOriginationFeeCents),
    ...fees.chargedOff,
  ];
}

const KIND_POSITION = { lateFee: 0, modificationFee: 1, otherFee: 2 } as const;

function feesByKind(state: LedgerState): Record<FeeStanding, bigint[]> {
  const found = { nonDue: [0n, 0n, 0n], due: [0n, 0n, 0n], overdue: [0n, 0n, 0n], chargedOff: [0n, 0n, 0n] };
  for (const fee of state.fees) {
    const kinds = found[fee.standing];
    kinds[KIND_POSITION[fee.kind]] = (kinds[KIND_POSITION[fee.kind]] ?? 0n) + exact(fee.openCents);
  }
  return found;
}

/** The outstanding balance in sums, charged off parts not included. */
export function balanceTotals(state: LedgerState): BalanceTotals {
  let openFees = 0;
  let overdueFees = state.overdueOriginationFeeCents;
  for (const fee of state.fees) {
    if (fee.standing === 'chargedOff') continue;
    openFees += fee.openCents;
    if (fee.standing === 'overdue') overdueFees += fee.openCents;
  }
  const principal = state.nonDuePrincipalCents + state.duePrincipalCents + state.overduePrincipalCents;
  const interest = roundedCents(state.nonDueInterest) + state.dueInterestCents + state.overdueInterestCents;
  const fees =
    state.nonDueOriginationFeeCents + state.dueOriginationFeeCents + state.overdueOriginationFeeCents + openFees;
  return {
    principalCents: principal as Cents,
    interestCents: interest as Cents,
    feesCents: fees as Cents,
    totalCents: (principal + interest + fees) as Cents,
    overdueCents: (state.overduePrincipalCents + state.overdueInterestCents + overdueFees) as Cents,
  };
}
