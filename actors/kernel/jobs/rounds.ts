/** Work that a process looks for again and again, in one round at a time. */
export class Rounds {
  #timer: NodeJS.Timeout | null = null;
  #current: Promise<void> = Promise.resolve();
  #isIdle = true;
  #isClosed = false;

  /** `everyMs`: from the begin of one round to that of the next; one that takes longer delays it. */
  constructor(
    private readonly round: () => Promise<void>,
    private readonly everyMs: number,
  ) {}

  /** A round that goes on for long asks between its steps. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), this.everyMs);
    this.#timer.unref();
  }

  /** One round now; the one that is under way, if there is one. */
  run(): Promise<void> {
    if (!this.#isIdle) return this.#current;
    this.#isIdle = false;
    this.#current = this.round().finally(() => (this.#isIdle = true));
    return this.#current;
  }

  /** Begins no round any more, and resolves when the last one has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#current;
  }
}
