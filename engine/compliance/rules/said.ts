import type { Channel, Subject } from '../../communication/index.js';
import { type Considered, counted } from '../considered.js';
import { type ContactPlan, isRequiredLetter } from '../plan.js';
import type { PastContact } from '../situation.js';

/** What was said to the borrower before. */

export const isAnswerToCease = (subject: Subject | null): boolean => subject?.startsWith('ceaseCommunication') ?? false;

/** Whether something of this subject went out since a moment. */
export const wasSaid = (history: readonly PastContact[], subject: Subject | null, since: number): boolean =>
  counted(history).some((past) => past.subject === subject && past.startedAt >= since);

/**
 * A stop is confirmed once (47 CFR 64.1200(a)(12)); another confirmation of the same channel within a day would be a second one of the
 * same stop.
 */
const CONFIRMED_WITHIN_MS = 86_400_000;

export const isConfirmationOfStop = ({ subject, channel, at }: ContactPlan, history: readonly PastContact[]): boolean =>
  subject === 'electronicConsentOptOut' &&
  !counted(history).some(
    (past) => past.subject === subject && past.channel === channel && past.startedAt > at - CONFIRMED_WITHIN_MS && past.startedAt <= at,
  );

/** Channels of which a stop is recorded by its theme alone; stops of texts and e-mails change the contact or the consent. */
const BY_WORD: ReadonlySet<Channel> = new Set<Channel>(['voice', 'chat', 'mail']);

/**
 * The borrower has said by a channel that they are not to be reached by it (12 CFR 1006.14(h)(1)), and not agreed to it again. Calls: to
 * autodialed ones, a consent that the stop itself takes back. Who writes or calls by it after that is answered once (h)(2)(ii).
 */
export function isRefusedByWord({ plan, channels, situation: { history, consents } }: Considered): boolean {
  return channels.some((channel) => {
    if (!BY_WORD.has(channel) || (channel === 'voice' && consents.autodialedColl.isGiven)) return false;
    if (isRequiredLetter(plan)) return false;
    const inbound = history.filter((past) => past.direction === 'inbound' && past.channel === channel && past.startedAt <= plan.at);
    if (!inbound.some(({ theme }) => theme === 'inbOptOut')) return false;
    const newest = inbound.reduce((one, other) => (other.startedAt > one.startedAt ? other : one));
    const isAnswered = counted(history).some((past) => past.channel === channel && past.startedAt >= newest.startedAt);
    return newest.theme === 'inbOptOut' || !plan.isReply || isAnswered;
  });
}
