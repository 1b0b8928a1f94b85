import { assert, fieldOf, ownJson } from '../../../engine/index.js';

/*
 * Records of the workers in the shared key-value store:
 *
 *   workers.<worker>   its address and whether it is leaving; written again with each beat, so that its revision shows
 *                      that it is alive. A worker that finds it unchanged for too long removes it, and with it all its leases.
 *   leases.<unit>      who owns the unit, since which epoch; null when its owner has given it back.
 */

export interface WorkerRecord {
  /** The subject of the bus under which it is reached. */
  readonly address: string;
  /** It gives its units away, and takes none. */
  readonly isLeaving: boolean;
}

/** What a worker owns while it is alive. */
export interface Lease {
  /** The name of the unit: what a worker owns, takes over and gives away as a whole. */
  readonly unit: string;
  /** Of one start of a process: it never comes back once it is gone. */
  readonly worker: string;
  /** Where the worker is reached. */
  readonly address: string;
  /** Grows with each change of owner: a message with a smaller one is old. */
  readonly epoch: number;
}

/** A unit that its owner has given back. */
export type Unowned = Pick<Lease, 'unit' | 'epoch'> & { readonly worker: null };

export const workerKey = (worker: string): string => `workers.${worker}`;
export const leaseKey = (unit: string): string => `leases.${unit}`;

export const encodeRecord = (record: WorkerRecord | Lease | Unowned): Uint8Array => Buffer.from(JSON.stringify(record));

export function parseWorker(bytes: Uint8Array): WorkerRecord {
  const { address, isLeaving } = parsed(bytes);
  assert(typeof address === 'string' && typeof isLeaving === 'boolean', 'the record of a worker has its address');
  return { address, isLeaving };
}

export function parseLease(bytes: Uint8Array): Lease | Unowned {
  const { unit, worker, epoch, address } = parsed(bytes);
  assert(typeof unit === 'string' && typeof epoch === 'number', 'the record of a lease has its unit and epoch');
  if (worker === null) return { unit, epoch, worker };
  assert(typeof worker === 'string' && typeof address === 'string', 'the record of a lease has its worker');
  return { unit, epoch, worker, address };
}

const parsed = (bytes: Uint8Array): Readonly<Record<string, unknown>> =>
  ownJson<Readonly<Record<string, unknown>>>(Buffer.from(bytes).toString());

/** Errors of the shared key-value store: a refused write, or no answer. */
export const isConflict = (cause: unknown): boolean => codeOf(cause) === 'keyValueConflict';
export const isUnavailable = (cause: unknown): boolean => codeOf(cause) === 'keyValueUnavailable';

const codeOf = (cause: unknown): unknown => fieldOf(cause, 'code');
