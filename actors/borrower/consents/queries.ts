import { dateTimeText, orNull } from '../../wire.js';
import type { PersonState } from '../state.js';
import { CONSENT_NAMES, type ConsentName, statusOfConsent } from './consent.js';
import type { ConsentView } from './wire.js';

/** One row a name: what was said, else what holds by default. */
export const consentViews = (state: PersonState): readonly ConsentView[] => CONSENT_NAMES.map((name) => consentView(state, name));

function consentView(state: PersonState, name: ConsentName): ConsentView {
  const said = state.consents.find((consent) => consent.name === name);
  return {
    id: said?.id ?? null,
    object: 'consent',
    personId: state.id,
    name,
    status: statusOfConsent(state.consents, name),
    source: said?.source ?? null,
    obtainedAt: orNull(dateTimeText, said?.obtainedAt),
    documentId: said?.documentId ?? null,
    createdAt: orNull(dateTimeText, said?.createdAt),
    updatedAt: orNull(dateTimeText, said?.updatedAt),
    deletedAt: null,
  };
}
