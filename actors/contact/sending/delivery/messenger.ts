import { randomUUID } from 'node:crypto';
import { assert, type FeedbackSignal, type SendableChannel } from '../../../../engine/index.js';
import type { PersonState } from '../../../borrower/index.js';
import { Refusal, refuse } from '../../../errors.js';
import type { CommandContext, CommandRequest, CommandSpec, DecideEnv, Decision, Outcome, QueryRequest } from '../../../kernel/actor.js';
import { type FactDraft, SYSTEM_AGENT, type Tenant } from '../../../kernel/fact.js';
import type { ListResult } from '../../../wire.js';
import { feedbackRecorded, type InteractionContent, type InteractionState } from '../../interactions/index.js';
import { openJson } from '../../interactions/sealing.js';
import { ofItself, stoppedNow } from '../send/screened.js';
import {
  type Delivery,
  type DeliveryAdapters,
  type DeliveryFacts,
  GIVEN_UP,
  isSinkOf,
  MessageRefused,
  type OutgoingItem,
  type OutgoingMessage,
  retryAt,
  TAKEN,
} from './delivery.js';

/** The answer of an adapter. */
export interface HandedOverBody {
  readonly providerMessageId: string;
}

export interface NotHandedOverBody {
  /** Null: the provider was not reached, and the message is tried again. */
  readonly signal: FeedbackSignal | null;
  readonly providerErrorCode: string | null;
}

/** The reply at the start of an attempt: the message, or null if it is no longer to be sent. */
interface TryReply {
  readonly message: OutgoingMessage | null;
}

type Context = CommandContext<InteractionState>;

const deliveryFact = <Type extends keyof DeliveryFacts>(type: Type, body: DeliveryFacts[Type]): FactDraft => ({ type, body });

/** Internal commands about outgoing messages, without a route. */
export const deliveryCommands: readonly CommandSpec<InteractionState>[] = [
  onWaiting('interaction.tryDelivery', ({ state, env }, delivery) => {
    if ((delivery.nextAt ?? 0) > env.now) refuse('invalidState', `The message ${state.id} is not due yet.`);
    const stops = stoppedNow(env, state); // at each attempt: a STOP, a block or quiet hours may have begun since it was queued
    if (stops)
      return {
        facts: [deliveryFact('MessageNotHandedOver', { nextAt: null }), ...stops.facts],
        reply: () => ({ data: { message: null } satisfies TryReply }),
      };
    const message = messageOf(env, state, delivery.channel);
    if (message === null) return { facts: givenUp(env, state, delivery), reply: () => ({ data: { message: null } satisfies TryReply }) };
    return { facts: [], reply: () => ({ data: { message } satisfies TryReply }) };
  }),
  onWaiting('interaction.handedOver', ({ state, env, body }, { channel }) => {
    const { providerMessageId } = body as HandedOverBody;
    return done([deliveryFact('MessageHandedOver', { providerMessageId }), ...feedback(env, state, TAKEN[channel], null)]);
  }),
  onWaiting('interaction.notHandedOver', ({ state, env, body }, delivery) => {
    const { signal, providerErrorCode } = body as NotHandedOverBody;
    if (signal !== null)
      return done([deliveryFact('MessageNotHandedOver', { nextAt: null }), ...feedback(env, state, signal, providerErrorCode)]);
    const nextAt = retryAt(delivery, env.now);
    return done(nextAt === null ? givenUp(env, state, delivery) : [deliveryFact('MessageNotHandedOver', { nextAt })]);
  }),
];

function onWaiting(
  type: string,
  decide: (context: Context, delivery: Delivery) => Decision<InteractionState>,
): CommandSpec<InteractionState> {
  return {
    kind: 'interaction',
    type,
    place: { on: 'target' },
    decide(context) {
      assert(context.command.actor.type === 'system', 'messages are handed over by the service');
      const { id, delivery, status } = context.state;
      if (delivery?.phase !== 'waiting' || status !== 'attempted')
        return refuse('invalidState', `The message ${id} is not waiting to be sent.`);
      return decide(context, delivery);
    },
  };
}

const done = (facts: readonly FactDraft[]): Decision<InteractionState> => ({ facts, reply: () => ({ data: undefined }) });

/** The facts of a provider's signal, of the interaction and of the borrower. */
const feedback = (
  env: DecideEnv,
  state: InteractionState,
  signal: FeedbackSignal | null,
  providerErrorCode: string | null,
): readonly FactDraft[] =>
  signal === null ? [] : feedbackRecorded(env, state, { signal, providerErrorCode }).map((draft) => ofItself(state, draft));

const givenUp = (env: DecideEnv, state: InteractionState, { channel }: Delivery): readonly FactDraft[] => [
  deliveryFact('MessageNotHandedOver', { nextAt: null }),
  ...feedback(env, state, GIVEN_UP[channel], null),
];

