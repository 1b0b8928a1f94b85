import type { ContactOrigin, FeedbackSignal, SendableChannel } from '../../../../engine/index.js';
import { ALL_ROWS, type QueryEnv, type QuerySpec, type QueryOf } from '../../../kernel/actor.js';
import type { Fact, Mode } from '../../../kernel/fact.js';
import { tenantKey } from '../../../kernel/ids.js';
import type { FreeJson, ListResult } from '../../../wire.js';
import type { InteractionState } from '../../interactions/state.js';

/**
 * The state of the delivery of a message that the service sends, in addition to the status of its interaction.
 *
 *   waiting     to be handed over to a provider, at `nextAt` or later
 *   sink        test mode: it is not sent, and at `nextAt` a report is simulated
 *   handedOver  a provider has it and reports the rest
 *   ended       it is not sent any further, or waits as a scheduled message for the moment that the guard named
 */
export interface Delivery {
  readonly phase: 'waiting' | 'sink' | 'handedOver' | 'ended';
  readonly channel: SendableChannel;
  /** Milliseconds of the company's clock; null if nothing more is due. */
  readonly nextAt: number | null;
  /** Number of failed attempts. */
  readonly failures: number;
  readonly providerMessageId: string | null;
  /** The mail domain or number from which it is sent; null: the operator's. */
  readonly senderId: string | null;
  /** The origin of the message; absent in records of earlier releases: a caller of the interface. */
  readonly origin?: ContactOrigin;
  /** It has waited once for a moment that the guard named. Absent: it has not. */
  readonly isPostponed?: true;
}

/** What can happen to a delivery. `at` is the time of the attempt. */
export interface DeliveryFacts {
  readonly MessageQueued: Pick<Delivery, 'channel' | 'senderId' | 'origin' | 'isPostponed'> & {
    readonly isSink: boolean;
    readonly at: number;
  };
  readonly MessageHandedOver: { readonly providerMessageId: string };
  /** `nextAt` null: there is no further attempt. `isPostponed`: nothing was attempted, since the message waits for a later moment. */
  readonly MessageNotHandedOver: { readonly nextAt: number | null } & Pick<Delivery, 'isPostponed'>;
  readonly SinkToldOf: { readonly at: number };
}

/** Milliseconds between a failed attempt and the next one. */
const RETRY_AFTER_MS = [60_000, 5 * 60_000, 25 * 60_000] as const;

/** Time until the simulated report of a message in test mode. */
const SINK_MS = 5_000;

type Apply = { readonly [Type in keyof DeliveryFacts]: (before: Delivery | null, body: DeliveryFacts[Type]) => Delivery | null };

/** Applies each fact of a delivery. */
export const APPLY_DELIVERY: Apply = {
  MessageQueued: (_before, { channel, senderId, origin = 'request', isPostponed, isSink, at }) => ({
    phase: isSink ? 'sink' : 'waiting',
    channel,
    nextAt: isSink ? at + SINK_MS : at,
    failures: 0,
    providerMessageId: null,
    senderId,
    origin,
    ...(isPostponed ? { isPostponed } : {}),
  }),
  MessageHandedOver: (before, { providerMessageId }) => before && { ...before, phase: 'handedOver', nextAt: null, providerMessageId },
  MessageNotHandedOver: (before, { nextAt, isPostponed }) => {
    if (isPostponed) return before && { ...before, phase: 'ended', nextAt: null, isPostponed };
    return before && { ...before, phase: nextAt === null ? 'ended' : 'waiting', nextAt, failures: before.failures + 1 };
  },
  SinkToldOf: (before) => before && { ...before, phase: 'ended', nextAt: null },
};

export const isDeliveryFact = (type: string): type is keyof DeliveryFacts => Object.hasOwn(APPLY_DELIVERY, type);

/** The largest part of a wait that is added to it at random, so that messages that failed together are not retried together. */
const JITTER = 0.2;

/** The time of the next attempt after a failure now; null after the last attempt. `jitter` is random, from 0 to 1. */
export const retryAt = ({ failures }: Delivery, now: number, jitter: number): number | null => {
  const after = RETRY_AFTER_MS[failures];
  return after === undefined ? null : now + after + Math.floor(after * JITTER * jitter);
};

/** Whether a message was given up since each attempt failed. */
export const triesAreUsedUp = ({ phase, failures }: Delivery): boolean => phase === 'ended' && failures > RETRY_AFTER_MS.length;

/** The signal of a message that could not be handed over: `emailFailedToSend` is reserved. */
export const GIVEN_UP: Readonly<Record<SendableChannel, FeedbackSignal>> = {
  email: 'emailDropped',
  text: 'textUnknownError',
  mail: 'letterFailedToCreate',
};

