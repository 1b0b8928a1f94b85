import type { EventDraft, Fact } from '../../kernel/fact.js';
import type { PersonState } from '../state.js';
import { type Consent, statusOfConsent } from './consent.js';

export interface ConsentFacts {
  /** What was said about each of them now, whole. */
  readonly ConsentsUpdated: { readonly consents: readonly Omit<Consent, 'createdAt' | 'updatedAt'>[] };
}

export function applyConsents(
  state: PersonState,
  { consents }: ConsentFacts['ConsentsUpdated'],
  fact: Fact,
  tell: (event: () => EventDraft) => void,
): void {
  const changes = consents
    .map(({ name, status }) => ({ name, oldStatus: statusOfConsent(state.consents, name), newStatus: status }))
    .filter(({ oldStatus, newStatus }) => oldStatus !== newStatus);
  const renewed = new Map(state.consents.map((consent) => [consent.name, consent]));
  for (const said of consents) {
    const before = renewed.get(said.name);
    renewed.set(said.name, { ...said, createdAt: before?.createdAt ?? fact.businessAt, updatedAt: before ? fact.businessAt : null });
  }
  state.consents = [...renewed.values()];
  if (changes.length === 0) return;
  tell(() => ({
    eventType: 'person.consent.updated',
    objectType: 'person',
    objectId: state.id,
    refs: { personId: state.id, ...(fact.caseId === null ? {} : { caseId: fact.caseId }) },
    data: { consents: changes, caseId: fact.caseId },
  }));
}
