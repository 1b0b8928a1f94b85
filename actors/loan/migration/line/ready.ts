import { type Cents, type Day, formatCents, formatDay } from '../../../../engine/index.js';
import { currentSettings } from '../../../company/index.js';
import { type Fault, refuse } from '../../../errors.js';
import type { EvolveEnv } from '../../../kernel/actor.js';
import { loanTypeOf, recordOf } from '../../context.js';
import { findDraw } from '../../draws/draw.js';
import type { LoanState } from '../../state.js';
import { chainFaults, dayRuleFaults, historyDayFaults, seedFaults, sharedFaults } from './check.js';
import { knownPeriods } from './periods.js';
import { historyOf } from './taking.js';
import { type LineHistory, type MigratedBalances, type Part, DUE_STATUSES } from './history.js';

/** All faults in a line's stated history that prevent its migration. */
export function lineFaults(state: LoanState, env: EvolveEnv): readonly Fault[] {
  const history = historyOf(state);
  const periods = knownPeriods(history);
  const { schedule } = currentSettings(loanTypeOf(env, state));
  const unstated = state.draws.filter(
    ({ id, status, drawType }) =>
      status === 'originated' && drawType !== 'static' && !history.drawPeriods.some(({ drawId }) => drawId === id),
  );
  return [
    ...sharedFaults(periods),
    ...chainFaults(periods),
    ...(history.period === null ? [] : dayRuleFaults(recordOf(state).atOrigination, schedule, history.period)),
    ...unstated.map(({ id }) => ({ path: `draws.${id}`, expected: 'its migration period', message: 'is missing' })),
    ...seedFaults(history),
    ...chargedFaults(state, history),
    ...lateFaults(state, history),
  ];
}

/** Fees and purchases that were recorded as history before the cutoff was stated, and are not before it. */
function lateFaults(state: LoanState, { pastFees }: LineHistory): readonly Fault[] {
  const statics = new Set(state.draws.filter(({ drawType }) => drawType === 'static').map(({ draw }) => draw));
  const purchases = state.purchases.all().filter(({ draw, status }) => statics.has(draw) && status !== 'canceled' && status !== 'declined');
  return [
    ...pastFees
      .filter(({ canceledAt }) => canceledAt === null)
      .flatMap(({ id, chargeDay }) => historyDayFaults(state, chargeDay, { path: `fees.${id}`, live: 'a current fee' })),
    ...purchases.flatMap(({ id, effective }) =>
      historyDayFaults(state, effective.day, { path: `purchases.${id}`, live: 'a purchase of its draw' }),
    ),
  ];
}

/** The unpaid part of an origination or draw fee must not exceed the fee of the loan or draw. */
function chargedFaults(state: LoanState, { period, drawPeriods }: LineHistory): readonly Fault[] {
  const faults: Fault[] = [];
  const check = (path: string, unpaidCents: number, feeCents: Cents): void => {
    if (unpaidCents > feeCents)
      faults.push({ path, expected: `${formatCents(feeCents)} or less in all`, message: 'is more than the fee at origination' });
  };
  if (period !== null)
    check(
      'period.dueBalances.dueOriginationFeesAmount',
      overDueStatuses(period.balances, 'OriginationFees'),
      recordOf(state).atOrigination.fees.originationFeeCents,
    );
  for (const { drawId, balances } of drawPeriods) {
    const fees = findDraw(state, drawId)?.atOrigination;
    if (fees === undefined || fees.drawFeePercentageOfPrincipal !== 0) continue;
    check(`draws.${drawId}.dueBalances.dueDrawFeesAmount`, overDueStatuses(balances, 'DrawFees'), fees.drawFeeCents);
  }
  return faults;
}

const overDueStatuses = <Name extends Part>(balances: MigratedBalances<Name>, part: Name): number =>
  DUE_STATUSES.reduce((sum, at) => sum + (balances[at][part] ?? 0), 0);

/** A fault outside of the days from the cutoff to the due date: a later period would have to be stated. */
export function windowFaults(state: LoanState, today: Day): readonly Fault[] {
  const { period } = historyOf(state);
  if (period === null) return [];
  const { statementDay, dueDay } = period;
  if (today > dueDay)
    return [{ path: 'period.dueDate', expected: `${formatDay(today)} or later`, message: `${formatDay(dueDay)} has passed` }];
  if (today >= statementDay) return [];
  const message = `${formatDay(statementDay)} has not come yet`;
  return [{ path: 'period.statementDate', expected: `${formatDay(today)} or earlier`, message }];
}

/** 409 outside of these days, whatever else the loan lacks. */
export function requireWindow(state: LoanState, today: Day): void {
  const errors = windowFaults(state, today);
  if (errors.length === 0) return;
  refuse('invalidState', 'A line of credit can be migrated only from its statement date to its due date.', { errors });
}

/** The first day of a loan's live activity: its activation, or the cutoff of a line. */
export const liveFrom = (state: LoanState, activatedDay: Day): Day => historyOf(state).period?.statementDay ?? activatedDay;
