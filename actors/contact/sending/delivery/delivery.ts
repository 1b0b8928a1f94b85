import type { ContactOrigin, FeedbackSignal, SendableChannel } from '../../../../engine/index.js';
import type { QueryEnv, QuerySpec } from '../../../kernel/actor.js';
import type { Fact, Mode } from '../../../kernel/fact.js';
import { tenantKey } from '../../../kernel/ids.js';
import type { FreeJson, ListResult } from '../../../wire.js';
import type { InteractionState } from '../../interactions/state.js';

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

/** What part of a wait may be added to it, so that what failed together is not tried again together. */
const JITTER = 0.2;

/** When it is tried again after a failure at this moment; null once all tries are used up. `jitter` is drawn from 0 to 1. */
export const retryAt = ({ failures }: Delivery, now: number, jitter: number): number | null => {
  const after = RETRY_AFTER_MS[failures];
  return after === undefined ? null : now + after + Math.floor(after * JITTER * jitter);
};

/** Whether a message went nowhere since each of its tries has failed. */
export const triesAreUsedUp = ({ phase, failures }: Delivery): boolean => phase === 'ended' && failures > RETRY_AFTER_MS.length;

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

/** A message that is to be handed over now. */
export interface OutgoingItem {
  readonly id: string;
  readonly channel: SendableChannel;
  readonly nextAt: number;
}

interface OutgoingQuery {
  readonly limit: number;
}

/**
 * The messages of an engine's tenants that wait to be handed over. Nobody needs to keep the list: it is made from the interactions
 * when somebody first asks for it, and each message that is queued is entered.
 */
export class Outgoing {
  readonly #tenants = new Map<string, Set<string>>();

  /** To be told of every fact of an interaction. */
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
    const { rows } = env.list('interaction', { limit: Number.MAX_SAFE_INTEGER, matches: ({ fields }) => fields['isOutgoing'] === true });
    const waiting = new Set(rows.map(({ id }) => id).reverse()); // oldest first
    this.#tenants.set(tenantKey(env.tenant), waiting);
    return waiting;
  }
}

/** What the messenger asks of each engine. */
export const outgoingQuery = (outgoing: Outgoing): QuerySpec<InteractionState> => ({
  kind: 'interaction',
  type: 'interaction.outgoing',
  on: 'tenant',
  read({ query, env }): ListResult<OutgoingItem> {
    const items = outgoing
      .due(env, (query as OutgoingQuery).limit)
      .toSorted((one, other) => one.nextAt - other.nextAt || (one.id < other.id ? -1 : 1));
    return {
      items,
      total: items.length,
      hasMore: false,
      hasPrevious: false,
      order: { descending: [false, false], places: items.map(({ nextAt, id }) => [nextAt, id]), cursor: null },
    };
  },
});

/** A message on its way out, in clear: it exists in memory alone, and at the adapter. */
export interface OutgoingMessage {
  /** The interaction's. A provider that is handed the same one twice brings it to the borrower once. */
  readonly idempotencyKey: string;
  readonly company: string;
  readonly mode: Mode;
  /** Whose documents the attachments of the content are. */
  readonly personId: string;
  readonly channel: SendableChannel;
  /** The content of the interaction, `from` and `to` among it. */
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
 * What brings the messages of one channel to borrowers. What it throws is a failure of the way there: it is tried
 * again.
 */
export interface DeliveryAdapter {
  submit(message: OutgoingMessage, files: AttachedFiles): Promise<{ readonly providerMessageId: string }>;
  /** Takes up what was left by a process before. */
  start?(): void;
  /** Ends its connections. */
  close?(): Promise<void> | void;
}

export type DeliveryAdapters = Readonly<Record<SendableChannel, DeliveryAdapter>>;

/** The provider will never take the message. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';

  constructor(
    readonly signal: FeedbackSignal,
    readonly providerErrorCode: string | null,
  ) {
    super(`the provider refuses the message: ${signal}`);
  }
}
