import { must } from '../../../../engine/index.js';
import { lineActivated } from '../../ledger/evolve.js';
import type { LineActivated } from '../../facts.js';
import { originationRates } from '../../rates/rows.js';
import type { Applying } from '../../tell.js';

/** The ledger of a line begins at its cutoff; its rates have run since the other system activated it. */
export function beginLine(applying: Applying, activation: LineActivated): void {
  const { state, env } = applying;
  lineActivated(applying, activation, activation.contract.terms.activation);
  const line = must(state.line, `${state.id} was activated`);
  line.rates = originationRates(state, env, must(state.migration?.activatedDay ?? undefined, 'a day of activation'));
}
