import { describe } from '../errors.js';

export interface SnapshotKeeperOptions {
  /** Milliseconds between two of them; 0 = none but those that are asked for. */
  readonly everyMs: number;
  /** Changes when there is something that no stored snapshot has. */
  readonly position: () => number;
  /** Stores one; `copied` is to be called when it needs the engine and its environments no more. */
  store(signal: AbortSignal, copied: () => void): Promise<void>;
  report(level: 'info' | 'warn', message: string, details: Readonly<Record<string, unknown>>): void;
}

/** Stores the snapshots of a unit from time to time, one unit of a process after the other. */
export class SnapshotKeeper {
  /** Of all units of this process: each copies and sends alone. */
  static #turn: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout | null;
  #copying: Promise<void> = Promise.resolve();
  #stored = 0;

  constructor(private readonly options: SnapshotKeeperOptions) {
    this.#timer = options.everyMs === 0 ? null : setInterval(() => void this.#takeIfNew(), options.everyMs);
    this.#timer?.unref();
  }

  /** Takes one now, behind those of other units. */
  take(): Promise<void> {
    const turn = SnapshotKeeper.#turn.then(() => this.#take());
    SnapshotKeeper.#turn = turn.catch(() => undefined); // whoever asked is told
    return turn;
  }

  /** Resolves when the environments are left alone; what is being sent is given up. */
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
    this.options.report('info', 'A snapshot lies in the object store.', { tookMs: Math.round(performance.now() - begunMs) });
  }
}
