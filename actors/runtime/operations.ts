import { createHash } from 'node:crypto';
import type { Tenant } from './fact.js';
import { tenantKey } from './fact.js';
import { LIMITS } from './limits.js';

/** A piece of work that a caller can ask for by its id. */
export interface Operation {
  readonly operationId: string;
  readonly tenant: Tenant;
  readonly kind: string;
  readonly loanId: string | null;
  status: 'running' | 'succeeded' | 'failed';
  readonly startedAt: number;
  finishedAt: number | null;
  resultObjectId: string | null;
  errorType: string | null;
  errorMessage: string | null;
  progress: { done: number; total: number } | null;
}

/** The 32 characters by which the work of a command is asked for. */
export const operationIdOf = (commandId: string): string => createHash('sha256').update(commandId).digest('hex').slice(0, 32);

/** Running and recently finished operations; a finished one is kept for an hour, the oldest go first. */
export class Operations {
  readonly #known = new Map<string, Operation>();

  put(operation: Operation): void {
    this.#known.set(operation.operationId, operation);
    if (this.#known.size > LIMITS.operations) this.#forget(operation.startedAt);
  }

  get(tenant: Tenant, operationId: string, nowMs: number): Operation | undefined {
    const operation = this.#known.get(operationId);
    if (!operation || tenantKey(operation.tenant) !== tenantKey(tenant)) return undefined;
    return operation.finishedAt !== null && nowMs - operation.finishedAt > LIMITS.operationMs ? undefined : operation;
  }

  /** The tenant's operations, newest first. */
  list(tenant: Tenant, nowMs: number): Operation[] {
    const found = [...this.#known.values()].filter((operation) => this.get(tenant, operation.operationId, nowMs));
    return found.reverse();
  }

  #forget(nowMs: number): void {
    for (const [id, operation] of this.#known) {
      const expired = operation.finishedAt !== null && nowMs - operation.finishedAt > LIMITS.operationMs;
      if (expired || this.#known.size > LIMITS.operations) this.#known.delete(id);
      else return;
    }
  }
}
