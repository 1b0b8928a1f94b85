import { Bug, must } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import type { LedgerSettings, Since } from './terms.js';

/** A ledger whose settings change from day to day. */
export interface ConfiguredLedger<Settings> {
  readonly terms: { readonly settings: readonly Since<Settings>[] };
  readonly day: Day;
  settingsIndex: number;
}

/** What the loan type's configuration says on the state's day. */
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
 * What a release has changed in how ledgers are kept, and the version of the rules that brought it. A day is computed under the rules that
 * its loan had adopted by then, so that no release changes what was told: an older version stays executable for as long as a journal knows
 * it.
 */
const SINCE = {
  /** The tolerance lets pass the one obligation of an accelerated loan, too. */
  toleranceForWhole: 2,
  /** Interest that becomes principal is all that is due, and no obligation is lowered by more than it lacks. */
  capitalizedInFull: 2,
  /** What money has left due of an obligation that is met becomes overdue with its day. */
  nothingStaysDue: 2,
  /** Of fees that came from another system the overdue ones stand first. */
  overdueFeesFirst: 2,
  /** Rows of an amortized draw follow their line: its schedule, its freezing, what was paid off, what another system had left. */
  rowsFollowLine: 2,
  /** A grace is decided wherever its day comes: on a line that was paid off, and later by the days of freezing. */
  gracesWait: 2,
  /** A tolerance that rises lets pass what lies within it, and one that falls asks for nothing again. */
  toleranceFollowed: 2,
  /** What the tolerance would let pass, had no late fee taken money, earns no late fee. */
  toleratedWithoutLateFees: 2,
  /** No late fee is booked on the due date itself. */
  lateFeesAfterDueDate: 2,
  /** What is ordered of the freezing of a loan that late money has paid off before counts once it is open again. */
  ordersWhilePaidOff: 2,
  /** What a migration holds as history bears no interest, lost grace or not, and a canceled draw none for its frozen days. */
  bearingDrawsAlone: 2,
  /** A refund owes the borrower nothing that the lender has credited or given up. */
  refundsOfOwnMoney: 2,
  /** Money above what is due meets the obligation of the open period first, whatever the setting for prepayments. */
  openObligationFirst: 3,
  /**
   * Charges of a loan with scheduled interest, and what it owes again, join the running period's row, from the last due date on their own.
   */
  chargesInRunningPeriod: 3,
  /**
   * A new rate of a loan with scheduled interest solves the rows due after its day over what is left, from the night that its terms name.
   */
  ratesSolvedFromChange: 3,
  /** A draw of which no whole cent is owed keeps no fraction of interest, on an open line, too. */
  fractionsForgone: 3,
  /** An obligation counts money in the order of obligations, whatever component the waterfall met with it. */
  obligationsInOrder: 3,
  /** What a higher tolerance of before has let pass does not keep later obligations open that are met. */
  closedPastTolerated: 3,
  /** A level under a lifetime cap of interest is solved with the cap, also where only its rounding keeps interest below it. */
  levelsUnderCaps: 3,
  /** What a line's obligation would lack without late fees follows the money of its own draws. */
  withoutLateFeesByDraw: 3,
  /** Money that was paid over meets what is charged later by itself. */
  paidOverMeets: 3,
} as const;

/** The newest version that this release computes under. */
export const NEWEST_RULES = 3;

type Ruled = Parameters<typeof settingsOf<Pick<LedgerSettings, 'rules'>>>[0];

/** Whether a rule holds on the state's day. Throws when the day is one of a later release. */
export function holds(state: Ruled, rule: keyof typeof SINCE): boolean {
  const { rules = NEWEST_RULES } = settingsOf(state);
  if (rules > NEWEST_RULES) refuseLater(rules);
  return rules >= SINCE[rule];
}

/** By itself, since a payment asks for rules six times: a text that is made each time costs more than the answer. */
function refuseLater(rules: number): never {
  throw new Bug(`a ledger under rules ${rules} is computed by a later release alone: this one knows ${NEWEST_RULES}`);
}
