/** What the thread of a pulse begins with. */
export interface PulseStart {
  readonly memory: SharedArrayBuffer;
  readonly nats: string;
  /** Shows in the server's list of connections. */
  readonly name: string;
  readonly bucket: string;
  readonly key: string;
  readonly beatMs: number;
  /** A worker that has not said for so long that it lives is not kept alive any more. */
  readonly stallMs: number;
}

/** What it is told. */
export type ToPulse =
  | { readonly type: 'record'; readonly record: Uint8Array; readonly turn: number }
  | { readonly type: 'resume' }
  | { readonly type: 'stop' };

/** What it says: that it is connected; each `record` was beaten once, or missed; and what ended its beats until it is told to go on. */
export type FromPulse =
  | { readonly type: 'ready' }
  | { readonly type: 'beaten'; readonly turn: number }
  | { readonly type: 'conflict'; readonly key: string };

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
