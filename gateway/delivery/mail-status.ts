import type { FeedbackSignal } from '../../engine/index.js';

/** Subjects of RFC 3463 that are not about the recipient: the mail system, the protocol, the content, security or policy. */
const NOT_OF_RECIPIENT: Readonly<Record<string, FeedbackSignal>> = {
  '3': 'emailDropped',
  '5': 'emailDropped',
  '6': 'emailDropped',
  '7': 'emailDeferred',
};

/**
 * What a failure with an enhanced status code means: of the recipient it is a bounce, unless the policy of its provider or the size of its
 * mailbox stands against it. A failure that may pass (4.x.x) says nothing of the recipient.
 */
export function signalOfStatus(enhanced: string | null): FeedbackSignal {
  const [kind, subject = '', detail] = (enhanced ?? '').split('.');
  if (kind === '4' || (subject === '2' && detail === '2')) return 'emailDeferred';
  return NOT_OF_RECIPIENT[subject] ?? 'emailBounced';
}
