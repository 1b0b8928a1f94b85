import { must } from '../../assert.js';
import { addDays, type Day, latest } from '../../calendar/index.js';
import { type Accrued, type Cents, cents, ZERO } from '../../money/index.js';
import { blockOf, interestAndFeesOf, paidOf, sumOfBlocks } from '../core/balance-views.js';
import { type ComingFee, isFeeWaived, manualFee, NO_COMING_FEES } from '../core/fees.js';
import { accruedOf, type Interest, minus, NO_INTEREST } from '../core/interest.js';
import { ACCELERATION_ORDINAL, type FeeDueStatus } from '../core/state.js';
import type { Payoff } from '../core/views.js';
import { accrueTo } from './accrue.js';
import { advanceTo } from './advance.js';
import { creditOf, drawOf, findDraw } from './credit.js';
import { isOriginal } from './entering.js';
import { addFee } from './fees.js';
import { drawOwedCents, interestCents, lineOwedCents, openFeesCents, principalCents } from './owed.js';
import { allocateMoney, beginTally } from './pay.js';
import { runningPeriod } from './periods.js';
import type { DrawState, LineObligation, LineState } from './state.js';
import type { LineBalanceBlock, LineBalances, LineScheduleRow } from './views.js';

/**
 * A copy for simulations. It shares what does not change any more: terms, rates, periods, rows, payments, and settled
 * obligations. It has no watcher.
 */
export const cloneLine = (state: LineState): LineState => ({
  ...state,
  watcher: null,
  periods: [...state.periods],
  draws: state.draws.map(cloneDraw),
  fees: state.fees.map((fee) => ({ ...fee })),
  obligations: copyObligations(state),
  payments: [...state.payments],
  overpaid: state.overpaid.copy(),
  totals: { ...state.totals },
});

/** A copy for accrual only: it shares obligations, fees and payments with the original. */
const cloneToAccrue = (state: LineState): LineState => ({
  ...state,
  watcher: null,
  draws: state.draws.map((draw) => ({ ...draw, balances: { ...draw.balances }, totals: { ...draw.totals } })),
  totals: { ...state.totals },
});

/** Copies obligations that can still change, and the last one, which decides the grace. */
function copyObligations({ obligations, firstOpenObligation, firstUnenforced }: LineState): LineObligation[] {
  const before = Math.min(firstOpenObligation, firstUnenforced, obligations.length - 1);
  return obligations.map((obligation, at) => (at < before && isSettled(obligation) ? obligation : cloneObligation(obligation)));
}

/** Paid to the last cent, and not the obligation of an acceleration, which later charges join. */
const isSettled = ({ ordinal, remainingCents, draws }: LineObligation): boolean =>
  remainingCents === 0 && ordinal !== ACCELERATION_ORDINAL && draws.every((part) => part.remainingCents === 0);

const cloneDraw = (draw: DrawState): DrawState => ({
  ...draw,
  balances: { ...draw.balances },
  fees: draw.fees.map((fee) => ({ ...fee })),
  totals: { ...draw.totals },
});

const cloneObligation = (obligation: LineObligation): LineObligation => ({
  ...obligation,
  grace: { ...obligation.grace },
  draws: obligation.draws.map((part) => ({ ...part, grace: { ...part.grace } })),
});

/** The most projected rows: minimum payments may take a lifetime. */
const MOST_PROJECTED_ROWS = 600;

/**
 * Past rows, then the expected rows if everything is paid on its due date: all rows of an amortized draw, else the row of the
 * running period (for a line without a balance: one row of zero).
 */
export function lineScheduleOf(state: LineState, draw: number | null = null, coming = NO_COMING_FEES): readonly LineScheduleRow[] {
  const booked = state.obligations.flatMap((obligation) => rowOf(obligation, draw, obligation.isFulfilled ? 'completed' : 'booked'));
  return [...booked, ...projectedRows(state, draw, coming)];
}

function projectedRows(state: LineState, draw: number | null, coming: readonly ComingFee[]): readonly LineScheduleRow[] {
  if (state.status !== 'active' && state.status !== 'frozen') return [];
  const copy = cloneLine(state);
  copy.status = 'active';
  payAll(copy);
  const rows: LineScheduleRow[] = [];
  let toCome = coming;
  do {
    const { ordinal, statementDate } = runningPeriod(copy);
    toCome = advanceWithFees(copy, statementDate, toCome);
    const obligation = must(copy.obligations.at(-1), 'a statement fixes an obligation');
    rows.push(...rowOf(obligation, draw, ordinal === runningPeriod(state).ordinal ? 'booked' : 'projected'));
    toCome = advanceWithFees(copy, obligation.dueDay, toCome);
    payAll(copy);
  } while (isGoingOn(copy, draw) && rows.length < MOST_PROJECTED_ROWS);
  return rows;
}

/**
 * Moves a copy to a day with the fees of coming days, each of which is charged behind the work of its day. Returns the fees of the day and
 * later.
 */
export function advanceWithFees(copy: LineState, day: Day, coming: readonly ComingFee[]): readonly ComingFee[] {
  for (const fee of coming) {
    const draw = fee.draw === null ? null : findDraw(copy, fee.draw);
    if (fee.effective.day >= day || draw === undefined || isFeeWaived(copy.orders, fee)) continue;
    advanceTo(copy, latest(copy.day, fee.effective.day));
    addFee(copy, draw, { ...manualFee(fee), origin: 'charged' });
  }
  advanceTo(copy, day);
  return coming.filter(({ effective }) => effective.day >= day);
}

