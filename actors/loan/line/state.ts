import type { LineFact, LineState, LineTerms, Rate } from '../../../engine/index.js';
import type { SettingsSources } from '../ledger-settings.js';
import type { RateRow } from '../rate-rows.js';
import type { ChargedFee, LedgerSummary, StoredFact } from '../state.js';
import type { StatementRecord } from '../statements/record.js';

/** What the activation of a line of credit brings: the counterpart of an installment loan's `Servicing`. */
export interface LineServicing {
  readonly contract: LineContract;
  /** When the activation was recorded, on the company's clock. */
  readonly recordedAt: number;
  sources: SettingsSources;
  /** In the order of recording; a fact's sequence is its position, from 1. Only ever added to. */
  readonly facts: StoredLineFact[];
  fees: readonly ChargedFee[];
  readonly statements: readonly StatementRecord[];
  /** All rates of the line once one was added or changed; null while they are those of origination. */
  rates: readonly RateRow[] | null;
  indexStamp: number;
  summary: LedgerSummary;
  /** Moved forward in place by the engine. Null while laid down: it is computed again from the facts. */
  ledger: LineState | null;
}

/** The terms of every computation but for the product's settings, which are a timeline of their own. */
export interface LineContract {
  readonly terms: Omit<LineTerms, 'settings'>;
  readonly aprNominal: Rate;
  readonly aprEffective: Rate;
}

export type StoredLineFact = StoredFact<LineFact>;
