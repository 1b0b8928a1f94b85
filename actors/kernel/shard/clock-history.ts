import { Refusal } from '../../errors.js';
import type { CommandRequest } from '../actor.js';
import { LIMITS } from '../limits.js';
import { isOfBody } from './body-digest.js';

/** The idempotency key of a request to the runtime itself, which stores no replies: a retry is answered from the recorded result. */
export interface AskedUnder {
  readonly commandId: string;
  /** Keyed; that of a request to an earlier release is plain. */
  readonly digest: string;
}

type Asked = Pick<CommandRequest, 'commandId' | 'idempotency'>;

export const askedUnder = ({ commandId, idempotency }: Asked): AskedUnder | null =>
  idempotency === undefined ? null : { commandId, digest: idempotency.digest };

/** Whether it was sent before under the same key. Refuses another body. */
function isAskedAgain(before: AskedUnder | null | undefined, { commandId, idempotency }: Asked): boolean {
  if (!before || idempotency === undefined || commandId !== before.commandId) return false;
  if (!isOfBody(before.digest, idempotency))
    throw new Refusal('idempotencyConflict', 'This Idempotency-Key was already used with another body. Use a new key.');
  return true;
}

/** A request for the test clock of a mode. Moments are milliseconds. */
export interface ClockRequest {
  readonly did: 'make' | 'move' | 'empty';
  /** The idempotency key of the request; null without one. */
  readonly asked: AskedUnder | null;
  readonly clockId: string;
  readonly name: string | null;
  /** Machine time of the request. */
  readonly at: number;
  /** The clock's time before it, and its goal. */
  readonly from: number;
  readonly to: number;
  /** For a clock that is moved. */
  readonly operationId: string | null;
  /** Machine time of the newest step of an advance. */
  readonly movedAt: number;
  readonly isDone: boolean;
}

/**
 * The requests for the test clocks of all tenants: the newest of each, up to a limit. Retries are answered from it, and so is the operation
 * of an advance. It is computed from facts alone. The request that empties the mode outlives the clock: it may be sent again, too.
 */
export class ClockHistory {
  readonly #requests = new Map<string, ClockRequest[]>();

  add(tenant: string, request: ClockRequest): void {
    const requests = this.#requests.get(tenant) ?? [];
    this.#requests.set(tenant, requests);
    requests.push(request);
    if (requests.length > LIMITS.clockRequests) requests.shift();
  }

  /** The test mode is emptied: of its requests only those that emptied it are known. */
  emptied(tenant: string): void {
    const requests = this.#requests.get(tenant) ?? [];
    this.#requests.set(
      tenant,
      requests.filter(({ did }) => did === 'empty'),
    );
  }

  /** Changes the newest request of its kind: a clock is created with a later date. */
  leadsTo(tenant: string, did: ClockRequest['did'], change: Partial<ClockRequest>): void {
    this.#change(tenant, (request) => request.did === did, change);
  }

  /** Progress of an operation; if the clock was created with a later date, also of its creation. */
  goesOn(tenant: string, operationId: string, change: Pick<ClockRequest, 'movedAt' | 'isDone'>): void {
    for (const did of ['move', 'make'] as const)
      this.#change(tenant, (request) => request.did === did && request.operationId === operationId, change);
  }

  #change(tenant: string, isMeant: (request: ClockRequest) => boolean, change: Partial<ClockRequest>): void {
    const requests = this.#requests.get(tenant) ?? [];
    const index = requests.findLastIndex(isMeant);
    const request = requests[index];
    if (request !== undefined) requests[index] = { ...request, ...change };
  }

  /** The first attempt of a request. Refuses another body under its key. */
  firstTry(tenant: string, asked: Asked): ClockRequest | undefined {
    return this.#requests.get(tenant)?.find((request) => isAskedAgain(request.asked, asked));
  }

  /** The advance of an operation. */
  advance(tenant: string, operationId: string): ClockRequest | undefined {
    return this.#requests.get(tenant)?.find((request) => request.did === 'move' && request.operationId === operationId);
  }

  pack(): PackedRequests {
    return [...this.#requests].map(([tenant, requests]) => [tenant, requests.map(packed)]);
  }

  unpack(stored: PackedRequests): void {
    for (const [tenant, requests] of stored) this.#requests.set(tenant, requests.map(unpacked));
  }
}

export type PackedRequests = readonly (readonly [tenant: string, requests: readonly Packed[]])[];

/** When test modes were emptied, as stamps: earlier releases have kept the requests alone. */
export const emptiedIn = (stored: PackedRequests): readonly (readonly [tenant: string, stamp: number])[] =>
  stored.flatMap(([tenant, requests]) =>
    requests
      .map(unpacked)
      .filter(({ did }) => did === 'empty')
      .map(({ at }) => [tenant, at * 1000] as const),
  );

type Packed = readonly [
  ClockRequest['did'],
  commandId: string | null,
  digest: string | null,
  clockId: string,
  name: string | null,
  at: number,
  from: number,
  to: number,
  operationId: string | null,
  movedAt: number,
  isDone: boolean,
];

const packed = ({ did, asked, clockId, name, at, from, to, operationId, movedAt, isDone }: ClockRequest): Packed => [
  did,
  asked?.commandId ?? null,
  asked?.digest ?? null,
  clockId,
  name,
  at,
  from,
  to,
  operationId,
  movedAt,
  isDone,
];

const unpacked = ([did, commandId, digest, clockId, name, at, from, to, operationId, movedAt, isDone]: Packed): ClockRequest => ({
  did,
  asked: commandId === null || digest === null ? null : { commandId, digest },
  clockId,
  name,
  at,
  from,
  to,
  operationId,
  movedAt,
  isDone,
});
