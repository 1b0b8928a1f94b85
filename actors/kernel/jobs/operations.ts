import { hash, randomUUID } from 'node:crypto';
import type { Tenant } from '../fact.js';
import { tenantKey } from '../fact.js';
import { LIMITS } from '../limits.js';

/** A piece of work that a caller can ask about by its id. */
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
const DASH = 45;
const letters = Buffer.alloc(SHA256_LENGTH);

/**
 * The operation id of a command's work: 32 characters. The gateway's command ids, random ones and hashes, are used as they are.
 */
export function operationIdOf(commandId: string): string {
  const isGateways = commandId.length === UUID_LENGTH || commandId.length === SHA256_LENGTH;
  const id = isGateways ? withoutDashes(commandId) : '';
  return id.length === OPERATION_ID_LENGTH ? id : hash('sha256', commandId).slice(0, OPERATION_ID_LENGTH);
}

/** For work that no command of a caller began. */
export const newOperationId = (): string => operationIdOf(randomUUID());

/** Its first 32 letters, as a text of its own: a slice or a join would keep its whole source in memory, and many ids are kept. */
function withoutDashes(text: string): string {
  const length = letters.write(text, 'latin1');
  let kept = 0;
  for (let at = 0; at < length && kept < OPERATION_ID_LENGTH; at++) {
    const letter = letters[at] ?? DASH;
    if (letter !== DASH) letters[kept++] = letter;
  }
  return letters.toString('latin1', 0, kept);
}

/**
 * Running and recently finished operations; a finished one is kept for an hour, and the oldest are dropped first. Nearly all end with the
 * reply: of those only the differing values are kept, in columns, since there are as many as the limit allows.
 */
export class Operations {
  /** The index of each in the columns. */
  readonly #indexes = new Map<string, number>();
  /** By index; the oldest is overwritten. */
  readonly #ids: string[] = [];
  readonly #tenants: Tenant[] = [];
  readonly #kinds: string[] = [];
  readonly #loanIds: (string | null)[] = [];
  readonly #resultIds: (string | null)[] = [];
  readonly #doneAt = new Float64Array(LIMITS.operations);
  /** Operations that go on after their reply; the work that runs them updates them. */
  readonly #whole = new Map<number, Operation>();
  #next = 0;

  put(operation: Operation): void {
    const index = this.#indexes.get(operation.operationId) ?? this.#newIndex(operation.operationId);
    this.#tenants[index] = operation.tenant;
    this.#kinds[index] = operation.kind;
    this.#loanIds[index] = operation.loanId;
    this.#resultIds[index] = operation.resultObjectId;
    this.#doneAt[index] = operation.startedAt;
    if (isDoneAtOnce(operation)) this.#whole.delete(index);
    else this.#whole.set(index, operation);
  }

  get(tenant: Tenant, operationId: string, nowMs: number): Operation | undefined {
    const index = this.#indexes.get(operationId);
    return index === undefined ? undefined : this.#at(index, tenant, nowMs);
  }

  /** The work that went on after the reply is done. */
  finish(tenant: Tenant, operationId: string, nowMs: number): void {
    const operation = this.get(tenant, operationId, nowMs);
    if (operation?.status !== 'running') return;
    operation.status = 'succeeded';
    operation.finishedAt = nowMs;
    if (operation.progress) operation.progress.done = operation.progress.total;
  }

  /** The test mode is emptied: its operations are unknown. */
  empty(tenant: Tenant): void {
    for (const [operationId, index] of this.#indexes) {
      const its = this.#tenants[index];
      if (its === undefined || tenantKey(its) !== tenantKey(tenant)) continue;
      this.#indexes.delete(operationId);
      this.#whole.delete(index);
    }
  }

  /** The tenant's operations, newest first. */
  list(tenant: Tenant, nowMs: number): Operation[] {
    const found: Operation[] = [];
    for (const index of this.#indexes.values()) {
      const operation = this.#at(index, tenant, nowMs);
      if (operation) found.push(operation);
    }
    return found.reverse();
  }

  #at(index: number, tenant: Tenant, nowMs: number): Operation | undefined {
    const its = this.#tenants[index];
    if (its === undefined || tenantKey(its) !== tenantKey(tenant)) return undefined;
    const operation = this.#whole.get(index) ?? this.#doneAtOnce(index, its);
    return operation.finishedAt !== null && nowMs - operation.finishedAt > LIMITS.operationMs ? undefined : operation;
  }

  #doneAtOnce(index: number, tenant: Tenant): Operation {
    const at = this.#doneAt[index] ?? 0;
    return {
      operationId: this.#ids[index] ?? '',
      tenant,
      kind: this.#kinds[index] ?? '',
      loanId: this.#loanIds[index] ?? null,
      status: 'succeeded',
      startedAt: at,
      finishedAt: at,
      resultObjectId: this.#resultIds[index] ?? null,
      errorType: null,
      errorMessage: null,
      progress: null,
    };
  }

  /** The index of the oldest operation, once all are in use. */
  #newIndex(operationId: string): number {
    const index = this.#next;
    const oldest = this.#ids[index];
    if (oldest !== undefined && this.#indexes.get(oldest) === index) this.#indexes.delete(oldest);
    this.#ids[index] = operationId;
    this.#indexes.set(operationId, index);
    this.#next = (index + 1) % LIMITS.operations;
    return index;
  }
}

const isDoneAtOnce = ({ status, startedAt, finishedAt, errorType, errorMessage, progress }: Operation): boolean =>
  status === 'succeeded' && finishedAt === startedAt && errorType === null && errorMessage === null && progress === null;
