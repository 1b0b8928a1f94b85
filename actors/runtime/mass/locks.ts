import { Refusal } from '../../errors.js';
import { LIMITS } from '../limits.js';
import type { Resident } from '../world.js';

interface Lock {
  readonly operationId: string;
  readonly released: Promise<void>;
}

/**
 * Actors that mass work has just computed: locked until that is durable, so that no command is decided upon what a crash could
 * take back with a thousand others. A command waits for its turn, within a bound.
 */
export class Locks {
  readonly #held = new Map<string, Lock>();

  /** `waitMs`: longest wait of a command. */
  constructor(private readonly waitMs: number = LIMITS.lockWaitMs) {}

  get isFree(): boolean {
    return this.#held.size === 0;
  }

  hold(actors: readonly Resident[], operationId: string, durable: Promise<void>): void {
    const lock: Lock = { operationId, released: durable.catch(() => undefined) }; // what failed is gone, and the lock with it
    for (const { key } of actors) this.#held.set(key, lock);
    void lock.released.then(() => {
      for (const { key } of actors) if (this.#held.get(key) === lock) this.#held.delete(key);
    });
  }

  /** Resolves when nobody holds the actor. Throws `loanLocked` past the bound. */
  async passed(key: string): Promise<void> {
    for (const end = performance.now() + this.waitMs; ; ) {
      const lock = this.#held.get(key);
      if (!lock) return;
      await within(end - performance.now(), lock);
    }
  }
}

async function within(waitMs: number, { operationId, released }: Lock): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Refusal('loanLocked', 'The ledger is being computed by another operation.', { retryAfterSeconds: 1, extra: { data: { lockedByOperationId: operationId } } }));
    }, Math.max(0, waitMs));
  });
  try {
    await Promise.race([released, late]);
  } finally {
    clearTimeout(timer);
  }
}
