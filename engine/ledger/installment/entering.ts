import { cents } from '../../money/index.js';
import { accountOfFee, type Accounts, accountsOfBalances, addAmount, areSameTotals, DerivedEntry, isSilent } from '../core/accounts.js';
import type { BalanceTotals, EntryType } from '../core/entries.js';
import { roundedCents } from '../core/interest.js';
import type { LedgerState } from './state.js';

/** The balances before a change. Not read without a watcher, so that a plain computation has no cost for entries. */
export interface Before {
  /** Null if the watcher receives no entries. */
  readonly accounts: Accounts | null;
  readonly totals: BalanceTotals;
  readonly owedBackCents: number;
}

export function beginEntry(state: LedgerState): Before | null {
  const { watcher } = state;
  if (watcher === null) return null;
  const isEntryAsked = watcher.entered !== undefined || watcher.booked !== undefined;
  return { accounts: isEntryAsked ? accountsOf(state) : null, totals: balanceTotals(state), owedBackCents: owedBackCents(state) };
}

function accountsOf(state: LedgerState): Accounts {
  const amounts = accountsOfBalances(state, state);
  for (const fee of state.fees) addAmount(amounts, accountOfFee(fee), fee.openCents);
  return { cents: amounts, nonDueInterest: state.nonDueInterest };
}

/** Sends the change since `before` to the watcher as one entry, and as a change of the balance unless the type is silent. */
export function enter(state: LedgerState, before: Before | null, entryType: EntryType): void {
  if (before === null) return;
  const { day, seconds, source } = state;
  if (before.accounts !== null) {
    const entry = new DerivedEntry({ day, seconds, entryType, source }, before.accounts, accountsOf(state));
    if (entry.isChange) state.watcher?.entered?.(entry);
    const owedMore = owedBackCents(state) - before.owedBackCents;
    if (entry.isChange || owedMore !== 0) state.watcher?.booked?.(entry, owedMore);
  }
  if (isSilent(entryType)) return;
  const balances = balanceTotals(state);
  if (areSameTotals(before.totals, balances)) return;
  state.watcher?.happened({
    type: 'balanceChanged',
    day,
    seconds,
    cause: entryType,
    balances,
    previousBalances: before.totals,
  });
}

const owedBackCents = ({ totals }: LedgerState): number => totals.reimbursementCents - totals.reimbursedCents;

/** Totals of the outstanding balance, without charged-off balances. */
export function balanceTotals(state: LedgerState): BalanceTotals {
  let openFees = 0;
  let overdueFees = state.overdueOriginationFeeCents;
  for (const fee of state.fees) {
    if (fee.dueStatus === 'chargedOff') continue;
    openFees += fee.openCents;
    if (fee.dueStatus === 'overdue') overdueFees += fee.openCents;
  }
  const principal = state.nonDuePrincipalCents + state.duePrincipalCents + state.overduePrincipalCents;
  const interest = roundedCents(state.nonDueInterest) + state.dueInterestCents + state.overdueInterestCents;
  const fees = state.nonDueOriginationFeeCents + state.dueOriginationFeeCents + state.overdueOriginationFeeCents + openFees;
  return {
    principalCents: cents(principal),
    interestCents: cents(interest),
    feesCents: cents(fees),
    totalCents: cents(principal + interest + fees),
    overdueCents: cents(state.overduePrincipalCents + state.overdueInterestCents + overdueFees),
  };
}
