/**
 * The time that a journal keeps by itself, in milliseconds: it goes on by what passes while the journal is served, by a clock that never
 * jumps, and begins where the replies of the journal end. What is kept for a while is kept by it, since the clock of a machine may be put
 * a day forward at any moment, and a retry would be carried out twice. While nobody serves the journal it stands still: what is kept is
 * kept longer.
 */
export class JournalTime {
  #at = 0;
  #measuredMs: number;

  /** Milliseconds of a clock that never jumps, from any moment on. */
  constructor(private readonly monotonicMs: () => number) {
    this.#measuredMs = monotonicMs();
  }

  now(): number {
    const measuredMs = this.monotonicMs();
    this.#at += Math.max(0, measuredMs - this.#measuredMs);
    this.#measuredMs = measuredMs;
    return Math.floor(this.#at);
  }

  /** The journal has come so far already. */
  reached(at: number): void {
    this.#at = Math.max(this.now(), at);
  }
}
