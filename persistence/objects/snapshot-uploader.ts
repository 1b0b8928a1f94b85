import { describe } from '../errors.js';

/** Stores the snapshots of a unit from time to time, one unit of a process after the other. */
export class SnapshotUploader {
  /** The last upload of all units of this process: one runs at a time. */
  static #last: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout | null;
  #copying: Promise<void> = Promise.resolve();
  #stored = 0;

  constructor(private readonly options: SnapshotUploaderOptions) {
    this.#timer = options.everyMs === 0 ? null : setInterval(() => void this.#takeIfNew(), options.everyMs);
    this.#timer?.unref();
  }

  /** Takes one now, after those of other units that are under way. */
  take(): Promise<void> {
    const result = SnapshotUploader.#last.then(() => this.#take());
    SnapshotUploader.#last = result.catch(() => undefined); // the caller gets the failure
    return result;
  }

  /** Resolves when the environments are no longer used; an upload under way is abandoned. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#ending.abort();
    await this.#copying;
  }

  async #takeIfNew(): Promise<void> {
    if (this.options.position() === this.#stored) return;
    try {
      await this.take();
    } catch (cause) {
      if (!this.#ending.signal.aborted)
        this.options.report('warn', 'A snapshot could not be put into the object store; the journal holds everything.', {
          cause: describe(cause),
        });
    }
  }

  async #take(): Promise<void> {
    const { position, store } = this.options;
    if (this.#ending.signal.aborted) return;
    const at = position();
    const begunMs = performance.now();
    let copied: () => void = () => undefined;
    this.#copying = new Promise((resolve) => (copied = resolve));
    await store(this.#ending.signal, copied).finally(copied);
    this.#stored = at;
    this.options.report('info', 'A snapshot was stored in the object store.', { tookMs: Math.round(performance.now() - begunMs) });
  }
}

export interface SnapshotUploaderOptions {
  /** Milliseconds between two snapshots; 0 = only on request. */
  readonly everyMs: number;
  /** Changes when there is something that no stored snapshot holds. */
  readonly position: () => number;
  /** Stores one; calls `copied` when it no longer needs the engine and its environments. */
  readonly store: (signal: AbortSignal, copied: () => void) => Promise<void>;
  report(level: 'info' | 'warn', message: string, details: Readonly<Record<string, unknown>>): void;
}
