import type { FactDraft } from '../../runtime/fact.js';
import type { Context } from '../decide/common.js';
import type { MonitoringKind } from './status.js';

/** A hit, and the case that an earlier one under the same reference has led to. */
export interface Told {
  readonly kind: MonitoringKind;
  readonly externalReference: string;
  readonly effectiveDate: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly caseId: string | null;
}

/** What a hit does to cases: facts behind its own, in the same batch, and the case that it belongs to. */
export interface CaseOfHit {
  readonly caseId: string | null;
  readonly facts: readonly FactDraft[];
}

/** The type of case that a kind of hit leads to (people 14, rule 2). Disasters lead to supercases, reassigned numbers to none. */
export const CASE_TYPE_OF: { readonly [Kind in MonitoringKind]?: 'bankruptcy' | 'deceased' | 'militaryDuty' | 'oFACSanctionedIndividual' } = {
  bankruptcy: 'bankruptcy',
  deceased: 'deceased',
  militaryDuty: 'militaryDuty',
  sanctions: 'oFACSanctionedIndividual',
};

/** The one place where monitoring meets casework. */
export const caseOfHit = (_context: Context, { caseId }: Told): CaseOfHit => ({ caseId, facts: [] });
