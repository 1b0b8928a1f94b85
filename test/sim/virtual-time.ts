import type { Random } from '../random.js';
import { EventQueue, type QueueItem } from './event-queue.js';
import { drainEventLoop } from './machine-parts.js';

/** A process of the simulated world: its events happen only while it runs. */
export class SimProcess {
  isDead = false;
  isPaused = false;
  /** Cut off from the server that has the stream and the records; other processes still reach it over the bus. */
  isCutOff = false;
  /** Events that came due while it was paused. */
  readonly held: Event[] = [];

  constructor(readonly name: string) {}
}

interface Event extends QueueItem {
  readonly owner: SimProcess | null;
  isCancelled: boolean;
}

/** Cancels a scheduled event. */
export type Cancel = () => void;

/**
 * Time that passes only from one event to the next. Everything that a process waits for (a timer, the disk, the network) is an event of
 * that process: events of a killed process never happen, so that it ends in the middle of its work, and those of a paused one wait.
 */
export class VirtualTime {
  /** Milliseconds since the beginning. */
  now = 0;
  steps = 0;
  /** The current process: what it schedules is its own. */
  current: SimProcess | null = null;
  readonly #queue = new EventQueue<Event>();
  #orders = 0;

  constructor(private readonly random: Random) {}

  /** Schedules an event of the current process. */
  after(milliseconds: number, run: () => void, owner: SimProcess | null = this.current): Cancel {
    this.#orders += 1;
    const event: Event = { at: this.now + Math.max(0, milliseconds), order: this.#orders, run, owner, isCancelled: false };
    this.#queue.push(event);
    return () => {
      event.isCancelled = true;
    };
  }

  /** Resolves in the current process, at some moment within the bounds. */
  pause(leastMs: number, mostMs = leastMs): Promise<void> {
    return new Promise((resolve) => {
      this.after(this.between(leastMs, mostMs), resolve);
    });
  }

  /** Runs something in a process, and passes the result to the current one; never, if the process ends before. */
  within<T>(process: SimProcess | null, run: () => Promise<T>): Promise<T> {
    const asking = this.current;
    return new Promise((resolve, reject) => {
      const deliver = (settle: () => void): void => void this.after(0, settle, asking);
      this.after(
        0,
        () =>
          void run().then(
            (value) => deliver(() => resolve(value)),
            (cause: unknown) => deliver(() => reject(cause)),
          ),
        process,
      );
    });
  }

  between(least: number, most: number): number {
    return least + ((most - least) * this.random.below(1_000_000)) / 1_000_000;
  }

  /** As `kill -9`: no further event of it happens. */
  kill(process: SimProcess): void {
    process.isDead = true;
    process.held.length = 0;
  }

  /** As SIGSTOP. */
  stop(process: SimProcess): void {
    process.isPaused = true;
  }

  /** As SIGCONT: events that came due meanwhile happen now. */
  resume(process: SimProcess): void {
    process.isPaused = false;
    for (const { run } of process.held.splice(0)) this.after(0, run, process);
  }

  /** Lets events happen, one after the other, until the condition holds or no event is left. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const event = this.#queue.pop();
      if (event === undefined) return;
      this.now = Math.max(this.now, event.at);
      if (event.isCancelled || event.owner?.isDead === true) continue;
      if (event.owner?.isPaused === true) {
        event.owner.held.push(event);
        continue;
      }
      this.steps += 1;
      this.current = event.owner;
      event.run();
      await drainEventLoop();
      this.current = null;
    }
  }
}
