import type { ContactOrigin, FeedbackSignal, SendableChannel } from '../../../../engine/index.js';
import type { Mode } from '../../../kernel/fact.js';

/**
 * How far a message that the service sends has come, beside the status of its interaction.
 *
 *   waiting     it is to be handed over, at `nextAt` or later
 *   sink        of the test mode: it goes nowhere, and at `nextAt` is told what became of it
 *   handedOver  a provider has it, and tells the rest
 *   ended       it goes nowhere any more
 */
export interface Delivery {
  readonly phase: 'waiting' | 'sink' | 'handedOver' | 'ended';
  readonly channel: SendableChannel;
  /** Milliseconds of the company's clock; null where nothing is to come. */
  readonly nextAt: number | null;
  /** Tries that have failed. */
  readonly failures: number;
  readonly providerMessageId: string | null;
  /** The mail domain or the number that it comes from; null: the operator's. */
  readonly senderId: string | null;
  /** Who wanted it; absent from what was queued before that was recorded: somebody through the interface. */
  readonly origin?: ContactOrigin;
}

/** What happens on the way out. `at` is the moment of the try. */
export interface DeliveryFacts {
  readonly MessageQueued: Pick<Delivery, 'channel' | 'senderId' | 'origin'> & { readonly isSink: boolean; readonly at: number };
  readonly MessageHandedOver: { readonly providerMessageId: string };
  /** `nextAt` null: there is no further try. */
  readonly MessageNotHandedOver: { readonly nextAt: number | null };
  readonly SinkToldOf: { readonly at: number };
}

/** Milliseconds after a try that failed until the next one. */
const RETRY_AFTER_MS = [60_000, 5 * 60_000, 25 * 60_000] as const;

/** How long a message of the test mode is on its way. */
const SINK_MS = 5_000;

type Apply = { readonly [Type in keyof DeliveryFacts]: (before: Delivery | null, body: DeliveryFacts[Type]) => Delivery | null };

/** Each fact of a delivery, applied. */
export const APPLY_DELIVERY: Apply = {
  MessageQueued: (_before, { channel, senderId, origin = 'request', isSink, at }) => ({
    phase: isSink ? 'sink' : 'waiting',
    channel,
    nextAt: isSink ? at + SINK_MS : at,
    failures: 0,
    providerMessageId: null,
    senderId,
    origin,
  }),
  MessageHandedOver: (before, { providerMessageId }) => before && { ...before, phase: 'handedOver', nextAt: null, providerMessageId },
  MessageNotHandedOver: (before, { nextAt }) =>
    before && { ...before, phase: nextAt === null ? 'ended' : 'waiting', nextAt, failures: before.failures + 1 },
  SinkToldOf: (before) => before && { ...before, phase: 'ended', nextAt: null },
};

export const isDeliveryFact = (type: string): type is keyof DeliveryFacts => Object.hasOwn(APPLY_DELIVERY, type);

/** When it is tried again after a failure at this moment; null once all tries are used up. */
export const retryAt = ({ failures }: Delivery, now: number): number | null => {
  const after = RETRY_AFTER_MS[failures];
  return after === undefined ? null : now + after;
};

/** What a message comes to that could not be handed over: `emailFailedToSend` is reserved. */
export const GIVEN_UP: Readonly<Record<SendableChannel, FeedbackSignal>> = {
  email: 'emailDropped',
  text: 'textUnknownError',
  mail: 'letterFailedToCreate',
};

/** What it means that a provider has taken a message. */
export const TAKEN: Readonly<Record<SendableChannel, FeedbackSignal | null>> = {
  email: 'emailAccepted',
  text: null,
  mail: 'letterCreated',
};

export const isSinkOf = (mode: Mode): boolean => mode === 'test';
