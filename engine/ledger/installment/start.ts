import { assert, must } from '../../assert.js';
import { addDays } from '../../calendar/index.js';
import { withoutIdleDays, yearEndAfter } from '../core/accrual.js';
import { NOTHING_DIGESTED } from '../core/digest.js';
import type { LedgerWatcher } from '../core/entries.js';
import { NO_INTEREST } from '../core/interest.js';
import { NO_ORDERS } from '../core/retroactive-adjustment.js';
import { adoptSettings } from '../core/rules.js';
import { PaymentList } from './payment-list.js';
import type { OrdersInForce } from '../core/state.js';
import type { LedgerTerms, OriginationFee } from '../core/terms.js';
import { beginEntry, enter } from './entering.js';
import { firstFacts, hasScheduledInterest, settle } from './scheduled-interest/scheduled-ledger.js';
import type { LedgerState, LedgerTotals } from './state.js';

export interface LedgerStart {
  readonly watcher?: LedgerWatcher | null;
  readonly orders?: OrdersInForce;
}

/** The ledger at activation: principal is paid out, fees are added, the first period begins. */
export function startLedger(terms: LedgerTerms, { watcher = null, orders = NO_ORDERS }: LedgerStart = {}): LedgerState {
  const firstRow = must(terms.rows[0], 'a ledger has a schedule');
  assert(firstRow.date > terms.activation, 'due dates lie after activation');
  const state = emptyLedger(terms, orders, watcher);
  adoptSettings(state);
  const before = beginEntry(state);
  state.nonDuePrincipalCents = terms.principalCents;
  enter(state, before, 'disbursement');
  if (hasScheduledInterest(state)) settleAtOnce(state);
  addOriginationFee(state, terms.originationFee);
  const at = { day: state.day, seconds: state.seconds };
  watcher?.happened({
    type: 'periodStarted',
    ...at,
    period: 0,
    startDate: terms.activation,
    endDate: addDays(firstRow.date, -1),
    dueDate: firstRow.date,
  });
  watcher?.happened({ type: 'current', ...at });
  return state;
}

/** As contracted, or as changed since. */
export const originationFeeCentsOf = ({ orders, terms }: LedgerState): number =>
  orders.originationFeeCents ?? terms.originationFee.amountCents;

/** Interest that payments do not change is owed from the beginning. A down payment that the lender keeps back is paid at once. */
function settleAtOnce(state: LedgerState): void {
  const before = beginEntry(state);
  const { installments } = settle(state);
  const keptBackCents = installments.reduce((sum, { paid }) => sum + paid.principal, 0);
  state.totals.paymentsCents += keptBackCents;
  state.totals.paidPrincipalCents += keptBackCents;
  enter(state, before, keptBackCents === 0 ? 'interestAccrual' : 'downPayment');
}

/** Adds the origination fee by the configured option: with the rows, or due by itself at once. */
function addOriginationFee(state: LedgerState, { logic }: OriginationFee): void {
  const amountCents = originationFeeCentsOf(state);
  if (amountCents === 0) return;
  const before = beginEntry(state);
  if (logic === 'separate') state.dueOriginationFeeCents = amountCents;
  else state.nonDueOriginationFeeCents = amountCents;
  state.originationAskedCents = state.nonDueOriginationFeeCents;
  state.originationShareCents = Math.floor(amountCents / state.rows.length);
  state.totals.feesChargedCents += amountCents;
  enter(state, before, 'originationFee');
}

function emptyLedger(terms: LedgerTerms, orders: OrdersInForce, watcher: LedgerWatcher | null): LedgerState {
  return {
    terms,
    watcher,
    orders,
    seconds: 0,
    source: { type: 'activation' },
    day: terms.activation,
    lastFactDay: terms.activation,
    lastFactSeconds: -1,
    lastFactSequence: -1,
    status: 'active',
    statusSince: terms.activation,
    chargeOffReason: null,
    acceleratedSince: null,
    chargedOffSince: null,
    thresholdHolders: [],
    rates: withoutIdleDays(terms.rates, orders.idle),
    rateIndex: 0,
    unknownRates: null,
    isCapMissing: false,
    rows: terms.rows,
    dueDateRule: terms.dueDateRule,
    nextRow: 0,
    periodStart: terms.activation,
    settingsIndex: 0,
    nonDuePrincipalCents: 0,
    duePrincipalCents: 0,
    overduePrincipalCents: 0,
    chargedOffPrincipalCents: 0,
    nonDueInterest: NO_INTEREST,
    dueInterestCents: 0,
    overdueInterestCents: 0,
    chargedOffInterestCents: 0,
    nonDueOriginationFeeCents: 0,
    dueOriginationFeeCents: 0,
    overdueOriginationFeeCents: 0,
    chargedOffOriginationFeeCents: 0,
    originationShareCents: 0,
    originationAskedCents: 0,
    fees: [],
    openFeesCents: 0,
    obligations: [],
    replaced: [],
    firstOpenObligation: 0,
    firstUnenforced: 0,
    prepaidCents: 0,
    lateFeeAheadCents: 0,
    unassignedCents: 0,
    isOverdue: false,
    frozenSteps: null,
    scheduledFacts: terms.keeping === undefined ? null : firstFacts(terms),
    payments: new PaymentList(),
    processingPayments: 0,
    totals: emptyTotals(terms),
    digestedObligations: NOTHING_DIGESTED,
    digestedPayments: NOTHING_DIGESTED,
  };
}

function emptyTotals(terms: LedgerTerms): LedgerTotals {
  return {
    interestAccrued: NO_INTEREST,
    interestDiscount: NO_INTEREST,
    forgoneCap: NO_INTEREST,
    forgoneRounding: NO_INTEREST,
    capitalizedInterestCents: 0,
    advancedCents: 0,
    refundsCents: 0,
    reversedInterest: NO_INTEREST,
    reversedFeesCents: 0,
    returnedCents: 0,
    feesChargedCents: 0,
    paymentsCents: 0,
    creditsCents: 0,
    paidPrincipalCents: 0,
    paidInterestCents: 0,
    paidFeesCents: 0,
    paidOverCents: 0,
    reimbursementCents: 0,
    reimbursedCents: 0,
    owedAgainCents: 0,
    yearEnd: yearEndAfter(terms.activation),
    interestAccruedBeforeYear: NO_INTEREST,
    feesChargedBeforeYearCents: 0,
    paidInterestBeforeYearCents: 0,
    interestAccruedBeforePeriod: NO_INTEREST,
    interestDiscountBeforePeriod: NO_INTEREST,
  };
}
