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

const OPERATION_ID_LENGTH = 32;
const UUID_LENGTH = 36;
const SHA256_LENGTH = 64;

/**
 * The 32 characters by which the work of a command is asked for. The gateway's command ids, random ones and hashes, give
 * them as they are.
 */
export function operationIdOf(commandId: string): string {
  if (commandId.length === SHA256_LENGTH) return commandId.slice(0, OPERATION_ID_LENGTH);
  const digits = commandId.length === UUID_LENGTH ? commandId.replaceAll('-', '') : '';
  return digits.length === OPERATION_ID_LENGTH ? digits : createHash('sha256').update(commandId).digest('hex').slice(0, OPERATION_ID_LENGTH);
}

/** Running and recently finished operations; a finished one is kept for an hour, the oldest go first. */
export class Operations {
  readonly #known = new Map<string, Operation>();
  /** Ids in the order of coming, around and around: which one the next takes the place of. */
  readonly #order: string[] = [];
  #next = 0;

  put(operation: Operation): void {
    const { operationId } = operation;
    if (!this.#known.has(operationId)) this.#makePlace(operationId);
    this.#known.set(operationId, operation);
  }

  get(tenant: Tenant, operationId: string, nowMs: number): Operation | undefined {
    const operation = this.#known.get(operationId);
    if (!operation || tenantKey(operation.tenant) !== tenantKey(tenant)) return undefined;
    return operation.finishedAt !== null && nowMs - operation.finishedAt > LIMITS.operationMs ? undefined : operation;
  }

  /** What went on after the reply is done. */
  finish(tenant: Tenant, operationId: string, nowMs: number): void {
    const operation = this.get(tenant, operationId, nowMs);
    if (operation?.status !== 'running') return;
    operation.status = 'succeeded';
    operation.finishedAt = nowMs;
    if (operation.progress) operation.progress.done = operation.progress.total;
  }

  /** The tenant's operations, newest first. */
  list(tenant: Tenant, nowMs: number): Operation[] {
    const found = [...this.#known.values()].filter((operation) => this.get(tenant, operation.operationId, nowMs));
    return found.reverse();
  }

  #makePlace(operationId: string): void {
    const oldest = this.#order[this.#next];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#order[this.#next] = operationId;
    this.#next = (this.#next + 1) % LIMITS.operations;
  }
}
