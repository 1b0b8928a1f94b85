import { type Bus, type BusHandler, Unanswered } from '../../actors/index.js';
import type { Network } from './network.js';
import type { SimProcess, VirtualTime } from './virtual-time.js';

interface Server {
  readonly process: SimProcess;
  readonly handler: BusHandler;
}

/** The bus between processes: it loses, duplicates, delays and so reorders messages. */
export class SimulatedBus {
  readonly #servers = new Map<string, Set<Server>>();

  constructor(
    private readonly time: VirtualTime,
    private readonly network: Network,
  ) {}

  /** The bus as one process sees it; it waits no longer than so many milliseconds. */
  connect(process: SimProcess, patienceMs = Number.POSITIVE_INFINITY): Bus {
    return {
      ask: (address, request, waitMs) => this.#ask(process, address, request, Math.min(waitMs, patienceMs)),
      serve: async (address, handler) => {
        const server = { process, handler };
        const servers = this.#servers.get(address) ?? new Set();
        this.#servers.set(address, servers.add(server));
        return async () => void servers.delete(server);
      },
      close: async () => undefined,
    };
  }

  #ask(asking: SimProcess, address: string, request: Uint8Array, waitMs: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const cancel = this.time.after(waitMs, () => reject(new Unanswered(address, 'late')), asking);
      const reply = (settle: () => void): void =>
        this.network.send(asking, () => {
          cancel();
          settle();
        });
      this.network.send(null, () => {
        const servers = [...(this.#servers.get(address) ?? [])].filter(({ process }) => !process.isDead);
        if (servers.length === 0) return reply(() => reject(new Unanswered(address, 'nobody')));
        for (const { process, handler } of servers) this.#deliver(process, handler, request, (answer) => reply(() => resolve(answer)));
      });
    });
  }

  /** An error of a handler is reported by its own process; the caller gets no answer. */
  #deliver(process: SimProcess, handler: BusHandler, request: Uint8Array, reply: (answer: Uint8Array) => void): void {
    this.time.after(
      0,
      () =>
        void handler(request).then(
          (answer) => answer && reply(answer),
          () => undefined,
        ),
      process,
    );
  }
}
