import { dayAt } from '../../calendar/index.js';
import type { Channel, Subject } from '../../communication/index.js';
import { type Considered, type ContactPlan, counted, isRequiredLetter } from '../considered.js';
import { speaksForBorrower } from '../persons.js';
import type { PastContact } from '../situation.js';
import { ceaseRequests } from '../borrower-status.js';

/** What was said to the borrower before. */

export const isAnswerToCease = (subject: Subject | null): boolean => subject?.startsWith('ceaseCommunication') ?? false;

/** Whether a contact with this subject was made since a moment. */
export const wasSaid = (history: readonly PastContact[], subject: Subject | null, since: number): boolean =>
  counted(history).some((past) => past.subject === subject && past.startedAt >= since);

/**
 * A stop is confirmed once (47 CFR 64.1200(a)(12)). Another confirmation on the same channel within a day would be a second one of the same
 * stop.
 */
const CONFIRMED_WITHIN_MS = 86_400_000;

export const isConfirmationOfStop = ({ subject, channel, at }: ContactPlan, history: readonly PastContact[]): boolean =>
  subject === 'electronicConsentOptOut' &&
  !counted(history).some(
    (past) => past.subject === subject && past.channel === channel && past.startedAt > at - CONFIRMED_WITHIN_MS && past.startedAt <= at,
  );

/**
 * Who asked for no texts and then texts HELP is answered once, by text (12 CFR 1006.14(h)(2)(ii)). The service makes one answer to each
 * HELP, and nothing else is one.
 */
export const isAnswerToHelp = ({ answersHelp = false, channel }: ContactPlan): boolean => answersHelp && channel === 'text';

/** Channels whose stop is recorded only as the theme of a contact. Stops of texts and e-mails change the contact or the consent. */
const STOPPED_BY_THEME: ReadonlySet<Channel> = new Set<Channel>(['voice', 'chat', 'mail']);

/**
 * The borrower refused a channel, in a call or by a case (12 CFR 1006.14(h)(1)), and has not agreed to it again. For calls, the agreement
 * is the consent to autodialed calls, which a stop withdraws. A borrower who uses the channel after that is answered once (h)(2)(ii).
 * Letters that a law requires are sent in any case (h)(2)(iii).
 */
export const isChannelRefused = (considered: Considered): boolean =>
  !isRequiredLetter(considered.plan) &&
  !isAnswerToHelp(considered.plan) &&
  considered.channels.some((channel) => isRefused(considered, channel));

function isRefused(considered: Considered, channel: Channel): boolean {
  const {
    plan,
    situation: { history, consents },
  } = considered;
  const inbound = history.filter((past) => past.direction === 'inbound' && past.channel === channel && past.startedAt <= plan.at);
  const isAgreedTo = channel === 'voice' && consents.autodialedColl.isGiven;
  const isStopped = STOPPED_BY_THEME.has(channel) && !isAgreedTo && inbound.some(({ theme }) => theme === 'inbOptOut');
  const asked = ceaseRequests(considered).filter(({ fields }) => fields['scope'] === 'channels' && fields['requestChannel'] === channel);
  if (!isStopped && asked.length === 0) return false;
  const newest = inbound.reduce<PastContact | null>((one, other) => (one === null || other.startedAt > one.startedAt ? other : one), null);
  if (newest === null || newest.theme === 'inbOptOut' || asked.some(({ openedAt }) => newest.startedAt <= openedAt)) return true;
  const isAnswered = counted(history).some((past) => past.channel === channel && past.startedAt >= newest.startedAt);
  return isAnswered || !isAnswerTo(newest, plan);
}

const RETURNED_WITHIN_MS = 7 * 86_400_000;

/** A message says what it answers. A call counts as an answer if it returns a call in which nobody was spoken to. */
const isAnswerTo = ({ channel, startedAt, agentOutcome }: PastContact, { isReply, at }: ContactPlan): boolean =>
  isReply || (channel === 'voice' && !agentOutcome?.startsWith('voiceSpoke') && at - startedAt <= RETURNED_WITHIN_MS);

/** Outcomes of a call in which nothing was said. */
const UNSAID: ReadonlySet<PastContact['agentOutcome']> = new Set([
  'voiceRangNoPickup',
  'voiceReachedVoicemailNoMessageLeft',
  'voiceLineBusyNoRing',
  'voiceFailedToInitiate',
  'voiceNumberDisconnected',
] as const);

/** Another person was asked where the borrower is, and has not called back about it within the week. */
export function wasAskedForLocation({ plan, situation: { contact, history } }: Considered): boolean {
  if (contact === null || speaksForBorrower(contact) || plan.isReply) return false;
  const theirs = history.filter(({ contactId, startedAt }) => contactId === contact.id && startedAt <= plan.at);
  const asked = counted(theirs).filter(({ theme, agentOutcome }) => theme === 'opsCollLocateBorrower' && !UNSAID.has(agentOutcome));
  if (asked.length === 0) return false;
  const last = Math.max(...asked.map(({ startedAt }) => startedAt), plan.at - RETURNED_WITHIN_MS);
  return !theirs.some(({ direction, startedAt }) => direction === 'inbound' && startedAt > last);
}

/** Days on which a request of the borrower allows calls, with the day of the request (12 CFR 1006.14(b)(3)(i)). */
const ASKED_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Within the last seven days the borrower asked to be called at this time, and was neither spoken to nor called in that time since (comment
 * 14(b)(3)(i)-2).
 */
export function isCallAskedFor({ plan, situation: { history, contact, companyZone }, loans }: Considered): boolean {
  const { at } = plan;
  return history.some(({ askedFor, contactId, loanIds }) => {
    if (askedFor === null || (contactId !== null && contactId !== contact?.id)) return false;
    const { saidAt, from, to } = askedFor;
    const isInTime = at >= from && at < (to ?? from + DAY_MS) && dayAt(companyZone, at) < dayAt(companyZone, saidAt) + ASKED_DAYS;
    const isAbout = loanIds.length === 0 || loans.every(({ id }) => loanIds.includes(id));
    const since = history.filter(({ channel, startedAt }) => channel === 'voice' && startedAt > saidAt && startedAt <= at);
    return (
      isInTime &&
      isAbout &&
      !since.some(({ agentOutcome }) => agentOutcome?.startsWith('voiceSpoke')) &&
      !counted(since).some(({ startedAt }) => startedAt >= from)
    );
  });
}
