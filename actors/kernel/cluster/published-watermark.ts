import { randomUUID } from 'node:crypto';
import { ownJson } from '../../../engine/index.js';
import { unavailable } from '../journal/committer.js';
import { isConflict, isUnavailable } from '../placement/index.js';
import type { SharedKeyValue } from '../ports.js';
import { notHere } from '../shard/cluster-part.js';

/** All limits of this folder. */
export const CLUSTER_LIMITS = {
  /** How long a command may take to be answered by the owner of its shard; a `sync` one waits 20 s by itself. In milliseconds. */
  commandMs: 25_000,
  /** The same of a query. */
  queryMs: 10_000,
  /** Between two attempts to reach a unit that no worker serves at the moment: it is being taken over. */
  ownerlessRetryMs: 50,
  /** How long a change on the shared shard waits for the units that follow it, before its reply is sent anyway. */
  followMs: 2_000,
  /** How long a request waits for a unit without an owner. */
  ownerlessMs: 8_000,
  /**
   * How long an answer is kept while the lease of its unit has lapsed, since the next beat may renew it, and the pause between two checks:
   * less than the caller waits.
   */
  heldAgainMs: 5_000,
  heldLookMs: 50,
  /** Between two attempts to open an owned unit: the first pause, and the longest. */
  reopenMs: 200,
  reopenMostMs: 5_000,
  /** Between two checks for own units whose engine has stopped serving. */
  reviveMs: 1_000,
  /** Between two rounds that fetch new events for streams: after a round with events, and after one without. */
  feedBusyMs: 10,
  feedIdleMs: 60,
  /** After a round in which a unit did not answer. */
  feedRetryMs: 250,
  /** Events of one tenant that a unit returns in one round. */
  feedEvents: 2_000,
  /** Newest events of a tenant kept in memory for streams. */
  feedKept: 20_000,
  /** How long to wait for the status of a worker. */
  statusMs: 1_500,
  /**
   * How far ahead the published watermark of a unit is written: while readers ask, once in half of that time. Less than a lease, so that
   * the written time has passed when the unit of a dead worker is taken over.
   */
  publishAheadMs: 2_000,
  /** Attempts to take over the watermark of a unit while its previous owner still writes it. */
  stampTries: 20,
} as const;

interface Mark {
  /** The owner of one opening of a unit, as in fences. */
  readonly owner: string;
  readonly stamp: number;
}

const AHEAD = CLUSTER_LIMITS.publishAheadMs * 1_000;

/**
 * The stamp up to which readers may have seen all events of a unit. The journal does not have it, as an idle unit publishes its clock. It
 * is kept where the next owner finds it, so that the next owner begins above it even if its clock is late:
 *
 *   begin        the next owner takes the watermark over, and its events begin above it; the previous owner can no longer raise it
 *   mayPublish   a stamp may be published once a watermark above it is written: some time ahead, so that most answers do not wait
 *   end          an owner that leaves writes what it has really published, so that the next owner's stamps are not ahead of its clock
 */
export class PublishedWatermarks {
  readonly #owner = randomUUID();
  #revision = 0;
  #published = 0;
  #mark = 0;
  #raising: Promise<void> | null = null;

  constructor(
    private readonly stamps: SharedKeyValue,
    private readonly unit: string,
  ) {}

  /** The highest stamp published for the unit. Throws errors of the store, and `unavailable` when other writers are faster each time. */
  async begin(): Promise<number> {
    for (let tried = 0; tried < CLUSTER_LIMITS.stampTries; tried += 1) {
      const found = await this.#find();
      this.#revision = found?.revision ?? 0;
      this.#published = Math.max(this.#published, found === undefined || found.owner === this.#owner ? 0 : found.stamp);
      try {
        await this.#put(this.#published);
        return this.#published;
      } catch (cause) {
        if (!isConflict(cause)) throw cause; // another owner was faster and has published more
      }
    }
    throw unavailable('The unit is being taken over: its published watermark cannot be read yet.');
  }

  /** Resolves once the stamp may be published. Throws `unavailable`. */
  async mayPublish(stamp: number): Promise<void> {
    this.#published = Math.max(this.#published, stamp);
    if (this.#published > this.#mark - AHEAD / 2) this.#raise().catch(() => undefined); // a caller that waits for it gets the error
    while (stamp > this.#mark) await this.#raise();
  }

  /** Nothing is published after this. */
  async end(): Promise<void> {
    await this.#raising?.catch(() => undefined); // its caller has the error
    // A failure is ignored: the watermark then stays ahead, which is safe.
    if (this.#published < this.#mark) await this.#write(this.#published).catch(() => undefined);
  }

  #raise(): Promise<void> {
    this.#raising ??= this.#write(this.#published + AHEAD).finally(() => {
      this.#raising = null;
    });
    return this.#raising;
  }

  async #write(stamp: number): Promise<void> {
    try {
      await this.#put(stamp).catch((cause: unknown) => this.#unlessOwn(cause));
    } catch (cause) {
      throw isUnavailable(cause) ? unavailable('Events cannot be read at the moment: the store of watermarks does not answer.') : cause;
    }
  }

  async #put(stamp: number): Promise<void> {
    const value = Buffer.from(JSON.stringify({ owner: this.#owner, stamp } satisfies Mark));
    this.#revision = await (this.#revision === 0
      ? this.stamps.create(this.unit, value)
      : this.stamps.update(this.unit, value, this.#revision));
    this.#mark = stamp;
  }

  /** The conflict may come from a write of our own whose answer was lost; any other conflict comes from a later owner. */
  async #unlessOwn(cause: unknown): Promise<void> {
    if (!isConflict(cause)) throw cause;
    const found = await this.#find();
    if (found?.owner !== this.#owner) throw notHere(this.unit);
    [this.#revision, this.#mark] = [found.revision, found.stamp];
  }

  async #find(): Promise<(Mark & { readonly revision: number }) | undefined> {
    const entry = await this.stamps.get(this.unit);
    return entry && { ...ownJson<Mark>(Buffer.from(entry.value).toString()), revision: entry.revision };
  }
}
