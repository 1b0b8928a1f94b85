import { OverpaidMoney } from '../core/paid-over.js';
import { NO_ORDERS } from '../core/retroactive-adjustment.js';
import { adoptSettings } from '../core/rules.js';
import { noTotals } from './credit.js';
import { beginEntry, enter } from './entering.js';
import { addFee } from './fees.js';
import { emitPeriod, firstPeriod } from './periods.js';
import type { LineOrders, LineState, LineWatcher } from './state.js';
import type { LineTerms } from './terms.js';

export const NO_LINE_ORDERS: LineOrders = { ...NO_ORDERS, drawFeesCents: new Map(), askedCents: new Map() };

export interface LineStart {
  readonly watcher?: LineWatcher | null;
  readonly orders?: LineOrders;
}

/** The ledger at activation: nothing is drawn, the origination fee is added, the first period begins. */
export function startLine(terms: LineTerms, { watcher = null, orders = NO_LINE_ORDERS }: LineStart = {}): LineState {
  const state = emptyLine(terms, orders, watcher);
  adoptSettings(state);
  addOriginationFee(state);
  const { day, seconds } = state;
  const period = firstPeriod(terms.schedule, terms.activation);
  state.periods.push(period);
  emitPeriod(state, period);
  watcher?.happened({ type: 'current', day, seconds });
  return state;
}

/** `separate` is due by itself at once. A line has no last due date, so the other options fall due with the first due date. */
function addOriginationFee(state: LineState): void {
  const { logic } = state.terms.originationFee;
  const amountCents = state.orders.originationFeeCents ?? state.terms.originationFee.amountCents;
  if (amountCents === 0) return;
  const before = beginEntry(state);
  addFee(state, null, {
    fee: null,
    obligation: null,
    feeTypeId: 'originationFee',
    kind: 'otherFee',
    chargeLogic: logic === 'separate' ? 'immediate' : 'nextDueDate',
    chargeDay: state.day,
    chargeSeconds: 0,
    knownDay: state.day,
    amountCents,
    origin: 'origination',
  });
  enter(state, before, 'originationFee');
}

const emptyLine = (terms: LineTerms, orders: LineOrders, watcher: LineWatcher | null): LineState => ({
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
  isClosed: false,
  isFrozen: false,
  limitCents: terms.creditLimitCents,
  schedule: terms.schedule,
  settingsIndex: 0,
  periods: [],
  draws: [],
  fees: [],
  obligations: [],
  replaced: [],
  firstOpenObligation: 0,
  firstUnenforced: 0,
  isOverdue: false,
  prepaidCents: 0,
  openPaidCents: 0,
  lateFeeAheadCents: 0,
  unassignedCents: 0,
  payments: [],
  heldCredit: [],
  overpaid: new OverpaidMoney(),
  processingPayments: 0,
  totals: noTotals(terms.activation),
});
