import { cents } from '../../money/index.js';
import {
  accountOfFee,
  accountOfOriginationFee,
  type Accounts,
  accountsOfBalances,
  addAmount,
  areSameTotals,
  changedLines,
  isSilent,
  NO_ACCOUNTS,
  NO_ORIGINATION,
  withCounterLine,
} from '../core/accounts.js';
import type { BalanceTotals, EntryLine } from '../core/entries.js';
import { NO_INTEREST, roundedCents } from '../core/interest.js';
import type { DrawBalances, LineEntry, LineEntryLine, LineEntryType, LineFee, LineState } from './state.js';

/** The balances before a change. Not read without a watcher. */
export interface Before {
  /** Null if the watcher receives no entries. */
  readonly accounts: readonly HolderAccounts[] | null;
  readonly totals: BalanceTotals;
  readonly owedBackCents: number;
}

/** The accounts of one draw, or of the line itself. */
interface HolderAccounts {
  readonly draw: number | null;
  readonly accounts: Accounts;
}

export function beginEntry(state: LineState): Before | null {
  const { watcher } = state;
  if (watcher === null) return null;
  const isEntryAsked = watcher.entered !== undefined || watcher.booked !== undefined;
  return { accounts: isEntryAsked ? accountsOf(state) : null, totals: lineTotals(state), owedBackCents: owedBackCents(state) };
}

/** Sends the change since `before` to the watcher as one entry, and as a change of the balance unless the type is silent. */
export function enter(state: LineState, before: Before | null, entryType: LineEntryType): void {
  if (before === null) return;
  const { day, seconds, source } = state;
  if (before.accounts !== null) {
    const lines = linesBetween(before.accounts, accountsOf(state));
    const entry: LineEntry = { day, seconds, entryType, source, lines };
    if (lines.length > 0) state.watcher?.entered?.(entry);
    const owedMore = owedBackCents(state) - before.owedBackCents;
    if (lines.length > 0 || owedMore !== 0) state.watcher?.booked?.(entry, owedMore);
  }
  state.watcher?.owed?.(owedCents(state));
  if (isSilent(entryType)) return;
  const balances = lineTotals(state);
  if (areSameTotals(before.totals, balances)) return;
  state.watcher?.happened({ type: 'balanceChanged', day, seconds, cause: entryType, balances, previousBalances: before.totals });
}

const owedCents = (state: LineState): number =>
  state.draws.reduce<number>((sum, { balances }) => sum - roundedCents(balances.nonDueInterest), lineTotals(state).totalCents);

function accountsOf(state: LineState): readonly HolderAccounts[] {
  const ofDraws = state.draws.map(({ draw, balances, fees }) => ({ draw, accounts: holderAccounts(balances, fees) }));
  return [{ draw: null, accounts: holderAccounts(null, state.fees) }, ...ofDraws];
}

function holderAccounts(balances: DrawBalances | null, fees: readonly LineFee[]): Accounts {
  const amounts = balances === null ? [...NO_ACCOUNTS.cents] : accountsOfBalances(balances, NO_ORIGINATION);
  for (const fee of fees) addAmount(amounts, isOriginal(fee) ? accountOfOriginationFee(fee.dueStatus) : accountOfFee(fee), fee.openCents);
  return { cents: amounts, nonDueInterest: balances?.nonDueInterest ?? NO_INTEREST };
}

/** The fee of the origination of the line, or of a draw. */
export const isOriginal = ({ origin }: LineFee): boolean => origin === 'origination' || origin === 'draw';

/** The lines of an entry. Draws are only added: the accounts of a new draw were empty. */
function linesBetween(before: readonly HolderAccounts[], after: readonly HolderAccounts[]): readonly LineEntryLine[] {
  const lines = after.flatMap(({ draw, accounts }, position) =>
    changedLines(before[position]?.accounts ?? NO_ACCOUNTS, accounts).map((line) => lineOfHolder(line, draw)),
  );
  return withCounterLine(lines).map((line) => ('draw' in line ? line : { ...line, draw: null }));
}

const lineOfHolder = (line: EntryLine, draw: number | null): LineEntryLine => ({
  bucket: line.bucket,
  component: draw !== null && line.component === 'originationFees' ? 'drawFees' : line.component,
  amount: line.amount,
  draw,
});

const owedBackCents = ({ totals }: LineState): number => totals.reimbursementCents - totals.reimbursedCents;

/** Totals of the outstanding balance, without charged-off balances. */
export function lineTotals(state: LineState): BalanceTotals {
  let principal = 0;
  let interest = 0;
  let overdue = 0;
  let fees = 0;
  const addFees = (of: readonly LineFee[]): void => {
    for (const fee of of) {
      if (fee.dueStatus !== 'chargedOff') fees += fee.openCents;
      if (fee.dueStatus === 'overdue') overdue += fee.openCents;
    }
  };
  addFees(state.fees);
  for (const { balances, fees: ofDraw } of state.draws) {
    principal += balances.nonDuePrincipalCents + balances.duePrincipalCents + balances.overduePrincipalCents;
    interest += roundedCents(balances.nonDueInterest) + balances.dueInterestCents + balances.overdueInterestCents;
    overdue += balances.overduePrincipalCents + balances.overdueInterestCents;
    addFees(ofDraw);
  }
  return {
    principalCents: cents(principal),
    interestCents: cents(interest),
    feesCents: cents(fees),
    totalCents: cents(principal + interest + fees),
    overdueCents: cents(overdue),
  };
}
