import type { Fact } from '../../kernel/fact.js';
import type { PersonState } from '../state.js';
import type { LegalRepresentative } from './representative.js';

export interface LegalRepresentativeFacts {
  /** Made or changed: as it stands now, whole. */
  readonly LegalRepresentativeRecorded: { readonly representative: Omit<LegalRepresentative, 'createdAt' | 'updatedAt'> };
}

export function applyRepresentative(
  state: PersonState,
  { representative }: LegalRepresentativeFacts['LegalRepresentativeRecorded'],
  fact: Fact,
): void {
  const known = state.legalRepresentatives;
  const before = known.find(({ id }) => id === representative.id);
  state.legalRepresentatives = before
    ? known.map((each) => (each === before ? { ...representative, createdAt: before.createdAt, updatedAt: fact.businessAt } : each))
    : [...known, { ...representative, createdAt: fact.businessAt, updatedAt: null }];
}
