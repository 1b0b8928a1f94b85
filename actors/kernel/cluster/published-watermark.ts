import { randomUUID } from 'node:crypto';
import { unavailable } from '../journal/committer.js';
import { isConflict, isUnavailable } from '../placement/index.js';
import type { SharedKeyValue } from '../ports.js';
import { notHere } from '../shard/shared-facts.js';

/** Every bound of this folder, in one place. */
export const CLUSTER_LIMITS = {
  /** How long a command may take to be answered by the owner of its shard; a `sync` one waits 20 s by itself. In milliseconds. */
  commandMs: 25_000,
  /** The same of a query. */
  queryMs: 10_000,
  /** Between two tries to reach a unit that nobody serves at the moment: it is being taken over. */
  ownerlessRetryMs: 50,
  /** How long a change of what all share waits for the units that follow it, before its reply leaves all the same. */
  followMs: 2_000,
  /** How long a unit without an owner is waited for. */
  ownerlessMs: 8_000,
  /**
   * How long an answer is kept while the lease of its unit has lapsed, which the next beat may bring back, and between two looks at it:
   * less than whoever asked waits.
   */
  heldAgainMs: 5_000,
  heldLookMs: 50,
  /** Between two tries to open a unit that is owned, the first time and at most. */
  reopenMs: 200,
  reopenMostMs: 5_000,
  /** Between two looks for units of its own that an engine serves no more. */
  reviveMs: 1_000,
  /** Between two rounds that fetch new events for those who tail them: after one that brought some, and after one that brought none. */
  feedBusyMs: 10,
  feedIdleMs: 60,
  /** After a round in which a unit did not answer. */
  feedRetryMs: 250,
  /** Events of one tenant that a unit tells in one round. */
  feedEvents: 2_000,
  /** Newest events of a tenant kept in memory for those who tail them. */
  feedKept: 20_000,
  /** How long a worker is waited for that is asked how it stands. */
  statusMs: 1_500,
  /**
   * How far what a unit may tell of its events is written down ahead: once in half of that time, while somebody asks. Less than a lease,
   * so that it has passed when the unit of a dead worker is taken over.
   */
  publishAheadMs: 2_000,
  /** Tries to take over what was told of a unit, while whoever had it before writes it as well. */
  stampTries: 20,
} as const;

interface Mark {
  /** Of one opening of a unit's parts, as fences have owners. */
  readonly owner: string;
  readonly stamp: number;
}

const AHEAD = CLUSTER_LIMITS.publishAheadMs * 1_000;

/**
 * Up to which stamp readers may have been told that all events of a unit have come. The journal does not know it: an idle unit tells its
 * clock. It is kept where the next owner finds it, so that nobody begins below it, how late the clock of his machine may be, and all
 * others have ended as well:
 *
 *   begin     the next owner takes the mark over, and its events begin behind it; whoever had it before cannot raise it any more
 *   mayPublish   a stamp is told once a mark behind it is written: some time ahead of what is told, so that most answers wait for nothing
 *   end       an owner that leaves writes what it has told in truth, so that its heir's stamps are no later than its clock
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

  /** The highest stamp that was told of the unit. Throws what the store throws, and `unavailable` when others are faster all the time. */
  async begin(): Promise<number> {
    for (let tried = 0; tried < CLUSTER_LIMITS.stampTries; tried += 1) {
      const found = await this.#find();
      this.#revision = found?.revision ?? 0;
      this.#published = Math.max(this.#published, found === undefined || found.owner === this.#owner ? 0 : found.stamp);
      try {
        await this.#put(this.#published);
        return this.#published;
      } catch (cause) {
        if (!isConflict(cause)) throw cause; // else somebody was faster, who has told more
      }
    }
    throw unavailable('How far events were told cannot be taken over at the moment.');
  }

  /** Resolves once the stamp may be told. Throws `unavailable`. */
  async mayPublish(stamp: number): Promise<void> {
    this.#published = Math.max(this.#published, stamp);
    if (this.#published > this.#mark - AHEAD / 2) this.#raise().catch(() => undefined); // whoever has to wait for it is told
    while (stamp > this.#mark) await this.#raise();
  }

  /** Nothing more is told. */
  async end(): Promise<void> {
    await this.#raising?.catch(() => undefined); // whoever waited for it was told
    if (this.#published < this.#mark) await this.#write(this.#published).catch(() => undefined); // the mark stays ahead, which harms nobody
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
      throw isUnavailable(cause) ? unavailable('How far events have come cannot be told at the moment.') : cause;
    }
  }

  async #put(stamp: number): Promise<void> {
    const value = Buffer.from(JSON.stringify({ owner: this.#owner, stamp } satisfies Mark));
    this.#revision = await (this.#revision === 0
      ? this.stamps.create(this.unit, value)
      : this.stamps.update(this.unit, value, this.#revision));
    this.#mark = stamp;
  }

  /** A write of its own may have arrived without an answer; any other is an heir's. */
  async #unlessOwn(cause: unknown): Promise<void> {
    if (!isConflict(cause)) throw cause;
    const found = await this.#find();
    if (found?.owner !== this.#owner) throw notHere(this.unit);
    [this.#revision, this.#mark] = [found.revision, found.stamp];
  }

  async #find(): Promise<(Mark & { readonly revision: number }) | undefined> {
    const entry = await this.stamps.get(this.unit);
    return entry && { ...(JSON.parse(Buffer.from(entry.value).toString()) as Mark), revision: entry.revision };
  }
}
