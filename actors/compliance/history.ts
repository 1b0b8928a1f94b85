import type { PastContact } from '../../engine/index.js';
import type { Contact } from '../borrower/index.js';
import type { CatalogRow } from '../runtime/actor.js';
import type { ScreenEnv } from './screen.js';

/** The newest communications that limits are counted over: more than that is beyond each of them. */
const MAX_HISTORY = 5_000;

/** What was said between a borrower and the lender, read off the lines of interactions in the list index. What a line does not know is none, and counts. */
export function pastContacts(env: ScreenEnv, personId: string, contacts: readonly Contact[]): readonly PastContact[] {
  const labels = new Map(contacts.map(({ id, label }) => [id, label]));
  return env.list('interaction', { parentId: personId, limit: MAX_HISTORY }).rows.map((row) => pastContact(row, labels));
}

function pastContact({ id, fields }: CatalogRow, labels: ReadonlyMap<string, Contact['label']>): PastContact {
  const { channel, direction, status, subject, theme, startedAt, createdAt, loanIds, contactId, agentOutcome, isTransactional } = fields as unknown as
    Omit<PastContact, 'id' | 'startedAt'> & { readonly startedAt: number | null; readonly createdAt: number };
  return {
    id, channel, direction, status, subject, theme, loanIds, contactId, agentOutcome, isTransactional, startedAt: startedAt ?? createdAt,
    contactLabel: contactId === null ? null : (labels.get(contactId) ?? null), isReply: false,
  };
}
