import type { Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import { adoptSettings } from '../core/rules.js';
import { ACCELERATION_ORDINAL, type FeeDueStatus, type ObligationState } from '../core/state.js';
import { chargeLateFeesIn, feeState, largestLateFeeIn, lateFeesNow, type NewFee, NO_ORDERS } from '../installment/shared.js';
import { joinWhole } from './acceleration.js';
import { feesOf } from './count-in-order.js';
import { countFor, noTotals } from './credit.js';
import { beginEntry, enter } from './entering.js';
import { principalCents } from './owed.js';
import { firstPeriod, runningPeriod, emitPeriod } from './periods.js';
import type { DrawState, LineFee, LineOrders, LineState, LineWatcher } from './state.js';
import type { LineTerms } from './terms.js';

export interface NewLineFee extends NewFee {
  readonly origin: LineFee['origin'];
  readonly fromDueDate?: Day;
}

/** Adds a fee of a draw, or of the line, with the due status of its charge logic. */
export function addFee(state: LineState, draw: DrawState | null, fee: NewLineFee): void {
  const dueStatus = dueStatusAtCharge(state, fee);
  const added = lineFee(draw, fee, false);
  added.openCents = fee.amountCents;
  added.dueStatus = dueStatus;
  added.dueDay = dueStatus === 'nonDue' ? null : fee.chargeDay;
  feesOf(state, draw).push(added);
  countFor(state, draw, (totals) => (totals.feesChargedCents += fee.amountCents));
  if (state.status === 'accelerated' || state.status === 'chargedOff') joinWhole(state, draw, added);
}

/** A waived fee stays in the list without effect, so that the interface can show it. */
export function noteWaivedFee(state: LineState, draw: DrawState | null, fee: NewLineFee): void {
  feesOf(state, draw).push(lineFee(draw, fee, true));
}

const lineFee = (draw: DrawState | null, fee: NewLineFee, isCanceled: boolean): LineFee => ({
  ...feeState(fee, isCanceled),
  draw: draw?.draw ?? null,
  origin: fee.origin,
  fromDueDate: fee.fromDueDate ?? null,
  capitalizedCents: 0,
});

function dueStatusAtCharge(state: LineState, { chargeLogic }: NewLineFee): FeeDueStatus {
  if (state.status === 'chargedOff') return 'chargedOff';
  return chargeLogic === 'immediate' || state.status === 'accelerated' ? 'due' : 'nonDue';
}

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
  firstHeldPayment: 0,
  processingPayments: 0,
  totals: noTotals(terms.activation),
});

/** Minimum payments earn late fees, an acceleration does not. */
export const canEarnLateFee = ({ isFulfilled, ordinal }: ObligationState): boolean => !isFulfilled && ordinal !== ACCELERATION_ORDINAL;

/** 00:50: charges late fees of the line for minimum payments whose day has come. */
export function chargeLateFees(state: LineState): void {
  if (lateFeesNow(state).length === 0) return;
  chargeLateFeesIn({
    state,
    fees: state.fees,
    periodStart: runningPeriod(state).startDate,
    principalCents: () => principalOf(state),
    canEarn: canEarnLateFee,
    addFee: (fee) => {
      const before = beginEntry(state);
      addFee(state, null, { ...fee, origin: 'late' });
      enter(state, before, 'lateFee');
    },
    noteWaived: (fee) => noteWaivedFee(state, null, { ...fee, origin: 'late' }),
  });
}

const principalOf = (state: LineState): number => state.draws.reduce((sum, draw) => sum + principalCents(draw), 0);

/** The largest late fee that a minimum payment of this amount can earn. Statements warn of it. */
export const largestLineLateFeeCents = (state: LineState, obligationCents: number): Cents =>
  largestLateFeeIn({ state, fees: state.fees, principalCents: () => principalOf(state) }, obligationCents);
