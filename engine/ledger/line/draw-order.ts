import { rateOn } from '../../rates/index.js';
import { settingsOf } from '../core/settings.js';
import type { DrawState, LineFee, LineState } from './state.js';
import type { DrawOrder } from './terms.js';

/** By what a step of the multi-waterfall compares draws: the greater one goes first. */
const KEYS: Readonly<Record<DrawOrder, (state: LineState, draw: DrawState) => number>> = {
  overdueAmount: (_, { balances, fees }) => balances.overduePrincipalCents + balances.overdueInterestCents + feesIn(fees, 'overdue'),
  dueAmount: (_, { balances, fees }) => balances.duePrincipalCents + balances.dueInterestCents + feesIn(fees, 'due'),
  highestRate: (state, { rates }) => rateOn(rates, state.day).net,
  oldest: (_, { activation }) => -activation.effective.day,
};

function feesIn(fees: readonly LineFee[], standing: LineFee['standing']): number {
  let total = 0;
  for (const fee of fees) if (fee.standing === standing) total += fee.openCents;
  return total;
}

/** The draws, or some of them, in the order in which money reaches them, as they stand now. */
export function drawsInOrder(state: LineState, draws: readonly DrawState[] = state.draws): readonly DrawState[] {
  if (draws.length < 2) return draws;
  const { drawOrder } = settingsOf(state);
  const keyed = draws.map((draw) => ({ draw, keys: drawOrder.map((step) => KEYS[step](state, draw)) }));
  return keyed.sort((a, b) => compareKeys(a.keys, b.keys)).map(({ draw }) => draw);
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < a.length; at += 1) {
    const difference = (b[at] ?? 0) - (a[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
