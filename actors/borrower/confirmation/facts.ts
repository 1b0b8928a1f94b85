import type { Fact } from '../../kernel/fact.js';
import type { PersonState, Sealed } from '../state.js';
import { SENT_WITHIN_MS } from './confirmation.js';

export interface ConfirmationFacts {
  readonly ConfirmationCodeMade: { readonly contactId: string; readonly code: Sealed };
  readonly ConfirmationAttemptFailed: { readonly contactId: string };
  /** The right code came: no code that was sent there counts any more. */
  readonly ConfirmationCodeUsed: { readonly contactId: string };
}

type Apply = { readonly [Type in keyof ConfirmationFacts]: (state: PersonState, body: ConfirmationFacts[Type], fact: Fact) => void };

export const APPLY_CONFIRMATIONS: Apply = {
  ConfirmationCodeMade(state, { contactId, code }, { businessAt }) {
    const recent = state.confirmations.filter(({ sentAt }) => sentAt > businessAt - SENT_WITHIN_MS);
    state.confirmations = [...recent, { contactId, code, sentAt: businessAt, wrongAttempts: 0 }];
  },
  ConfirmationAttemptFailed(state, { contactId }) {
    const newest = state.confirmations.findLast((known) => known.contactId === contactId);
    state.confirmations = state.confirmations.map((known) =>
      known === newest ? { ...known, wrongAttempts: known.wrongAttempts + 1 } : known,
    );
  },
  ConfirmationCodeUsed(state, { contactId }) {
    state.confirmations = state.confirmations.filter((known) => known.contactId !== contactId);
  },
};
