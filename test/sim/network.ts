import { type CommandRequest, type Engine, type QueryRequest, Refusal, toJsonText } from '../../actors/index.js';
import type { Random } from '../random.js';
import type { SimProcess, VirtualTime } from './virtual-time.js';

/** A process that serves at the moment. */
export interface Worker {
  readonly process: SimProcess;
  readonly engine: Engine;
}

export type Ask =
  | { readonly type: 'command'; readonly request: CommandRequest }
  | { readonly type: 'query'; readonly request: QueryRequest };

export type Answer =
  | { readonly type: 'done'; readonly text: string; readonly replayed: boolean }
  | { readonly type: 'refused'; readonly errorType: string; readonly message: string }
  /** The answer to a bug: 500. */
  | { readonly type: 'failed'; readonly message: string }
  /** No answer in time. The request may still be carried out. */
  | { readonly type: 'lost' };

/** Percent of the messages to which each happens. */
export interface Weather {
  lostPercent: number;
  doubledPercent: number;
  latePercent: number;
}

const DELAY_MS = [0.1, 3] as const;
const LATE_MS = [5, 4_000] as const;
/** How long a client waits for an answer. */
const PATIENCE_MS = 2_000;

/** Carries requests and replies; loses, duplicates, delays and so reorders both. */
export class Network {
  readonly weather: Weather = { lostPercent: 0, doubledPercent: 0, latePercent: 0 };

  constructor(
    private readonly time: VirtualTime,
    private readonly random: Random,
  ) {}

  /** Sends a request of the current client. `find` looks for the worker when the request arrives. */
  ask(ask: Ask, find: () => Worker | null): Promise<Answer> {
    const client = this.time.current;
    return new Promise((resolve) => {
      const cancel = this.time.after(PATIENCE_MS, () => resolve({ type: 'lost' }));
      this.send(null, () =>
        this.#deliver(ask, find(), (answer) =>
          this.send(client, () => {
            cancel();
            resolve(answer);
          }),
        ),
      );
    });
  }

  /** Runs something in a process some time later: not at all, once or twice. */
  send(receiver: SimProcess | null, run: () => void): void {
    const { lostPercent, doubledPercent, latePercent } = this.weather;
    if (this.#happens(lostPercent)) return;
    for (let copies = this.#happens(doubledPercent) ? 2 : 1; copies > 0; copies--) {
      const [least, most] = this.#happens(latePercent) ? LATE_MS : DELAY_MS;
      this.time.after(this.time.between(least, most), run, receiver);
    }
  }

  #happens(percent: number): boolean {
    return this.random.below(100) < percent;
  }

  #deliver(ask: Ask, worker: Worker | null, reply: (answer: Answer) => void): void {
    if (worker === null) return reply(NOBODY);
    this.time.after(
      0,
      () => {
        void answerOf(worker.engine, ask).then(reply);
      },
      worker.process,
    );
  }
}

const NOBODY: Answer = { type: 'refused', errorType: 'unavailable', message: 'Nobody serves the shard.' };

async function answerOf(engine: Engine, ask: Ask): Promise<Answer> {
  try {
    if (ask.type === 'query') return { type: 'done', text: textOf(await engine.query(ask.request)), replayed: false };
    const { data, replayed } = await engine.execute(ask.request);
    return { type: 'done', text: textOf(data), replayed };
  } catch (cause) {
    if (cause instanceof Refusal) return { type: 'refused', errorType: cause.errorType, message: cause.message };
    return { type: 'failed', message: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
  }
}

const textOf = (data: unknown): string => (data === undefined ? '{}' : toJsonText(data));
