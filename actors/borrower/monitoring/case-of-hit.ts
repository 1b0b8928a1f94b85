import { type CaseState, changedBySystem, type HitDetails, openedBySystem } from '../../casework/cases/index.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { Context } from '../decide/common.js';
import type { MonitoringKind } from './status.js';

/** What a source tells, and the case that an earlier hit under the same reference has led to. */
export interface Told {
  readonly kind: MonitoringKind;
  readonly details: HitDetails;
  readonly caseId: string | null;
}

/** What a hit does to cases: facts behind its own, in the same batch, and the case that it belongs to. */
export interface CaseOfHit {
  readonly caseId: string | null;
  readonly facts: readonly FactDraft[];
}

/** The type of case that a kind of hit leads to (people 14, rule 2). Disasters lead to supercases, reassigned numbers to none. */
const CASE_TYPES: { readonly [Kind in MonitoringKind]?: 'bankruptcy' | 'deceased' | 'militaryDuty' | 'oFACSanctionedIndividual' } = {
  bankruptcy: 'bankruptcy',
  deceased: 'deceased',
  militaryDuty: 'militaryDuty',
  sanctions: 'oFACSanctionedIndividual',
};

/** Opens the case of a new hit, and changes the one that it has led to before; a closed one keeps what it says. */
export function caseOfHit({ id: personId, env }: Context, { kind, details, caseId }: Told): CaseOfHit {
  const caseType = CASE_TYPES[kind];
  if (caseType === undefined) return { caseId, facts: [] };
  if (caseId === null) return openedBySystem(env, personId, { ...details, caseType, status: 'processing' });
  const known = env.read<CaseState>('case', caseId);
  return { caseId, facts: known ? changedBySystem(env, known, details) : [] };
}
