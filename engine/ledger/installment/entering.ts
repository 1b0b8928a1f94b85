import type { Cents } from '../../money/index.js';
import { type Accounts, accountsOf, DerivedEntry } from './derived-entry.js';
import type { EntryType } from '../core/entries.js';
import type { BalanceTotals } from '../core/ledger-events.js';
import { roundedCents } from '../core/interest.js';
import type { LedgerState } from './state.js';

/** The balances before a change; null when nobody watches, so that a bare computation pays nothing for entries. */
export interface Before {
  /** Null when the watcher asks for no entries. */
  readonly accounts: Accounts | null;
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
  if (before.accounts !== null) {
    const entry = new DerivedEntry({ day, seconds, entryType, source }, before.accounts, accountsOf(state));
    if (entry.isChange) state.watcher?.entered?.(entry);
  }
  if (SILENT.has(entryType)) return;
  const balances = balanceTotals(state);
  const { totalCents, principalCents } = before.totals;
  if (balances.totalCents === totalCents && balances.principalCents === principalCents) return;
  state.watcher?.happened({
    type: 'balanceChanged',
    day,
    seconds,
    cause: entryType,
    balances,
    previousBalances: before.totals,
  });
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
  const fees = state.nonDueOriginationFeeCents + state.dueOriginationFeeCents + state.overdueOriginationFeeCents + openFees;
  return {
    principalCents: principal as Cents,
    interestCents: interest as Cents,
    feesCents: fees as Cents,
    totalCents: (principal + interest + fees) as Cents,
    overdueCents: (state.overduePrincipalCents + state.overdueInterestCents + overdueFees) as Cents,
  };
}
