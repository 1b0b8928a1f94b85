/**
 * What a worker's thread and the thread of its pulse tell each other without waiting: whole numbers in memory that both have. Moments are
 * nanoseconds of `process.hrtime`, which is one clock for all threads of a process.
 */
export class PulseCells {
  readonly #cells: BigInt64Array;

  constructor(readonly memory = new SharedArrayBuffer(CELLS.length * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.#cells = new BigInt64Array(memory);
  }

  get(name: CellName): bigint {
    return Atomics.load(this.#cells, CELLS.indexOf(name));
  }

  set(name: CellName, value: bigint): void {
    Atomics.store(this.#cells, CELLS.indexOf(name), value);
  }
}

const CELLS = [
  /** When the worker's thread has said last that it lives. */
  'livedAt',
  /** When the newest acknowledged beat was sent. */
  'sentAt',
  /** Which it made. */
  'revision',
  /** Beats that were not acknowledged. */
  'missed',
] as const;

type CellName = (typeof CELLS)[number];
