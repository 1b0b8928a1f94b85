import type { FeedbackSignal, SendableChannel } from '../../../../engine/index.js';

interface SinkRule {
  readonly channel: SendableChannel;
  readonly matches: RegExp;
  readonly signal: FeedbackSignal;
}

/** Recipients of the test mode that do not get what is sent to them (communications 1.9). */
const RULES: readonly SinkRule[] = [
  { channel: 'email', matches: /\+bounce(?=[@+.])/i, signal: 'emailBounced' },
  { channel: 'email', matches: /\+spam(?=[@+.])/i, signal: 'emailReportedAsSpam' },
  { channel: 'text', matches: /0001$/, signal: 'textLandlineOrUnreachableCarrier' },
];

/** All others get it. */
const DELIVERED: Readonly<Record<SendableChannel, FeedbackSignal>> = {
  email: 'emailDelivered',
  text: 'textDelivered',
  mail: 'letterDelivered',
};

/** What the sink tells of a message. `recipient` is null once its borrower was erased. */
export const sinkSignal = (channel: SendableChannel, recipient: string | null): FeedbackSignal =>
  RULES.find((rule) => rule.channel === channel && rule.matches.test(recipient ?? ''))?.signal ?? DELIVERED[channel];
