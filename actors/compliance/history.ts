import { must, type PastContact } from '../../engine/index.js';
import type { Contact } from '../borrower/index.js';
import { contactHistory, type InteractionState } from '../interaction/index.js';
import type { ScreenEnv } from './screen.js';

type Line = ReturnType<typeof contactHistory>[number];

/** How far back answers are told from what the lender began: longer than the window of any rule that asks. */
const REPLY_DAYS = 10;
const ANSWER_DAYS = 7;
const DAY_MS = 86_400_000;

/** All that was said between a borrower and the lender, as limits count it. What a line does not tell is none, and counts. */
export function pastContacts(env: ScreenEnv, personId: string, contacts: readonly Contact[]): readonly PastContact[] {
  const labels = new Map(contacts.map(({ id, label }) => [id, label]));
  const lines = contactHistory(env, personId, { since: 0 });
  const byId = new Map(lines.map((line) => [line.id, line]));
  return lines.map((line) => {
    const { id, channel, direction, status, startedAt, subject, theme, loanIds, contactId, agentOutcome, isTransactional } = line;
    return {
      id,
      channel,
      direction,
      status,
      startedAt,
      subject,
      theme,
      loanIds,
      contactId,
      agentOutcome,
      isTransactional,
      contactLabel: contactId === null ? null : (labels.get(contactId) ?? null),
      isReply: direction === 'outbound' && startedAt >= env.now - REPLY_DAYS * DAY_MS && isReply(env, line, byId),
    };
  });
}

/** It goes back to what the borrower had sent, within a week: an old question does not make answers of all that is said later. */
function isReply(env: ScreenEnv, { id, startedAt }: Line, byId: ReadonlyMap<string, Line>): boolean {
  const { previousInteractionId } = must(env.read<InteractionState>('interaction', id), `the listed interaction ${id}`);
  const question = previousInteractionId === null ? undefined : byId.get(previousInteractionId);
  return question?.direction === 'inbound' && startedAt >= question.startedAt && startedAt - question.startedAt <= ANSWER_DAYS * DAY_MS;
}
