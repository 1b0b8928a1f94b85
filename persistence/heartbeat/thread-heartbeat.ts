import { Worker } from 'node:worker_threads';
import { KeyValueConflict } from '../errors.js';
import type { Heartbeat } from '../ports.js';
import { clockOffsetMs } from '../thread-clock.js';
import { type FromPulse, PulseCells, type PulseStart, type ToPulse } from './pulse-messages.js';

export type ThreadHeartbeatOptions = Omit<PulseStart, 'memory'>;

/**
 * A pulse in a thread of its own: a worker that collects, packs or reads for seconds without letting anything else have its turn is not
 * taken for dead. `beat` says that the worker itself lives; without it the thread beats for `stallMs` more. Its moments are those of
 * `performance.now` in the thread that made it.
 */
export class ThreadHeartbeat implements Heartbeat {
  readonly #cells = new PulseCells();
  readonly #thread: Worker;
  readonly #ended: Promise<void>;
  readonly #beaten = new Map<number, () => void>();
  #turns = 0;
  #record: Uint8Array | null = null;
  #trouble: Error | null = null;
  #isStopped = false;

  /** Resolves when it is connected. Throws `NatsAway`. */
  static async start(options: ThreadHeartbeatOptions): Promise<ThreadHeartbeat> {
    const pulse = new ThreadHeartbeat(options);
    await new Promise<void>((resolve, reject) => {
      pulse.#thread.once('message', () => resolve());
      pulse.#thread.once('error', reject);
    });
    return pulse;
  }

  private constructor(options: ThreadHeartbeatOptions) {
    const workerData: PulseStart = { ...options, memory: this.#cells.memory };
    this.#thread = new Worker(new URL('./pulse-thread.js', import.meta.url), { workerData });
    this.#thread.on('message', (message: FromPulse) => this.#hear(message));
    this.#thread.on('error', (cause: Error) => this.#end(cause));
    this.#ended = new Promise((resolve) =>
      this.#thread.once('exit', () => {
        this.#end(new Error('the thread of the pulse has ended'));
        resolve();
      }),
    );
  }

  get sentAt(): number {
    const sentAt = this.#cells.get('sentAt');
    return sentAt === 0n ? -Infinity : fromNs(sentAt);
  }

  get revision(): number {
    return Number(this.#cells.get('revision'));
  }

  get missed(): number {
    return Number(this.#cells.get('missed'));
  }

  resume(revision: number, sentAt?: number): void {
    this.#cells.set('revision', BigInt(revision));
    if (sentAt !== undefined) this.#cells.set('sentAt', toNs(sentAt));
    this.#trouble = null;
    this.#tell({ type: 'resume' });
  }

  async beat(record: Uint8Array): Promise<void> {
    this.#assertBeating();
    this.#cells.set('livedAt', process.hrtime.bigint());
    if (this.#record !== null && Buffer.compare(this.#record, record) === 0) return;
    this.#record = record;
    const turn = (this.#turns += 1);
    await new Promise<void>((resolve) => {
      this.#beaten.set(turn, resolve);
      this.#tell({ type: 'record', record, turn });
    });
    this.#assertBeating();
  }

  async stop(): Promise<void> {
    if (!this.#isStopped) this.#tell({ type: 'stop' });
    this.#isStopped = true;
    await this.#ended;
  }

  #assertBeating(): void {
    if (this.#trouble) throw this.#trouble;
  }

  #tell(message: ToPulse): void {
    this.#thread.postMessage(message);
  }

  #hear(message: FromPulse): void {
    if (message.type === 'conflict') this.#trouble = new KeyValueConflict(message.key);
    if (message.type !== 'beaten') return;
    this.#beaten.get(message.turn)?.();
    this.#beaten.delete(message.turn);
  }

  #end(cause: Error): void {
    this.#trouble ??= cause;
    for (const resolve of this.#beaten.values()) resolve();
    this.#beaten.clear();
  }
}

/** Between the clock of all threads and that of this one. */
const OFFSET_MS = clockOffsetMs();
const toNs = (ms: number): bigint => BigInt(Math.round((ms + OFFSET_MS) * 1e6));
const fromNs = (ns: bigint): number => Number(ns) / 1e6 - OFFSET_MS;
