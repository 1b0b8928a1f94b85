import type { Reading } from './play-vector.js';
import { roundingBy } from './published-loans.js';

const NO_OVERDUE_INTEREST: Reading = { terms: { recalculation: { type: 'progressive', isOverdueBearing: false } } };

/**
 * Published ledgers with scheduled interest. Their stated conventions are read from them (`published-loans.ts`); listed here are
 * conventions that a source's figures show and its text does not state.
 */
export const READINGS: Readonly<Record<string, Reading>> = {
  // Cumulative: interest of early and late payments is recalculated in the running period.
  'fin-e2e-l01': {},
  'fin-e2e-l02': {},
  'fin-e2e-l03': {},
  'fin-e2e-l05': {},
  'fin-e2e-l06': {},
  'fin-e2e-l07': { terms: { rounding: roundingBy(100, 'stretch') } },
  'fin-e2e-l08': {},
  'fin-e2e-l09': {},
  'fin-e2e-l10': { terms: { rounding: roundingBy(100, 'stretch') } },
  'fin-e2e-l12': {},
  'fin-e2e-l14': {},
  'fin-e2e-l15': {},
  // Progressive: interest by the night, payoff to the day or to the period's end.
  'fin-e2e-l17': {},
  'fin-e2e-l18': {},
  'fin-e2e-l19': {},
  'fin-e2e-l20': {},
  'fin-emi-l01': {},
  'fin-emi-l03': { terms: { newRateCountsFrom: 'nightBefore' } },
  'fin-emi-l04': { ...NO_OVERDUE_INTEREST, firstRow: 2 },
  'fin-emi-l05': NO_OVERDUE_INTEREST,
  'fin-emi-l08': {},
  'fin-emi-l09': {},
  'fin-cob-l01': {},
  'fin-cob-l02': {},
  'fin-cob-l04': {},
  'fin-cob-l05': {},
  'fin-ir-l01': {},
  'fin-ir-l03': {},
  'fin-ir-l04': { terms: { rounding: roundingBy(1, 'stretch') } },
  // Interest of the schedule, or none.
  'fin-e2e-l25': {},
  'fin-e2e-l27': {},
  'fin-e2e-l28': {},
  'fin-e2e-l31': {},
  'fin-e2e-l33': { terms: { creditExcess: 'spread' } },
  'fin-e2e-l34': {},
  'fin-e2e-l35': {},
  // Orders of allocation, past due, due and in advance.
  'fin-e2e-w01': {},
  'fin-e2e-w02': {},
  'fin-e2e-w03': {},
  'fin-e2e-w07': { isIncomeBooked: true },
  // Money above the due balance, with a down payment.
  'fin-e2e-w09': {},
  'fin-e2e-w10': {},
  'fin-e2e-w12': {},
  'fin-e2e-w13': {},
  'fin-e2e-w14': {},
  'fin-e2e-w15': {},
  // Fees by share.
  'fin-e2e-w16': {},
  'fin-e2e-w17': {},
  'fin-e2e-w18': {},
  // Chargebacks.
  'fin-e2e-w21': {},
  'fin-e2e-w23': { isIncomeBooked: true },
  'fin-e2e-w24': {},
  'fin-e2e-w26': {},
  'fin-e2e-w27': {},
};
