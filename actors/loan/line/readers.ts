import {
  addDays,
  advanceLine,
  computeLine,
  type Day,
  type LineBalances,
  lineBalancesOf,
  type LineFact,
  linePayoffOf,
  type LineState,
  must,
  type Payoff,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { lineFactsOf, lineOfCredit, lineTermsOf } from './ledger.js';

/** Balances of a line, or of one of its draws; before the draw's activation there are none. */
export function lineBalancesOfDraw(ledger: LineState, draw: number | null): LineBalances {
  const isKnown = draw === null || ledger.draws.some((known) => known.draw === draw);
  return isKnown ? lineBalancesOf(ledger, draw) : lineBalancesOf({ ...ledger, draws: [], fees: [], payments: [] });
}

/** Shows the ledger at the end of each day: moved on where nothing happens, computed again where a fact lies. */
export function lineByDay(
  state: LoanState,
  env: EvolveEnv,
  { from, to }: { readonly from: Day; readonly to: Day },
  see: (ledger: LineState) => void,
): void {
  const terms = lineTermsOf(state, env);
  const facts = lineFactsOf(must(state.line, `${state.id} has no line of credit`));
  const busy = new Set(facts.flatMap(daysOf));
  let ledger = computeLine(terms, facts, from);
  see(ledger);
  for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) {
    if (busy.has(day)) ledger = computeLine(terms, facts, day);
    else advanceLine(ledger, day);
    see(ledger);
  }
}

const daysOf = (fact: LineFact): readonly Day[] => [fact.effective.day, ...(fact.type === 'paymentMoved' ? [fact.newEffective.day] : [])];

/** What pays a line, or one draw of it, off on a day; a draw that was never activated owes nothing. */
export function linePayoff(
  state: LoanState,
  env: EvolveEnv,
  { today, day, draw }: { readonly today: Day; readonly day: Day; readonly draw: number | null },
): Payoff {
  const ledger = lineOfCredit.on(state, env, today);
  const isKnown = draw === null || ledger.draws.some((known) => known.draw === draw);
  return isKnown ? linePayoffOf(ledger, day, draw) : linePayoffOf({ ...ledger, draws: [], fees: [], payments: [] }, day);
}
