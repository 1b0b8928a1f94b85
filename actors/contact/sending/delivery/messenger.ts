import { randomUUID } from 'node:crypto';
import { assert, fieldOf, type SendableChannel } from '../../../../engine/index.js';
import { Refusal } from '../../../errors.js';
import type { CommandRequest, Outcome, QueryRequest } from '../../../kernel/actor.js';
import { SYSTEM_AGENT, type Tenant } from '../../../kernel/fact.js';
import { RoundRunner } from '../../../kernel/jobs/rounds.js';
import { ServiceCalls } from '../../../kernel/jobs/service-calls.js';
import { tenantKey } from '../../../kernel/ids.js';
import type { ListResult } from '../../../wire.js';
import type { MailOutcome } from './bounce-reader.js';
import { type AttachedFiles, type DeliveryAdapters, isSinkOf, MessageRefused, type OutgoingItem } from './delivery.js';
import { type HandedOverBody, isTryReply, type NotHandedOverBody, type TryReply } from './handing-over.js';
import { SendRate } from './send-rate.js';
import { withLink } from './unsubscribe.js';

export interface MessengerParts {
  /** The engine of the shared shard, which has the companies. */
  readonly engine: { tenants(): readonly Tenant[] };
  /** Sends commands and queries to all shards. */
  readonly asked: { execute(command: CommandRequest): Promise<Outcome>; query(request: QueryRequest): Promise<unknown> };
  readonly adapters: DeliveryAdapters;
  /** Absent: a message with documents is not handed over. */
  readonly files?: AttachedFiles;
  /** The address of the gateway from outside; absent or null: e-mails link to the portal of the company to unsubscribe. */
  readonly publicUrl?: string | null;
  readonly measure?: MessageMeasure;
  /** From 0 to 1: spreads retries. */
  readonly random?: () => number;
  /** Receives failures to hand over or to record; these are tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** Counts messages, and mails that report of them, by their outcome. */
export interface MessageMeasure {
  count(channel: SendableChannel, outcome: 'handedOver' | 'refused' | 'failed' | 'givenUp'): void;
  /** The messages that wait, as of the last round. */
  waiting(counts: ReadonlyMap<SendableChannel, number>): void;
  reported(outcome: MailOutcome): void;
}

/** Milliseconds between rounds; the number of a company's messages in one round, and of those handed over at the same time. */
const EVERY_MS = 1_000;
const MOST = 100;
const AT_ONCE = 16;
/** Companies whose messages are handed over at the same time: none waits for all others. */
const COMPANIES_AT_ONCE = 8;
/** Timeout of an adapter. */
const SUBMIT_MS = 30_000;
/** Messages of a company that are handed over within a second. */
const PER_SECOND = 50;

/**
 * Hands messages over to the adapters, on the process that owns the shared shard. Interactions hold what waits: after a crash a
 * message is handed over again with the same idempotency key, and each attempt is recorded.
 */
export class Messenger extends RoundRunner {
  readonly #rates = new Map<string, SendRate>();

  constructor(private readonly parts: MessengerParts) {
    super(EVERY_MS);
  }

  protected override async round(): Promise<void> {
    const counts = new Map<SendableChannel, number>();
    const tenants = this.parts.engine.tenants().filter(({ mode }) => !isSinkOf(mode));
    await sideBySide(COMPANIES_AT_ONCE, tenants, async (tenant) => {
      try {
        const waiting = await this.#waiting(tenant);
        for (const { channel } of waiting) counts.set(channel, (counts.get(channel) ?? 0) + 1);
        await sideBySide(AT_ONCE, waiting, async ({ id }) => {
          await this.#rateOf(tenant).wait();
          if (!this.isClosed) await this.#handOver(tenant, id);
        });
      } catch (cause) {
        // A shard that refuses for now is asked again in the next round.
        if (!(cause instanceof Refusal)) this.#report('messages could not be sent', tenant, cause);
      }
    });
    this.parts.measure?.waiting(counts);
  }

  #rateOf(tenant: Tenant): SendRate {
    const key = tenantKey(tenant);
    const rate = this.#rates.get(key) ?? new SendRate(PER_SECOND);
    this.#rates.set(key, rate);
    return rate;
  }

  /** A message that was canceled, or handed over by another messenger meanwhile, refuses the command. */
  async #handOver(tenant: Tenant, id: string): Promise<void> {
    try {
      const { data } = await this.#execute(tenant, id, ['interaction.tryDelivery', {}]);
      assert(isTryReply(data), 'the reply of an attempt has its message');
      const { message } = data;
      if (message === null) return;
      const outcome = await this.#execute(tenant, id, await this.#submitted(tenant, message));
      if (fieldOf(outcome.data, 'isLast') === true) this.parts.measure?.count(message.channel, 'givenUp');
    } catch (cause) {
      if (!(cause instanceof Refusal)) this.#report('the result of handing over a message could not be recorded', tenant, cause, id);
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
      measure?.count(channel, 'handedOver');
      return ['interaction.handedOver', { providerMessageId }];
    } catch (cause) {
      if (cause instanceof MessageRefused) {
        measure?.count(channel, 'refused');
        return ['interaction.notHandedOver', { signal: cause.signal, providerErrorCode: cause.providerErrorCode }];
      }
      measure?.count(channel, 'failed');
      this.#report('a message could not be sent', tenant, cause, idempotencyKey);
      return ['interaction.notHandedOver', { signal: null, providerErrorCode: null, jitter: random() }];
    }
  }

  async #waiting(tenant: Tenant): Promise<readonly OutgoingItem[]> {
    const calls = new ServiceCalls(this.parts.asked, tenant);
    const { items } = await calls.query<ListResult<OutgoingItem>>('interaction.outgoing', null, { limit: MOST });
    return items;
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
