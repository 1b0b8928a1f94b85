import { Bug, must } from '../../assert.js';
import { type Day, addDays } from '../../calendar/index.js';
import { NEVER } from './clock.js';
import type { ObligationLedger } from './entries.js';
import type { LedgerSettings, Since } from './terms.js';

/** A ledger whose settings change from day to day. */
export interface ConfiguredLedger<Settings> {
  readonly terms: { readonly settings: readonly Since<Settings>[] };
  readonly day: Day;
  settingsIndex: number;
}

/** The configuration of the loan type on the state's day. */
export function settingsOf<Settings>(state: ConfiguredLedger<Settings>): Settings {
  return must(state.terms.settings[state.settingsIndex], 'settings cover every day from activation').value;
}

/** Adopts the configuration of the state's day. */
export function adoptSettings(state: ConfiguredLedger<unknown>): void {
  const { settings } = state.terms;
  for (let next = settings[state.settingsIndex + 1]; next !== undefined && next.from <= state.day; ) {
    state.settingsIndex += 1;
    next = settings[state.settingsIndex + 1];
  }
}

/**
 * Changes of the computation of ledgers, with the version of the rules that introduced them. A day is computed under the rules that its
 * loan had adopted by then, so that no release changes published figures. An old version stays executable as long as a journal may
 * contain it.
 */
const SINCE = {
  /** The tolerance also applies to the single obligation of an accelerated loan. */
  toleranceForWhole: 2,
  /** Capitalization covers all due interest, and lowers no obligation by more than its remaining amount. */
  capitalizedInFull: 2,
  /** Balances that stay due although their obligation is fulfilled become overdue on its day. */
  nothingStaysDue: 2,
  /** Of fees from another system, the overdue fees come first. */
  overdueFeesFirst: 2,
  /** Rows of an amortized draw follow the line: its schedule, freezing, payoff, and balances from another system. */
  rowsFollowLine: 2,
  /** Grace is decided on its day also for a paid-off line, and later by the days of freezing. */
  gracesWait: 2,
  /** A higher tolerance fulfills obligations within it; a lower tolerance reopens none. */
  toleranceFollowed: 2,
  /** An obligation that would be within the tolerance if no money had gone to late fees earns no late fee. */
  toleratedWithoutLateFees: 2,
  /** No late fee is charged on the due date itself. */
  lateFeesAfterDueDate: 2,
  /** An order to freeze or unfreeze a loan that a backdated payment has paid off before applies once the loan is open again. */
  ordersWhilePaidOff: 2,
  /** Migrated history bears no interest, even if grace is lost; a canceled draw bears none for its frozen days. */
  bearingDrawsAlone: 2,
  /** A refund does not pay the borrower amounts that the lender has credited or forgiven. */
  refundsOfOwnMoney: 2,
  /** Money above the due amounts pays the obligation of the open period first, whatever the setting for prepayments. */
  openObligationFirst: 3,
  /**
   * Loans with scheduled interest: charges and amounts that are owed again join the row of the running period, or a row of their own from
   * the last due date on.
   */
  chargesInRunningPeriod: 3,
  /**
   * Loans with scheduled interest: a new rate solves the rows due after its day over the remaining balance, from the night that the terms
   * name.
   */
  ratesSolvedFromChange: 3,
  /** A draw with a balance below one cent keeps no fraction of interest, also on an open line. */
  fractionsForgone: 3,
  /** Money counts for the oldest obligation first, whatever component the waterfall paid with it. */
  obligationsInOrder: 3,
  /** An obligation that an earlier, higher tolerance has fulfilled does not keep later fulfilled obligations open. */
  closedPastTolerated: 3,
  /** A level under a lifetime cap of interest is always solved with the cap, even if the rounded level stays below the cap. */
  levelsUnderCaps: 3,
  /** The amount that an obligation of a line would lack without late fees follows the money of its own draws. */
  withoutLateFeesByDraw: 3,
  /** Overpaid money automatically pays what is charged later. */
  paidOverMeets: 3,
  /** Loans with scheduled interest: a chargeback takes overpaid money of its own payment alone, as far as that has paid nothing since. */
  ownMoneyChargedBack: 3,
  /** What the borrower has paid on a canceled loan is owed back: there was nothing that it could pay. */
  paidOnCanceledOwed: 3,
  /** Loans with scheduled interest: money that raises the obligation of its day by cumulative recalculation counts as a payment of it. */
  raisesMet: 3,
} as const;

/** The newest version that this release computes under. */
export const NEWEST_RULES = 3;

type Ruled = Parameters<typeof settingsOf<Pick<LedgerSettings, 'rules'>>>[0];

/** Whether a rule is in force on the state's day. Throws if the day has rules of a later release. */
export function holds(state: Ruled, rule: keyof typeof SINCE): boolean {
  const { rules = NEWEST_RULES } = settingsOf(state);
  if (rules > NEWEST_RULES) refuseLater(rules);
  return rules >= SINCE[rule];
}

/** A function of its own, since a payment checks rules six times and building the message costs more than the check. */
function refuseLater(rules: number): never {
  throw new Bug(`a ledger under rules ${rules} is computed by a later release alone: this one knows ${NEWEST_RULES}`);
}

/** The next day on which the settings change. */
export function nextSettingsDay(state: ObligationLedger): Day {
  const next = state.terms.settings[state.settingsIndex + 1]?.from ?? NEVER;
  return next <= state.day ? addDays(state.day, 1) : next;
}
