import { type Compared, netDifferences } from '../installment/shared.js';
import { lineTotals } from './entering.js';
import { isPaidOff } from './settle.js';
import type { LineState } from './state.js';
import type { LineLedgerEvent } from './watcher.js';

/** What a recomputed ledger has come to believe otherwise, as events of a replay tell it. */
export const lineDifferences = (before: LineState, after: LineState): readonly LineLedgerEvent[] => [
  ...netDifferences(comparedOf(before), comparedOf(after)),
  ...drawDifferences(before, after),
];

const comparedOf = (ledger: LineState): Compared => ({
  ledger,
  fees: [...ledger.fees, ...ledger.draws.flatMap(({ fees }) => fees)].filter(({ origin }) => origin === 'late' || origin === 'charged'),
  balances: lineTotals(ledger),
});

function drawDifferences(before: LineState, after: LineState): readonly LineLedgerEvent[] {
  const { day, seconds } = after;
  const known = new Map(before.draws.map((draw) => [draw.draw, draw]));
  return after.draws.flatMap((draw): LineLedgerEvent[] => {
    const old = known.get(draw.draw);
    const found: LineLedgerEvent[] = [];
    const { isGraceEligible: isEligible } = draw;
    if (old !== undefined && old.isGraceEligible !== isEligible)
      found.push({ type: 'graceChanged', day, seconds, draw: draw.draw, isEligible });
    if (isPaidOff(draw) && (old === undefined || !isPaidOff(old))) found.push({ type: 'drawPaidOff', day, seconds, draw: draw.draw });
    return found;
  });
}
