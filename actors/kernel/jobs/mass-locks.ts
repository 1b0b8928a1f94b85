import { Refusal } from '../../errors.js';
import type { CommandRequest, CommandSpec } from '../actor.js';
import { tenantOf } from '../fact.js';
import { LIMITS } from '../limits.js';
import { locate } from '../shard/scope.js';
import { actorKey } from '../snapshots/stored-keys.js';
import type { CachedActor, World } from '../shard/world.js';
import type { MassWork } from './mass-works.js';

/** The mass work that computes an actor, and since when. */
export interface HeldLock {
  readonly operationId: string;
  /** The kind of the operation. */
  readonly kind: string;
  /** Machine time in milliseconds. */
  readonly heldAt: number;
}

interface Lock extends HeldLock {
  readonly released: Promise<void>;
}

/**
 * Actors that mass work has just computed: locked until that is durable, so that no command is decided on a state that a crash could undo
 * together with a thousand others. A command waits until the lock is released, within a limit.
 */
export class Locks {
  readonly #held = new Map<string, Lock>();

  get isFree(): boolean {
    return this.#held.size === 0;
  }

  /** The lock of the actor; undefined when it is not locked. */
  of(key: string): HeldLock | undefined {
    return this.#held.get(key);
  }

  hold(actors: readonly CachedActor[], { operationId, kind }: MassWork, heldAt: number, durable: Promise<void>): void {
    // A failed batch is dropped, and its lock is released.
    const lock: Lock = { operationId, kind, heldAt, released: durable.catch(() => undefined) };
    for (const { key } of actors) this.#held.set(key, lock);
    void lock.released.then(() => {
      for (const { key } of actors) if (this.#held.get(key) === lock) this.#held.delete(key);
    });
  }

  /** Resolves when the actor is not locked. Throws `loanLocked` after the limit, in milliseconds. */
  async passed(key: string, waitMs: number): Promise<void> {
    for (const end = performance.now() + waitMs; ; ) {
      const lock = this.#held.get(key);
      if (!lock) return;
      await within(end - performance.now(), lock);
    }
  }
}

/** Waits while mass work computes the actor of a command, up to a limit in milliseconds. */
export async function lockPassed(
  world: World,
  { kind, place }: CommandSpec<unknown>,
  request: CommandRequest,
  waitMs: number = LIMITS.lockWaitMs,
): Promise<void> {
  if (place.on !== 'target' || request.target === null) return;
  const tenant = tenantOf(request.company, request.mode);
  await world.locks.passed(actorKey(tenant, kind, locate(world, tenant, kind, request.target)), waitMs);
}

async function within(waitMs: number, { operationId, released }: Lock): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => {
        reject(
          new Refusal('loanLocked', 'The ledger is locked by another operation. Try again in a second.', {
            retryAfterSeconds: 1,
            extra: { data: { lockedByOperationId: operationId } },
          }),
        );
      },
      Math.max(0, waitMs),
    );
  });
  try {
    await Promise.race([released, late]);
  } finally {
    clearTimeout(timer);
  }
}
