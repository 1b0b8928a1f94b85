/** What the heartbeat thread is started with. */
export interface HeartbeatStart {
  readonly memory: SharedArrayBuffer;
  readonly nats: string;
  /** Shows in the server's list of connections. */
  readonly name: string;
  readonly bucket: string;
  readonly key: string;
  readonly beatMs: number;
  /** The thread stops beating when the worker has not reported for so long that it lives. */
  readonly stallMs: number;
}

/** Messages to the heartbeat thread. */
export type ToHeartbeat =
  | { readonly type: 'record'; readonly record: Uint8Array; readonly number: number }
  | { readonly type: 'resume' }
  | { readonly type: 'stop' };

/**
 * Messages from the heartbeat thread: it is connected; a `record` was sent once, or its beat was missed; a conflict ended its beats until
 * `resume`.
 */
export type FromHeartbeat =
  | { readonly type: 'ready' }
  | { readonly type: 'beaten'; readonly number: number }
  | { readonly type: 'conflict'; readonly key: string };

/**
 * Numbers that a worker's thread and its heartbeat thread exchange without waiting, in memory that both share. Moments are nanoseconds of
 * `process.hrtime`, which is one clock for all threads of a process.
 */
export class HeartbeatCells {
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
  /** When the worker's thread last reported that it lives. */
  'livedAt',
  /** When the newest acknowledged beat was sent. */
  'sentAt',
  /** The revision of the record that this beat wrote. */
  'revision',
  /** Beats that were not acknowledged. */
  'missed',
] as const;

type CellName = (typeof CELLS)[number];
