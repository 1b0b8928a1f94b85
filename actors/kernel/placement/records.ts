import { assert } from '../../../engine/index.js';

/*
 * What workers tell each other, in the shared key-value store:
 *
 *   workers.<worker>   where it is reached and whether it is leaving; written anew with each beat, so that its revision
 *                      says that it lives. Whoever finds it unchanged for too long removes it, and with it all its leases.
 *   leases.<unit>      who owns the unit, since which epoch; nobody when its owner has given it back.
 */

export interface WorkerRecord {
  /** The subject of the bus under which it is reached. */
  readonly address: string;
  /** It gives its units away, and takes none. */
  readonly isLeaving: boolean;
}

/** What a worker owns while it lives. */
export interface Lease {
  /** Its name: what a worker owns, takes over and gives away as a whole. */
  readonly unit: string;
  /** Of one start of a process: it never comes back once it is gone. */
  readonly worker: string;
  /** Where the worker is reached. */
  readonly address: string;
  /** Grows with each change of owner: what comes from a smaller one is old. */
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
  JSON.parse(Buffer.from(bytes).toString()) as Readonly<Record<string, unknown>>;

/** What the shared key-value store has refused, or left without an answer. */
export const isConflict = (cause: unknown): boolean => codeOf(cause) === 'keyValueConflict';
export const isUnavailable = (cause: unknown): boolean => codeOf(cause) === 'keyValueUnavailable';

const codeOf = (cause: unknown): unknown => (cause as { readonly code?: unknown } | null)?.code;
