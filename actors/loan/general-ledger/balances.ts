import {
  accruedOf,
  accruedOfCents,
  accruedUnits,
  addDays,
  cents,
  computeLedger,
  computeLine,
  type Day,
  dayAt,
  type generalLedger,
  type LedgerState,
  type LineState,
  roundAccrued,
  startOfDay,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { recordOf } from '../context.js';
import { termsOf } from '../ledger/installment.js';
import { type LineServicing, lineTermsOf } from '../line/ledger.js';
import type { LoanState, Servicing } from '../state.js';
import { accountingEntries } from './entries.js';

/** What a loan owes at the end of a day as known then, in cents: of its own ledger, without the general one. */
export interface AccountingBalances {
  readonly principal: number;
  /** With the interest of the day itself, rounded half up. */
  readonly interest: number;
  readonly fees: number;
  readonly borrowerCredit: number;
  readonly chargedOff: number;
}

const NOTHING: AccountingBalances = { principal: 0, interest: 0, fees: 0, borrowerCredit: 0, chargedOff: 0 };

export function accountingBalances(state: LoanState, env: EvolveEnv, date: Day): AccountingBalances {
  const { servicing, line } = state;
  if (servicing !== null) return balancesOfInstallment(state, env, { servicing, date });
  return line === null ? NOTHING : balancesOfLine(state, env, { line, date });
}

function balancesOfInstallment(
  state: LoanState,
  env: EvolveEnv,
  { servicing, date }: { readonly servicing: Servicing; readonly date: Day },
): AccountingBalances {
  const { zone } = recordOf(state);
  const terms = termsOf(state, env, startOfDay(zone, addDays(date, 1)) - 1);
  if (dayAt(zone, servicing.recordedAt) > date || terms.activation > date) return NOTHING;
  const known = servicing.facts.all().flatMap(({ fact }) => (fact.recordedDay <= date ? [fact] : []));
  const ledger = computeLedger(terms, known, date);
  if (ledger.status === 'canceled') return ofCanceled(ledger);
  const effective = known.filter((fact) => fact.effective.day <= date);
  const next = computeLedger(terms, effective, addDays(date, 1));
  const today = accruedOf(next.totals.interestAccrued) - accruedOf(ledger.totals.interestAccrued);
  return {
    principal: ledger.nonDuePrincipalCents + ledger.duePrincipalCents + ledger.overduePrincipalCents,
    interest: roundAccrued(accruedUnits(exactInterest(ledger) + today), 'halfUp'),
    fees: feesOf(ledger, false),
    borrowerCredit: creditOf(ledger),
    chargedOff: ledger.chargedOffPrincipalCents + ledger.chargedOffInterestCents + feesOf(ledger, true),
  };
}

const creditOf = ({ totals }: Pick<LedgerState | LineState, 'totals'>): number => totals.reimbursementCents - totals.reimbursedCents;

/** A canceled loan owes nothing; what the borrower has paid is the borrower's. */
const ofCanceled = (ledger: Pick<LedgerState | LineState, 'totals'>): AccountingBalances => ({
  ...NOTHING,
  borrowerCredit: creditOf(ledger),
});

const exactInterest = ({ nonDueInterest, dueInterestCents, overdueInterestCents }: LedgerState): bigint =>
  accruedOf(nonDueInterest) + accruedOfCents(cents(dueInterestCents)) + accruedOfCents(cents(overdueInterestCents));

function feesOf(ledger: LedgerState, isChargedOff: boolean): number {
  const charged = ledger.fees.reduce((sum, fee) => ((fee.dueStatus === 'chargedOff') === isChargedOff ? sum + fee.openCents : sum), 0);
  return isChargedOff
    ? charged + ledger.chargedOffOriginationFeeCents
    : charged + ledger.nonDueOriginationFeeCents + ledger.dueOriginationFeeCents + ledger.overdueOriginationFeeCents;
}

/** A line accrues by draw, and adds minimum charges: the interest of the day itself is that of its entries. */
function balancesOfLine(
  state: LoanState,
  env: EvolveEnv,
  { line, date }: { readonly line: LineServicing; readonly date: Day },
): AccountingBalances {
  const { zone } = recordOf(state);
  const terms = lineTermsOf(state, env, startOfDay(zone, addDays(date, 1)) - 1);
  if (dayAt(zone, line.recordedAt) > date || terms.activation > date) return NOTHING;
  const known = line.facts.all().flatMap(({ fact }) => (fact.recordedDay <= date ? [fact] : []));
  const ledger = computeLine(terms, known, date);
  if (ledger.status === 'canceled') return ofCanceled(ledger);
  const sumOfDraws = (of: (balances: DrawBalances) => number): number => ledger.draws.reduce((sum, { balances }) => sum + of(balances), 0);
  return {
    principal: sumOfDraws((its) => its.nonDuePrincipalCents + its.duePrincipalCents + its.overduePrincipalCents),
    interest:
      interestOfDay(state, env, date) +
      sumOfDraws(
        (its) => roundAccrued(accruedUnits(accruedOf(its.nonDueInterest)), 'halfUp') + its.dueInterestCents + its.overdueInterestCents,
      ),
    fees: feesOfLine(ledger, false),
    borrowerCredit: creditOf(ledger),
    chargedOff: sumOfDraws((its) => its.chargedOffPrincipalCents + its.chargedOffInterestCents) + feesOfLine(ledger, true),
  };
}

type DrawBalances = LineState['draws'][number]['balances'];

const feesOfLine = ({ fees, draws }: LineState, isChargedOff: boolean): number =>
  [...fees, ...draws.flatMap((draw) => draw.fees)].reduce(
    (sum, fee) => ((fee.dueStatus === 'chargedOff') === isChargedOff ? sum + fee.openCents : sum),
    0,
  );

/** What is held of interest: the lender's own part, the others', and what is not recognized. */
const INTEREST: ReadonlySet<generalLedger.Role> = new Set<generalLedger.Role>([
  'interestReceivable',
  'memoNonaccrualInterest',
  'memoServicedInterest',
]);

/** What the close of a day has accrued for the day itself. */
function interestOfDay(state: LoanState, env: EvolveEnv, date: Day): number {
  const { entries } = accountingEntries(state, env, { bases: ['accrual'], from: date, through: date }, { isSpent: false });
  const own = entries.filter(
    ({ factType, effectiveDate, corrects }) => factType === 'dayClosed' && effectiveDate === date && corrects === undefined,
  );
  return own.flatMap(({ lines }) => lines).reduce((sum, { role, amount }) => (INTEREST.has(role) ? sum + amount : sum), 0);
}
