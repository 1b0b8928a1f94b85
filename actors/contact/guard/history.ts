import { type AskedFor, isAttorney, must, type PastContact, type Situation, speaksForBorrower } from '../../../engine/index.js';
import type { Contact } from '../../borrower/index.js';
import { contactHistory, historyAskedFor, type InteractionState } from '../interactions/index.js';
import type { ScreenEnv } from './screen.js';

type Line = ReturnType<typeof contactHistory>[number];

/** How far back answers are told from what the lender began: longer than the window of any rule that asks. */
const REPLY_DAYS = 10;
const ANSWER_DAYS = 7;
const DAY_MS = 86_400_000;

/** The borrower and the moment that contacts are counted for. */
interface Counted {
  readonly personId: string;
  readonly contacts: readonly Contact[];
  readonly loans: Situation['loans'];
  readonly companyZone: string;
  /** The moment of the contact that is judged. */
  readonly at: number;
}

/**
 * What was said between a borrower and the lender, as far as rules ask for it, the newest first. What a line does not say
 * is none, and counts. Of a moment that is past all is read: what was the last then is not the last now.
 */
export function pastContacts(env: ScreenEnv, { personId, contacts, loans, companyZone: zone, at }: Counted): readonly PastContact[] {
  const known = new Map(contacts.map((contact) => [contact.id, contact]));
  const lines = at < env.now ? contactHistory(env, personId, { since: 0 }) : historyAskedFor(env, personId, { at: env.now, loans, zone });
  const byId = new Map(lines.map((line) => [line.id, line]));
  return lines.map((line) => {
    const contact = line.contactId === null ? undefined : known.get(line.contactId);
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
      contactLabel: contact?.label ?? null,
      isOfRepresentative: contact === undefined ? null : speaksForBorrower(contact),
      isOfAttorney: contact !== undefined && isAttorney(contact),
      askedFor: status === 'scheduled' ? askedFor(env, line, byId) : null,
      isReply: direction === 'outbound' && startedAt >= env.now - REPLY_DAYS * DAY_MS && isReply(env, line, byId),
    };
  });
}

/** It answers what the borrower had sent, within a week: an old question does not make answers of all that is said later. */
function isReply(env: ScreenEnv, { id, startedAt }: Line, byId: ReadonlyMap<string, Line>): boolean {
  const { previousInteractionId } = must(env.read<InteractionState>('interaction', id), `the listed interaction ${id}`);
  const question = previousInteractionId === null ? undefined : byId.get(previousInteractionId);
  return question !== undefined && answers(question, startedAt);
}

const answers = ({ direction, startedAt }: Pick<Line, 'direction' | 'startedAt'>, at: number): boolean =>
  direction === 'inbound' && at >= startedAt && at - startedAt <= ANSWER_DAYS * DAY_MS;

/** Whether a message of a moment answers what the borrower had sent. */
export function isAnswer(
  env: Pick<ScreenEnv, 'read'>,
  personId: string,
  { previousInteractionId, at }: { readonly previousInteractionId: string | null; readonly at: number },
): boolean {
  const question = previousInteractionId === null ? undefined : env.read<InteractionState>('interaction', previousInteractionId);
  if (question === undefined || question.isDeleted || question.personId !== personId) return false;
  const { direction, startedAt } = question;
  return startedAt !== null && answers({ direction, startedAt }, at);
}

/**
 * A planned call that follows a conversation with the borrower, or what the borrower sent, is one that the borrower has asked for (12 CFR
 * 1006.14(b)(3)(i)).
 */
function askedFor(env: ScreenEnv, { id, channel, direction }: Line, byId: ReadonlyMap<string, Line>): AskedFor | null {
  if (channel !== 'voice' || direction !== 'outbound') return null;
  const planned = must(env.read<InteractionState>('interaction', id), `the listed interaction ${id}`);
  const { previousInteractionId, scheduledAtFrom: from, scheduledAtTo: to } = planned;
  const before = previousInteractionId === null ? undefined : byId.get(previousInteractionId);
  if (from === null || before === undefined) return null;
  const isOfBorrower = before.direction === 'inbound' || before.agentOutcome === 'voiceSpokeWithFirstParty';
  return isOfBorrower && before.theme !== 'inbOptOut' ? { saidAt: before.startedAt, from, to } : null;
}
