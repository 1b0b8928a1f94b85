import type { Journal } from '../actors/index.js';

/** Delays the batches of journals while it is closed, as a slow disk does. */
export class Gate {
  #closed: Promise<void> | null = null;

  /** Closes it until the returned function is called. */
  close(): () => void {
    let open: () => void = () => undefined;
    this.#closed = new Promise((resolve) => (open = resolve));
    return () => {
      this.#closed = null;
      open();
    };
  }

  before(journal: Journal): Journal {
    return new Proxy(journal, {
      get: (target, name) => {
        if (name === 'append') {
          return async (blocks: Parameters<Journal['append']>[0]): Promise<void> => {
            await this.#closed;
            return target.append(blocks);
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
}
