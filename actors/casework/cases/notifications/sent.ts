import { beside, orderForCase, readSaid, type SendFailure, sending, type Sending } from '../../../contact/index.js';
import { isSendable, isSubject } from '../../../../engine/index.js';
import { isReachable, type PersonState } from '../../../borrower/index.js';
import { companyOf, templateNamed } from '../../../company/index.js';
import { Refusal } from '../../../errors.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { fact } from '../context.js';
import type { CaseState } from '../state.js';
import type { Notification, NotificationStatus } from './notification.js';

/** A notification that nothing could send for so long says what is no longer so: it fails. */
const TOO_LATE_MS = 24 * 3_600_000;

/** What becomes of a notification that is due: an ordinary send for the case, and what came of it. */
export function notificationSent(env: DecideEnv, state: CaseState, notification: Notification): readonly FactDraft[] {
  const { id, scheduledAt: at } = notification;
  const sent = env.now - at > TOO_LATE_MS ? null : withoutRefusal(() => sentFor(env, state, notification));
  const status = sent === null ? 'failed' : statusOf(sent.failure);
  const interactionId = sent === null || sent.facts.length === 0 ? null : sent.interactionId;
  return [fact('NotificationEnded', { id, at, status, interactionId }), ...(sent === null ? [] : beside(sent))];
}

/** Null where it cannot be sent: by its channel, its template, or because the borrower is gone. */
function sentFor(env: DecideEnv, state: CaseState, { channel, theme, templateId }: Notification): Sending | null {
  const person = env.read<PersonState>('person', state.personId);
  if (!person || !isReachable(person) || !isSendable(channel) || typeof templateId !== 'string') return null;
  const template = templateNamed(companyOf(env, env.tenant), templateId, channel, 'templateId');
  const subject = typeof template === 'string' ? null : template.descriptor.stored.subject;
  if (subject === null || !isSubject(subject)) return null;
  const said = readSaid(env.now, { subject, theme, useTemplate: templateId, isTransactional: false });
  return sending(env, person, orderForCase(state, said, { channel, origin: 'automatic', supercaseBulkOperationId: null }));
}

/** What is refused to a caller is a failure here: there is none. What is only not there yet is asked for again. */
function withoutRefusal(run: () => Sending | null): Sending | null {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.errorType === 'unavailable') throw cause;
    return null;
  }
}

/** Nobody to reach is a failure; what a rule has stopped is blocked. */
const statusOf = (failure: SendFailure | null): Extract<NotificationStatus, 'sent' | 'blocked' | 'failed'> =>
  failure === null ? 'sent' : failure.interactionId !== null && failure.blockReason !== 'noContact' ? 'blocked' : 'failed';