/** Whether the projection continues: only amortized draws have an end. */
function isGoingOn(copy: LineState, draw: number | null): boolean {
  return copy.draws.some((of) => (draw === null || of.draw === draw) && of.isAmortized && drawOwedCents(of) > 0);
}

/** Pays everything that is due. */
function payAll(copy: LineState): void {
  const dueCents = copy.obligations.reduce((sum, { remainingCents }) => sum + remainingCents, 0);
  const amountCents = Math.min(dueCents, lineOwedCents(copy));
  if (amountCents === 0) return;
  allocateMoney(copy, beginTally({ transaction: 0, kind: 'payment', effective: { day: copy.day, seconds: 0 }, amountCents }), null);
}

function rowOf(obligation: LineObligation, draw: number | null, status: LineScheduleRow['status']): readonly LineScheduleRow[] {
  const parts = obligation.draws.filter((part) => draw === null || part.draw === draw);
  const sum = (of: (part: LineObligation['draws'][number]) => number): Cents => cents(parts.reduce((total, part) => total + of(part), 0));
  if (draw !== null && parts.length === 0) return [];
  return [
    {
      ordinal: obligation.period.ordinal,
      date: obligation.dueDay,
      status,
      amountCents: sum((part) => part.amountCents),
      principalCents: sum((part) => part.amountCents - part.interestCents - part.feesCents),
      interestCents: sum((part) => part.interestCents),
      feesCents: sum((part) => part.feesCents),
    },
  ];
}

/** All blocks of balances on the state's day: of the line with all its draws, or of one draw. */
export function lineBalancesOf(state: LineState, draw: number | null = null): LineBalances {
  const holders: readonly (DrawState | null)[] = draw === null ? [null, ...state.draws] : [drawOf(state, draw)];
  const block = (dueStatus: FeeDueStatus): LineBalanceBlock =>
    sumOfLineBlocks(holders.map((holder) => blockOfHolder(state, holder, dueStatus)));
  const nonDue = block('nonDue');
  const due = block('due');
  const overdue = block('overdue');
  const totals = draw === null ? state.totals : drawOf(state, draw).totals;
  return {
    outstanding: sumOfLineBlocks([nonDue, due, overdue]),
    nonDue,
    due,
    overdue,
    chargedOff: block('chargedOff'),
    paid: paidOf(totals),
    interestAndFees: interestAndFeesOf(totals, { forgoneCap: NO_INTEREST, dailyInterest: dailyInterestOf(state, draw) }),
    credit: creditOf(state, draw),
  };
}

/** The line itself (null) has only fees. */
function blockOfHolder(state: LineState, draw: DrawState | null, dueStatus: FeeDueStatus): LineBalanceBlock {
  const fees = draw === null ? state.fees : draw.fees;
  const originationCents = openFeesCents(fees.filter((fee) => isOriginal(fee) && fee.dueStatus === dueStatus));
  const others = fees.filter((fee) => !isOriginal(fee));
  const block = blockOf(draw === null ? null : draw.balances, others, { dueStatus, originationCents });
  if (draw === null) return { ...block, drawFeesCents: ZERO };
  return { ...block, originationFeesCents: ZERO, drawFeesCents: cents(originationCents) };
}

const sumOfLineBlocks = (blocks: readonly LineBalanceBlock[]): LineBalanceBlock => ({
  ...sumOfBlocks(blocks),
  drawFeesCents: cents(blocks.reduce((sum, { drawFeesCents }) => sum + drawFeesCents, 0)),
});

/** The interest of the state's day on its current balances. */
function dailyInterestOf(state: LineState, draw: number | null): Accrued {
  const next = cloneToAccrue(state);
  accrueTo(next, addDays(state.day, 1));
  const accrued = (of: LineState): Interest => (draw === null ? of.totals : drawOf(of, draw).totals).interestAccrued;
  return accruedOf(minus(accrued(next), accrued(state)));
}

/**
 * The payment on `day` (the state's day or later) that leaves nothing on the line, or on one draw, if there are no payments until
 * then: with the interest of every day before it, truncated to the cent.
 */
export function linePayoffOf(state: LineState, day: Day, draw: number | null = null): Payoff {
  const copy = cloneLine(state);
  advanceTo(copy, day);
  const draws = draw === null ? copy.draws : [drawOf(copy, draw)];
  const principal = draws.reduce((sum, of) => sum + principalCents(of), 0);
  const interest = draws.reduce((sum, of) => sum + interestCents(of), 0);
  const fees = draws.reduce((sum, of) => sum + openFeesCents(of.fees), draw === null ? openFeesCents(copy.fees) : 0);
  return {
    day,
    payoffCents: cents(principal + interest + fees),
    principalCents: cents(principal),
    interestCents: cents(interest),
    feesCents: cents(fees),
    dailyInterest: dailyInterestOf(copy, draw),
    processingCents: cents(processingCents(state, draw)),
  };
}

/** Money that is counted but not settled yet. */
function processingCents({ payments, processingPayments }: LineState, draw: number | null): number {
  let total = 0;
  let leftPayments = processingPayments;
  for (let at = payments.length - 1; at >= 0 && leftPayments > 0; at -= 1) {
    const payment = payments[at];
    if (payment?.isProcessing !== true) continue;
    leftPayments -= 1;
    if (draw === null) total += payment.amountCents;
    else for (const split of payment.splits) if (split.draw === draw) total += split.principalCents + split.interestCents + split.feesCents;
  }
  return total;
}
