import {
  addDays, advanceLine, cents, computeLine, type Day, drawOwedCents, type LineBalances, lineBalancesOf, type LineFact, lineOwedCents, type LineState, must, type Payoff,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import type { LoanState } from '../state.js';
import { lineFactsOf, lineOn, lineTermsOf } from './ledger.js';

/** Balances of a line, or of one of its draws; before the draw's activation there are none. */
export function lineBalancesOfDraw(ledger: LineState, draw: number | null): LineBalances {
  const isKnown = draw === null || ledger.draws.some((known) => known.draw === draw);
  return isKnown ? lineBalancesOf(ledger, draw) : lineBalancesOf({ ...ledger, draws: [], fees: [], payments: [] });
}

/** Shows the ledger at the end of each day: moved on where nothing happens, computed again where a fact lies. */
export function lineByDay(state: LoanState, env: EvolveEnv, { from, to }: { readonly from: Day; readonly to: Day }, see: (ledger: LineState) => void): void {
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

/** What pays a line, or one draw of it, off on a day: with the interest of every day before it, truncated to the cent (README 19). */
export function linePayoff(state: LoanState, env: EvolveEnv, day: Day, draw: number | null): Payoff {
  const ledger = lineOn(state, env, day);
  const { outstanding, chargedOff, interestAndFees } = lineBalancesOfDraw(ledger, draw);
  const drawState = ledger.draws.find((known) => known.draw === draw);
  const payoffCents = draw === null ? lineOwedCents(ledger) : drawState === undefined ? 0 : drawOwedCents(drawState);
  const principalCents = outstanding.principalCents + chargedOff.principalCents;
  const feesCents = outstanding.feesCents + chargedOff.feesCents;
  return {
    day,
    payoffCents: cents(payoffCents),
    principalCents: cents(principalCents),
    interestCents: cents(payoffCents - principalCents - feesCents),
    feesCents: cents(feesCents),
    dailyInterest: interestAndFees.dailyInterest,
    processingCents: cents(processingOf(ledger, draw)),
  };
}

/** Money that was counted and has not settled. */
function processingOf({ payments }: LineState, draw: number | null): number {
  let total = 0;
  for (const { isProcessing, amountCents, splits } of payments) {
    if (!isProcessing) continue;
    if (draw === null) total += amountCents;
    for (const split of splits) {
      if (draw !== null && split.draw === draw) total += split.principalCents + split.interestCents + split.feesCents;
    }
  }
  return total;
}
