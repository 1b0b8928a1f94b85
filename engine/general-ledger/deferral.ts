import type { Day } from '../calendar/index.js';
import type { DueRow, LedgerTerms } from '../ledger/core/index.js';
import { earnedAtLevelYield, earnedStraight, type YieldPeriod } from './amortize.js';
import type { GeneralLedgerSettings } from './settings.js';

/** What is earned of an origination fee through the end of each day, by the schedule of the contract. */
export interface Deferral {
  readonly amount: number;
  earnedThrough(day: Day): number;
}

type Recognition = GeneralLedgerSettings['originationFeeRecognition'];

interface Known {
  readonly amount: number;
  readonly recognition: Recognition;
  readonly deferral: Deferral;
}

/** By the rows of a contract, which never change. */
const known = new WeakMap<readonly DueRow[], Known>();

/** Nothing is left to earn of a fee that was recognized at once. */
const AT_ONCE: Deferral = { amount: 0, earnedThrough: () => 0 };

export function deferralOf(terms: LedgerTerms, amount: number, recognition: Recognition): Deferral {
  if (amount === 0 || recognition === 'atOnce') return AT_ONCE;
  const found = known.get(terms.rows);
  if (found?.amount === amount && found.recognition === recognition) return found.deferral;
  const deferral = recognition === 'straightLine' ? straight(terms, amount) : atLevelYield(terms, amount);
  known.set(terms.rows, { amount, recognition, deferral });
  return deferral;
}

function straight({ activation, rows }: LedgerTerms, amount: number): Deferral {
  const whole = (rows.at(-1)?.date ?? activation) - activation;
  return { amount, earnedThrough: (day) => earnedStraight(amount, day - activation + 1, whole) };
}

/** The fee is paid with the rows, as the contract says; within a period it is earned evenly. */
function atLevelYield({ activation, rows, principalCents, originationFee }: LedgerTerms, amount: number): Deferral {
  const periods: YieldPeriod[] = rows.map(({ date, amountCents, interestCents }, at) => ({
    length: date - (rows[at - 1]?.date ?? activation),
    paid: amountCents + feeShare(originationFee.logic, amount, at, rows.length),
    interest: interestCents,
  }));
  const net = principalCents - (originationFee.logic === 'separate' ? amount : 0);
  const earned = earnedAtLevelYield(amount, net, periods);
  return {
    amount,
    earnedThrough(day) {
      const at = rows.findIndex(({ date }) => day < date);
      if (at === -1) return amount;
      const start = rows[at - 1]?.date ?? activation;
      const before = earned[at - 1] ?? 0;
      return before + earnedStraight((earned[at] ?? amount) - before, day - start + 1, periods[at]?.length ?? 1);
    },
  };
}

function feeShare(logic: LedgerTerms['originationFee']['logic'], amount: number, at: number, count: number): number {
  if (logic === 'separate') return 0;
  if (logic === 'firstPayment') return at === 0 ? amount : 0;
  const share = Math.floor(amount / count);
  return at === count - 1 ? amount - share * (count - 1) : share;
}
