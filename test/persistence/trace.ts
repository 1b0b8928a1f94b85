/** What reached the disk, and what was acknowledged to others, in one order. */
export type TraceEntry =
  | { readonly type: 'written'; readonly file: number; readonly path: string; readonly position: number; readonly bytes: Buffer }
  /** Covers what was written to the file before `begun`. */
  | { readonly type: 'flushed'; readonly file: number; readonly begun: number }
  | { readonly type: 'powerCut' }
  /** An acknowledgement of what holds `marker` was given: a resolved append, a reply that left. */
  | { readonly type: 'promised'; readonly marker: string };

export class Trace {
  readonly entries: TraceEntry[] = [];

  get nextIndex(): number {
    return this.entries.length;
  }

  add(entry: TraceEntry): void {
    this.entries.push(entry);
  }

  /** To be called at the moment when something becomes known outside; the marker's text is part of what was written for it. */
  promise(marker: string): void {
    this.add({ type: 'promised', marker });
  }

  /** Promises that were given before their data was flushed: a power cut would break them. */
  brokenPromises(): readonly string[] {
    const flushed = this.#flushedWrites();
    return this.entries.flatMap((entry, index) => {
      if (entry.type !== 'promised') return [];
      const marker = Buffer.from(entry.marker);
      return flushed.some(({ bytes, flushedAt }) => flushedAt < index && bytes.includes(marker)) ? [] : [entry.marker];
    });
  }

  #flushedWrites(): readonly { readonly bytes: Buffer; readonly flushedAt: number }[] {
    const found: { bytes: Buffer; flushedAt: number }[] = [];
    let waiting: Waiting[] = [];
    for (const [at, entry] of this.entries.entries()) {
      if (entry.type === 'written') waiting.push({ file: entry.file, index: at, bytes: entry.bytes });
      if (entry.type === 'powerCut') waiting = [];
      if (entry.type !== 'flushed') continue;
      const { file, begun } = entry;
      const isCovered = (write: Waiting): boolean => write.file === file && write.index < begun;
      for (const write of waiting) if (isCovered(write)) found.push({ bytes: write.bytes, flushedAt: at });
      waiting = waiting.filter((write) => !isCovered(write));
    }
    return found;
  }
}

interface Waiting {
  readonly file: number;
  readonly index: number;
  readonly bytes: Buffer;
}
