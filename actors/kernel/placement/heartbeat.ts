import type { SharedKeyValue } from '../ports.js';
import { isUnavailable } from './records.js';

/**
 * Writes the record of one worker anew, so that its revision says that the worker lives. Its beats are counted by the clock of the worker:
 * milliseconds since some moment, never set back.
 */
export interface Pulse {
  /** When the newest beat that was acknowledged was sent; -Infinity before the first. */
  readonly sentAt: number;
  /** The newest revision that is known to stand there. */
  readonly revision: number;
  /** Beats that were not acknowledged, since the start. */
  readonly missed: number;
  /**
   * The worker itself says that it lives, with this record. Resolves also when no answer of the store has come: that is counted. Throws the
   * store's conflict when the record is not what was written last, and beats no more until it is told from where to go on.
   */
  beat(record: Uint8Array): Promise<void>;
  /** Goes on from a revision that stands there, written at `sentAt` when this worker wrote it. */
  resume(revision: number, sentAt?: number): void;
  /** Beats no more. Resolves when none is under way. */
  stop(): Promise<void>;
}

export interface PulseOptions {
  readonly records: Pick<SharedKeyValue, 'update'>;
  /** Of the worker's record. */
  readonly key: string;
  readonly now: () => number;
}

/** Beats when it is asked to, and never else. */
export class AskedPulse implements Pulse {
  #sentAt = -Infinity;
  #revision = 0;
  #missed = 0;

  constructor(private readonly options: PulseOptions) {}

  get sentAt(): number {
    return this.#sentAt;
  }

  get revision(): number {
    return this.#revision;
  }

  get missed(): number {
    return this.#missed;
  }

  resume(revision: number, sentAt = this.#sentAt): void {
    this.#revision = revision;
    this.#sentAt = sentAt;
  }

  async beat(record: Uint8Array): Promise<void> {
    const { records, key, now } = this.options;
    const sentAt = now();
    try {
      this.resume(await records.update(key, record, this.#revision), sentAt);
    } catch (cause) {
      if (!isUnavailable(cause)) throw cause;
      this.#missed += 1;
    }
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
