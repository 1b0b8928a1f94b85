import { randomUUID } from 'node:crypto';
import type { SendableChannel } from '../../../../engine/index.js';
import { Refusal } from '../../../errors.js';
import type { CommandRequest, Outcome, QueryRequest } from '../../../kernel/actor.js';
import { SYSTEM_AGENT, type Tenant } from '../../../kernel/fact.js';
import { tenantKey } from '../../../kernel/ids.js';
import type { ListResult } from '../../../wire.js';
import { type AttachedFiles, type DeliveryAdapters, isSinkOf, MessageRefused, type OutgoingItem } from './delivery.js';
import type { FailedReply, HandedOverBody, NotHandedOverBody, TryReply } from './handing-over.js';
import { Pace } from './pace.js';
import { withLink } from './unsubscribe.js';

export interface MessengerParts {
  /** That of the shared shard: it knows the companies. */
  readonly engine: { tenants(): readonly Tenant[] };
  /** Where the messages of all shards are asked. */
  readonly asked: { execute(command: CommandRequest): Promise<Outcome>; query(request: QueryRequest): Promise<unknown> };
  readonly adapters: DeliveryAdapters;
  /** Absent: a message that names documents is not handed over. */
  readonly files?: AttachedFiles;
  /** Where the gateway is reached from outside; absent or null: its answer to who unsubscribes cannot be linked to. */
  readonly publicUrl?: string | null;
  readonly measure?: MessageMeasure;
  /** From 0 to 1: spreads retries. */
  readonly random?: () => number;
  /** Hears of what could not be handed over or recorded; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** Hears what becomes of messages. */
export interface MessageMeasure {
  counted(channel: SendableChannel, outcome: 'handedOver' | 'refused' | 'failed' | 'givenUp'): void;
  /** What the last look has found waiting. */
  waiting(counts: ReadonlyMap<SendableChannel, number>): void;
}

/** How often it is looked for what waits, in milliseconds, and how many messages of a company are taken up in one go, and at once. */
const EVERY_MS = 1_000;
const MOST = 100;
const AT_ONCE = 16;
/** Companies whose messages are handed over at once: none waits for all others. */
const COMPANIES_AT_ONCE = 8;
/** How long an adapter may take. */
const SUBMIT_MS = 30_000;
/** Messages of a company that are handed over within a second (communications 11). */
const PER_SECOND = 50;

/**
 * Hands messages over to those who bring them to borrowers, on the process that owns the shared shard. What waits is told by the
 * interactions: after a crash it is handed over again with the same idempotency key, and that is recorded as often as it happens.
 */
export class Messenger {
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  #isIdle = true;
  readonly #paces = new Map<string, Pace>();

  constructor(private readonly parts: MessengerParts) {}

  start(): this {
    this.#timer = setInterval(() => void this.run(), EVERY_MS);
    this.#timer.unref();
    return this;
  }

  /** Hands over once what waits, behind what is under way. */
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
    const counts = new Map<SendableChannel, number>();
    const tenants = this.parts.engine.tenants().filter(({ mode }) => !isSinkOf(mode));
    await sideBySide(COMPANIES_AT_ONCE, tenants, async (tenant) => {
      try {
        const waiting = await this.#waiting(tenant);
        for (const { channel } of waiting) counts.set(channel, (counts.get(channel) ?? 0) + 1);
        await sideBySide(AT_ONCE, waiting, async ({ id }) => {
          await this.#paceOf(tenant).turn();
          if (!this.#isClosed) await this.#handOver(tenant, id);
        });
      } catch (cause) {
        // A shard that refuses for the moment is asked again with the next round.
        if (!(cause instanceof Refusal)) this.#report('messages could not be handed over', tenant, cause);
      }
    });
    this.parts.measure?.waiting(counts);
  }

  #paceOf(tenant: Tenant): Pace {
    const key = tenantKey(tenant);
    const pace = this.#paces.get(key) ?? new Pace(PER_SECOND);
    this.#paces.set(key, pace);
    return pace;
  }

  /** One that was canceled, or handed over by another messenger meanwhile, refuses. */
  async #handOver(tenant: Tenant, id: string): Promise<void> {
    try {
      const { data } = await this.#tell(tenant, id, ['interaction.tryDelivery', {}]);
      const { message } = data as TryReply;
      if (message === null) return;
      const outcome = await this.#tell(tenant, id, await this.#submitted(tenant, message));
      if ((outcome.data as FailedReply | undefined)?.isLast === true) this.parts.measure?.counted(message.channel, 'givenUp');
    } catch (cause) {
      if (!(cause instanceof Refusal)) this.#report('what became of a message could not be recorded', tenant, cause, id);
    }
  }

  async #submitted(
    tenant: Tenant,
    { unsubscribe, ...message }: NonNullable<TryReply['message']>,
  ): Promise<readonly [string, HandedOverBody | NotHandedOverBody]> {
    const { adapters, files = noFiles, publicUrl = null, measure, random = Math.random } = this.parts;
    const { channel, idempotencyKey } = message;
    try {
      const outgoing = unsubscribe === null ? { ...message, unsubscribeUrl: null } : withLink(message, unsubscribe, publicUrl);
      const { providerMessageId } = await withinTime(adapters[channel].submit(outgoing, files));
      measure?.counted(channel, 'handedOver');
      return ['interaction.handedOver', { providerMessageId }];
    } catch (cause) {
      if (cause instanceof MessageRefused) {
        measure?.counted(channel, 'refused');
        return ['interaction.notHandedOver', { signal: cause.signal, providerErrorCode: cause.providerErrorCode }];
      }
      measure?.counted(channel, 'failed');
      this.#report('a message could not be handed over', tenant, cause, idempotencyKey);
      return ['interaction.notHandedOver', { signal: null, providerErrorCode: null, jitter: random() }];
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

  #tell(
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

const noFiles: AttachedFiles = ({ content: { attachments, documentId } }) =>
  attachments === undefined && documentId === undefined ? Promise.resolve([]) : Promise.reject(new Error('documents cannot be read here'));

async function sideBySide<Item>(most: number, items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: Math.min(most, left.length) }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
    }),
  );
}

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