/** Null after the borrower was erased. */
function messageOf(env: DecideEnv, state: InteractionState, channel: SendableChannel): OutgoingMessage | null {
  const content = openJson<InteractionContent>(env, state, 'content');
  const {
    id: idempotencyKey,
    tenant: { company, mode },
    mailIsCertified,
    personId,
  } = state;
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  return content && person
    ? { idempotencyKey, company, mode, personId: person.id, channel, content: { ...content }, mailIsCertified }
    : null;
}

export interface MessengerParts {
  /** The engine of the shared shard, which has the companies. */
  readonly engine: { tenants(): readonly Tenant[] };
  /** Sends commands and queries to all shards. */
  readonly asked: { execute(command: CommandRequest): Promise<Outcome>; query(request: QueryRequest): Promise<unknown> };
  readonly adapters: DeliveryAdapters;
  /** Receives failures to hand over or to record; these are tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** Milliseconds between rounds; the number of a company's messages in one round, and of those handed over at the same time. */
const EVERY_MS = 1_000;
const MOST = 500;
const AT_ONCE = 16;
/** Timeout of an adapter. */
const SUBMIT_MS = 30_000;

/**
 * Hands messages over to the adapters, on the process that owns the shared shard. Interactions hold what waits: after a crash a
 * message is handed over again with the same idempotency key, and each attempt is recorded.
 */
export class Messenger {
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  #isIdle = true;

  constructor(private readonly parts: MessengerParts) {}

  start(): this {
    this.#timer = setInterval(() => void this.run(), EVERY_MS);
    this.#timer.unref();
    return this;
  }

  /** Hands over all waiting messages once, after a round that is under way. */
  run(): Promise<void> {
    if (!this.#isIdle) return this.#running;
    this.#isIdle = false;
    this.#running = this.#round().finally(() => (this.#isIdle = true));
    return this.#running;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#running;
  }

  async #round(): Promise<void> {
    for (const tenant of this.parts.engine.tenants()) {
      if (isSinkOf(tenant.mode)) continue;
      try {
        const waiting = [...(await this.#waiting(tenant))];
        await Promise.all(
          Array.from({ length: AT_ONCE }, async () => {
            for (let next = waiting.shift(); next !== undefined && !this.#isClosed; next = waiting.shift())
              await this.#handOver(tenant, next.id);
          }),
        );
      } catch (cause) {
        // A shard that refuses for now is asked again in the next round.
        if (!(cause instanceof Refusal)) this.#report('messages could not be sent', tenant, cause);
      }
    }
  }

  /** A message that was canceled, or handed over by another messenger meanwhile, refuses the command. */
  async #handOver(tenant: Tenant, id: string): Promise<void> {
    try {
      const { data } = await this.#execute(tenant, id, ['interaction.tryDelivery', {}]);
      const { message } = data as TryReply;
      if (message !== null) await this.#execute(tenant, id, await this.#submitted(tenant, message));
    } catch (cause) {
      if (!(cause instanceof Refusal)) this.#report('the result of handing over a message could not be recorded', tenant, cause, id);
    }
  }

  async #submitted(tenant: Tenant, message: OutgoingMessage): Promise<readonly [string, HandedOverBody | NotHandedOverBody]> {
    try {
      const { providerMessageId } = await withinTime(this.parts.adapters[message.channel].submit(message));
      return ['interaction.handedOver', { providerMessageId }];
    } catch (cause) {
      if (cause instanceof MessageRefused)
        return ['interaction.notHandedOver', { signal: cause.signal, providerErrorCode: cause.providerErrorCode }];
      this.#report('a message could not be sent', tenant, cause, message.idempotencyKey);
      return ['interaction.notHandedOver', { signal: null, providerErrorCode: null }];
    }
  }

  async #waiting({ company, mode }: Tenant): Promise<readonly OutgoingItem[]> {
    const answer = await this.parts.asked.query({
      company,
      mode,
      type: 'interaction.outgoing',
      target: null,
      params: {},
      query: { limit: MOST },
      permissions: NOTHING,
    });
    return (answer as ListResult<OutgoingItem>).items;
  }

  #execute(
    { company, mode }: Tenant,
    target: string,
    [type, body]: readonly [string, HandedOverBody | NotHandedOverBody | object],
  ): Promise<Outcome> {
    const id = `deliver-${randomUUID()}`;
    return this.parts.asked.execute({
      commandId: id,
      company,
      mode,
      type,
      target,
      params: {},
      body,
      actor: SYSTEM_AGENT,
      permissions: NOTHING,
      address: null,
      requestId: id,
    });
  }

  #report(message: string, { company, mode }: Tenant, cause: unknown, interactionId?: string): void {
    this.parts.report(message, { company, mode, ...(interactionId === undefined ? {} : { interactionId }), cause: String(cause) });
  }
}

const NOTHING: ReadonlySet<string> = new Set();

async function withinTime<T>(running: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${SUBMIT_MS} ms`)), SUBMIT_MS);
    timer.unref();
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}
