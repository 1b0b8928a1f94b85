import { type JetStreamClient, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { limits } from '../limits.js';
import type { ShardBlock, ShardHead } from '../ports.js';
import { blockMessages, NO_HEAD } from './message.js';
import { type JournalStream, makeStream, subjectOf } from './stream.js';

/**
 * Fills an empty stream with a journal, many messages at once: nobody else writes to it, so that the place of each is known before the
 * server says it, and each is taken only at its place. What fails once fails for good.
 */
export class StreamFiller {
  readonly #heads = new Map<number, ShardHead>();
  readonly #inFlight = new Set<Promise<void>>();
  #failure: unknown = null;
  #sequence = 0;

  /** Makes the stream. */
  static async begin(connection: NatsConnection, stream: JournalStream): Promise<StreamFiller> {
    await makeStream(await jetstreamManager(connection), stream, 1);
    return new StreamFiller(
      jetstream(connection, { timeout: limits.filledAckMs }),
      stream,
      (connection.info?.max_payload ?? 0) - limits.messageHeaderBytes,
    );
  }

  private constructor(
    private readonly client: JetStreamClient,
    private readonly stream: JournalStream,
    private readonly partBytes: number,
  ) {}

  /** Resolves when there is room for more; `finish` says that all is stored. */
  async append(blocks: readonly ShardBlock[]): Promise<void> {
    for (const block of blocks) {
      const message = blockMessages(block, this.#heads.get(block.shard) ?? NO_HEAD, this.partBytes);
      const start = this.#sequence + 1;
      for (const [part, bytes] of message.parts.entries())
        await this.#publish(subjectOf(this.stream, block.shard), bytes, message.headers(part, part === 0 ? null : start));
      this.#heads.set(block.shard, message.head);
    }
  }

  heads(): ReadonlyMap<number, ShardHead> {
    return this.#heads;
  }

  /** Resolves when the server has all of it. */
  async finish(): Promise<void> {
    await Promise.all(this.#inFlight);
    if (this.#failure !== null) throw this.#failure;
  }

  async #publish(subject: string, bytes: Uint8Array, headers: ReturnType<ReturnType<typeof blockMessages>['headers']>): Promise<void> {
    while (this.#inFlight.size >= limits.filledInFlight) await Promise.race(this.#inFlight);
    if (this.#failure !== null) throw this.#failure;
    const publishing: Promise<void> = this.client
      .publish(subject, bytes, { headers, expect: { lastSequence: this.#sequence } })
      .then(
        () => undefined,
        (cause: unknown) => void (this.#failure ??= cause),
      )
      .finally(() => this.#inFlight.delete(publishing));
    this.#inFlight.add(publishing);
    this.#sequence += 1;
  }
}
