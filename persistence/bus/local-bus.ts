import type { Bus, BusHandler } from '../ports.js';
import { WaitingAsks } from './waiting-asks.js';

/** A bus for the parts of one process. Requests are carried in the next turn of the event loop, as from afar. */
export class LocalBus implements Bus {
  readonly #handlers = new Map<string, Set<BusHandler>>();
  readonly #asks = new WaitingAsks();

  async ask(address: string, request: Uint8Array, waitMs: number): Promise<Uint8Array> {
    const { number, answer } = this.#asks.begin(address, waitMs);
    setImmediate(() => this.#deliver(address, number, request));
    return answer;
  }

  async serve(address: string, handler: BusHandler): Promise<() => Promise<void>> {
    const handlers = this.#handlers.get(address) ?? new Set();
    this.#handlers.set(address, handlers.add(handler));
    return async () => void handlers.delete(handler);
  }

  async close(): Promise<void> {
    this.#handlers.clear();
    this.#asks.failAll('away');
  }

  #deliver(address: string, number: number, request: Uint8Array): void {
    const handlers = [...(this.#handlers.get(address) ?? [])];
    if (handlers.length === 0) return this.#asks.failed(number, 'nobody');
    for (const handler of handlers) {
      // What a handler throws is its own process's to tell; whoever asked waits in vain, as over a wire.
      handler(request).then(
        (answer) => answer && this.#asks.answered(number, answer),
        () => undefined,
      );
    }
  }
}
