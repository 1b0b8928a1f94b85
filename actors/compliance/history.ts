import type { PastContact } from '../../engine/index.js';
import type { Contact } from '../borrower/index.js';
import { contactHistory } from '../interaction/index.js';
import type { ScreenEnv } from './screen.js';

/** All that was said between a borrower and the lender, as limits count it. What a line does not tell is none, and counts. */
export function pastContacts(env: ScreenEnv, personId: string, contacts: readonly Contact[]): readonly PastContact[] {
  const labels = new Map(contacts.map(({ id, label }) => [id, label]));
  return contactHistory(env, personId, { since: 0 }).map(({ id, channel, direction, status, startedAt, subject, theme, loanIds, contactId, agentOutcome, isTransactional }) => ({
    id, channel, direction, status, startedAt, subject, theme, loanIds, contactId, agentOutcome, isTransactional,
    contactLabel: contactId === null ? null : (labels.get(contactId) ?? null),
    isReply: false,
  }));
}
