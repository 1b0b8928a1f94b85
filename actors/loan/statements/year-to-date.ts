import {
  type Accrued,
  ACCRUED_ZERO,
  addAccrued,
  balancesOf,
  type Cents,
  civil,
  cycleOf,
  type Day,
  type InterestDay,
  lineBalancesOf,
  lineCycleOf,
  roundAccrued,
  subtractAccrued,
  sum,
  ZERO,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { servicingOf } from '../context.js';
import { factsOf, ledgerOf } from '../ledger/installment.js';
import { lineFactsOf, lineOf } from '../line/ledger.js';
import type { LoanState } from '../state.js';
import { figuresOf, type StatementRecord } from './record.js';

/** The interest that a cycle charges, and what its ledger has accrued in the year of its statement. */
interface Charged {
  readonly statementDay: Day;
  readonly openingCents: Cents;
  readonly interestCents: Cents;
  readonly interestDays: readonly InterestDay[];
  readonly accruedThisYear: Accrued;
}

/**
 * The interest charged in the year of a statement: the sum of the year's statements, each rounded to the cent, and what later facts have
 * changed about them since. Of a cycle that began in the year before, the days of this year count.
 */
export function interestThisYear(state: LoanState, env: EvolveEnv, before: StatementRecord | null, cycle: Charged): Cents {
  const { year } = civil(cycle.statementDay);
  const ofThisYear = cycle.interestDays.filter(({ day }) => civil(day).year === year);
  const accrued = ofThisYear.reduce<Accrued>((total, { interest }) => addAccrued(total, interest), ACCRUED_ZERO);
  if (ofThisYear.length < cycle.interestDays.length) return roundAccrued(accrued, 'halfUp');
  const stated = before === null ? null : figuresOf(before);
  if (before === null || stated?.yearToDateInterestCharged == null)
    return sum([roundAccrued(subtractAccrued(cycle.accruedThisYear, accrued), 'halfUp'), cycle.interestCents]);
  if (civil(before.statementDay).year !== year) return cycle.interestCents;
  const isChanged = stated.newBalanceAmount !== null && stated.newBalanceAmount !== cycle.openingCents;
  return sum([stated.yearToDateInterestCharged, isChanged ? changeSince(state, env, before) : ZERO, cycle.interestCents]);
}

/** What facts that were recorded after a statement have changed about the interest of its year. */
function changeSince(state: LoanState, env: EvolveEnv, { statementDay, knownFacts }: StatementRecord): Cents {
  const accruedBy = (count: number | undefined): Accrued => {
    const days = { after: null, day: statementDay };
    const balances =
      state.line === null
        ? balancesOf(cycleOf(ledgerOf(state, env).terms, factsOf(servicingOf(state)).slice(0, count), days).state)
        : lineBalancesOf(lineCycleOf(lineOf(state, env).terms, lineFactsOf(state.line).slice(0, count), days).state);
    return balances.interestAndFees.interestAccruedYearToDate;
  };
  return roundAccrued(subtractAccrued(accruedBy(undefined), accruedBy(knownFacts)), 'halfUp');
}
