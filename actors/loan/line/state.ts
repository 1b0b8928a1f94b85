import type { Cents, Day, LineFact, LineState, LineTerms, Rate } from '../../../engine/index.js';
import type { FactList } from '../ledger/fact-list.js';
import type { Servicing, StoredFact } from '../state.js';

/** What the activation of a line of credit brings: the counterpart of an installment loan's `Servicing`. */
export interface LineServicing extends Omit<Servicing, 'contract' | 'facts' | 'ledger'> {
  readonly contract: LineContract;
  /** In the order of recording; a fact's sequence is its position, from 1. Only ever added to. */
  readonly facts: FactList<StoredLineFact>;
  /** Changes of the line's limit and of its draws', in the order of recording. */
  limits: readonly LimitChange[];
  /** Moved forward in place by the engine. Null while laid down: it is computed again from the facts. */
  ledger: LineState | null;
}

/** A limit that somebody set. */
interface LimitChange {
  /** Null: the line's. */
  readonly draw: number | null;
  readonly limitCents: Cents;
  readonly effectiveDay: Day;
  readonly adverseActionReason: string | null;
  readonly sendNotice: boolean;
  readonly caseId: string | null;
}

/** The terms of every computation but for the product's settings, which are a timeline of their own. */
export interface LineContract {
  readonly terms: Omit<LineTerms, 'settings'>;
  readonly aprNominal: Rate;
  readonly aprEffective: Rate;
}

export type StoredLineFact = StoredFact<LineFact>;
