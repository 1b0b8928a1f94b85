import { Worker } from 'node:worker_threads';
import { KeyValueConflict } from '../errors.js';
import type { Heartbeat } from '../ports.js';
import { clockOffsetMs } from './thread-clock.js';
import { type FromHeartbeat, HeartbeatCells, type HeartbeatStart, type ToHeartbeat } from './heartbeat-messages.js';

export type ThreadHeartbeatOptions = Omit<HeartbeatStart, 'memory'>;

/**
 * A heartbeat from a thread of its own: a worker that collects garbage, packs or reads for seconds without a pause is not declared dead.
 * `beat` reports that the worker itself lives; without it the thread beats for `stallMs` more. Its moments are those of `performance.now`
 * in the thread that made it.
 */
export class ThreadHeartbeat implements Heartbeat {
  readonly #cells = new HeartbeatCells();
  readonly #thread: Worker;
  readonly #ended: Promise<void>;
  readonly #beaten = new Map<number, () => void>();
  #records = 0;
  #record: Uint8Array | null = null;
  #trouble: Error | null = null;
  #isStopped = false;

  /** Resolves when it is connected. Throws `NatsAway`. */
  static async start(options: ThreadHeartbeatOptions): Promise<ThreadHeartbeat> {
    const heartbeat = new ThreadHeartbeat(options);
    await new Promise<void>((resolve, reject) => {
      heartbeat.#thread.once('message', () => resolve());
      heartbeat.#thread.once('error', reject);
    });
    return heartbeat;
  }

  private constructor(options: ThreadHeartbeatOptions) {
    const workerData: HeartbeatStart = { ...options, memory: this.#cells.memory };
    this.#thread = new Worker(new URL('./heartbeat-thread.js', import.meta.url), { workerData });
    this.#thread.on('message', (message: FromHeartbeat) => this.#onMessage(message));
    this.#thread.on('error', (cause: Error) => this.#end(cause));
    this.#ended = new Promise((resolve) =>
      this.#thread.once('exit', () => {
        this.#end(new Error('the heartbeat thread has ended'));
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
    this.#send({ type: 'resume' });
  }

  async beat(record: Uint8Array): Promise<void> {
    this.#assertBeating();
    this.#cells.set('livedAt', process.hrtime.bigint());
    if (this.#record !== null && Buffer.compare(this.#record, record) === 0) return;
    this.#record = record;
    const number = (this.#records += 1);
    await new Promise<void>((resolve) => {
      this.#beaten.set(number, resolve);
      this.#send({ type: 'record', record, number });
    });
    this.#assertBeating();
  }

  async stop(): Promise<void> {
    if (!this.#isStopped) this.#send({ type: 'stop' });
    this.#isStopped = true;
    await this.#ended;
  }

  #assertBeating(): void {
    if (this.#trouble) throw this.#trouble;
  }

  #send(message: ToHeartbeat): void {
    this.#thread.postMessage(message);
  }

  #onMessage(message: FromHeartbeat): void {
    if (message.type === 'conflict') this.#trouble = new KeyValueConflict(message.key);
    if (message.type !== 'beaten') return;
    this.#beaten.get(message.number)?.();
    this.#beaten.delete(message.number);
  }

  #end(cause: Error): void {
    this.#trouble ??= cause;
    for (const resolve of this.#beaten.values()) resolve();
    this.#beaten.clear();
  }
}

/** Difference between the clock of all threads and the clock of this thread, in milliseconds. */
const OFFSET_MS = clockOffsetMs();
const toNs = (ms: number): bigint => BigInt(Math.round((ms + OFFSET_MS) * 1e6));
const fromNs = (ns: bigint): number => Number(ns) / 1e6 - OFFSET_MS;