/** The signal of a message that a provider has accepted. */
export const TAKEN: Readonly<Record<SendableChannel, FeedbackSignal | null>> = {
  email: 'emailAccepted',
  text: null,
  mail: 'letterCreated',
};

export const isSinkOf = (mode: Mode): boolean => mode === 'test';

/** A message that is due to be handed over. */
export interface OutgoingItem {
  readonly id: string;
  readonly channel: SendableChannel;
  readonly nextAt: number;
}

interface OutgoingQuery {
  readonly limit: number;
}

/**
 * The messages of an engine's tenants that wait to be handed over. The list is not stored: the first query builds it from the
 * interactions, and each newly queued message is added.
 */
export class Outgoing {
  readonly #tenants = new Map<string, Set<string>>();

  /** Must be called with every fact of an interaction. */
  touch({ id, tenant }: InteractionState, { type }: Fact): void {
    if (type === 'MessageQueued') this.#tenants.get(tenantKey(tenant))?.add(id);
  }

  due(env: QueryEnv, limit: number): readonly OutgoingItem[] {
    const waiting = this.#waiting(env);
    const due: OutgoingItem[] = [];
    for (const id of waiting) {
      const delivery = env.stateOf<InteractionState>('interaction', id)?.delivery;
      if (delivery?.phase !== 'waiting' || delivery.nextAt === null) waiting.delete(id);
      else if (delivery.nextAt <= env.now) due.push({ id, channel: delivery.channel, nextAt: delivery.nextAt });
      if (due.length >= limit) break;
    }
    return due;
  }

  #waiting(env: QueryEnv): Set<string> {
    const known = this.#tenants.get(tenantKey(env.tenant));
    if (known) return known;
    const { rows } = env.list('interaction', { limit: ALL_ROWS, matches: ({ fields }) => fields['isOutgoing'] === true });
    const waiting = new Set(rows.map(({ id }) => id).reverse()); // oldest first
    this.#tenants.set(tenantKey(env.tenant), waiting);
    return waiting;
  }
}

/** The query that the messenger sends to each engine. */
export const outgoingQuery = (outgoing: Outgoing): QuerySpec<InteractionState> => ({
  kind: 'interaction',
  type: 'interaction.outgoing',
  on: 'tenant',
  read({ query, env }: QueryOf<OutgoingQuery>): ListResult<OutgoingItem> {
    const items = outgoing.due(env, query.limit).toSorted((one, other) => one.nextAt - other.nextAt || (one.id < other.id ? -1 : 1));
    return {
      items,
      total: items.length,
      hasMore: false,
      hasPrevious: false,
      order: { descending: [false, false], places: items.map(({ nextAt, id }) => [nextAt, id]), cursor: null },
    };
  },
});

/** A message on its way out, in clear. It exists only in memory and in the adapter. */
export interface OutgoingMessage {
  /** The interaction's key. A provider that gets the same key twice delivers the message once. */
  readonly idempotencyKey: string;
  readonly company: string;
  readonly mode: Mode;
  /** The borrower whose documents are attached. */
  readonly personId: string;
  readonly channel: SendableChannel;
  /** The content of the interaction, including `from` and `to`. */
  readonly content: FreeJson;
  readonly mailIsCertified: boolean;
  readonly isTransactional: boolean;
  /** Where answers to an e-mail go, where its mail domain says so. */
  readonly replyTo: string | null;
  /** Where its recipient refuses further e-mails of its kind; null where the service answers no such address. */
  readonly unsubscribeUrl: string | null;
}

/** A file that goes with a message. */
export interface AttachedFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Reads the documents that a message names; they are as long as they are asked for. */
export type AttachedFiles = (message: OutgoingMessage) => Promise<readonly AttachedFile[]>;

/**
 * Delivers the messages of one channel. An error that it throws, other than `MessageRefused`, is a temporary failure, and the
 * message is tried again.
 */
export interface DeliveryAdapter {
  submit(message: OutgoingMessage, files: AttachedFiles): Promise<{ readonly providerMessageId: string }>;
  /** Takes up what was left by a process before. */
  start?(): void;
  /** Ends its connections. */
  close?(): Promise<void> | void;
}

export type DeliveryAdapters = Readonly<Record<SendableChannel, DeliveryAdapter>>;

/** The provider will never accept the message. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';

  constructor(
    readonly signal: FeedbackSignal,
    readonly providerErrorCode: string | null,
  ) {
    super(`the provider refuses the message: ${signal}`);
  }
}
