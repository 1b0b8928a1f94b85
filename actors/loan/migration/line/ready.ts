import { type Cents, type Day, formatCents, formatDay } from '../../../../engine/index.js';
import { currentSettings } from '../../../company/index.js';
import { type Fault, refuse } from '../../../errors.js';
import type { EvolveEnv } from '../../../kernel/actor.js';
import { loanTypeOf, recordOf } from '../../context.js';
import { findDraw } from '../../draws/draw.js';
import type { LoanState } from '../../state.js';
import { chainFaults, dayRuleFaults, seedFaults, sharedFaults } from './check.js';
import { knownPeriods } from './commands/periods.js';
import { historyOf } from './taking.js';
import { type LineHistory, type MigratedBalances, type Part, STANDINGS } from './history.js';

/** All that keeps a line from being migrated as it was stated. */
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
  ];
}

/** What is unpaid of an origination or draw fee is part of the fee that the loan or draw was made with. */
function chargedFaults(state: LoanState, { period, drawPeriods }: LineHistory): readonly Fault[] {
  const faults: Fault[] = [];
  const check = (path: string, unpaidCents: number, feeCents: Cents): void => {
    if (unpaidCents > feeCents)
      faults.push({ path, expected: `${formatCents(feeCents)} or less in all`, message: 'is more than the fee at origination' });
  };
  if (period !== null)
    check(
      'period.dueBalances.dueOriginationFeesAmount',
      overStandings(period.balances, 'OriginationFees'),
      recordOf(state).atOrigination.fees.originationFeeCents,
    );
  for (const { drawId, balances } of drawPeriods) {
    const fees = findDraw(state, drawId)?.atOrigination;
    if (fees === undefined || fees.drawFeePercentageOfPrincipal !== 0) continue;
    check(`draws.${drawId}.dueBalances.dueDrawFeesAmount`, overStandings(balances, 'DrawFees'), fees.drawFeeCents);
  }
  return faults;
}

const overStandings = <Name extends Part>(balances: MigratedBalances<Name>, part: Name): number =>
  STANDINGS.reduce((sum, at) => sum + (balances[at][part] ?? 0), 0);

/** 409 outside of the days from the cutoff to the due date: a later period would have to be seeded. */
export function requireWindow(state: LoanState, today: Day): void {
  const { period } = historyOf(state);
  if (period === null || (today >= period.statementDay && today <= period.dueDay)) return;
  const expected = `${formatDay(period.statementDay)} to ${formatDay(period.dueDay)}`;
  refuse('invalidState', `A line of credit can be migrated only from its statement date to its due date: ${expected}.`, {
    errors: [
      {
        path: 'period.dueDate',
        expected: `${formatDay(today)} or later`,
        message: today > period.dueDay ? 'has passed' : 'has not come yet',
      },
    ],
  });
}

/** The first day of the live activity of a loan: its activation, of a line its cutoff. */
export const liveFrom = (state: LoanState, activatedDay: Day): Day => historyOf(state).period?.statementDay ?? activatedDay;
