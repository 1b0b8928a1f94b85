import { BLOCKED_STATUS, type EventView, type FailedSend, isPermitted, Refusal, refusalOf, textOf } from '../../../actors/index.js';
import { LIMITS } from '../../limits.js';
import type { Engine } from '../../local-caller.js';
import type { Caller, Reply } from '../../routing/route.js';

/** How the object of an event is read: the query, and the permission of its own GET. */
interface Reading {
  readonly query: string;
  readonly permission: string;
  readonly target: 'personId' | 'loanId';
  /** The path parameter that names the object below its target. */
  readonly parameter?: string;
}

const READINGS: Readonly<Record<string, Reading>> = {
  loan: { query: 'loan.get', permission: 'loan:read', target: 'loanId' },
  transaction: { query: 'transaction.get', permission: 'transaction:read', target: 'loanId', parameter: 'transactionId' },
  person: { query: 'person.get', permission: 'person:read', target: 'personId' },
  contact: { query: 'contact.get', permission: 'contact:read', target: 'personId', parameter: 'contactId' },
  paymentInstrument: {
    query: 'paymentInstrument.get',
    permission: 'payment.instrument:read',
    target: 'personId',
    parameter: 'paymentInstrumentId',
  },
};

/** Who reads, and what may be shown. */
export interface Reader {
  readonly engine: Pick<Engine, 'query'>;
  readonly caller: Pick<Caller, 'company' | 'mode' | 'permissions'>;
}

/** The object of an event as its own GET returns it to this caller; null when it is gone, or not for the caller to see. */
export async function hydrated({ engine, caller }: Reader, event: EventView): Promise<unknown> {
  const reading = READINGS[event.objectType];
  const target = reading === undefined ? null : event[reading.target];
  if (reading === undefined || target === null || !isPermitted(caller.permissions, reading.permission)) return null;
  const { company, mode, permissions } = caller;
  const params = { [reading.target]: target, ...(reading.parameter === undefined ? {} : { [reading.parameter]: event.objectId }) };
  try {
    return await engine.query({ company, mode, type: reading.query, target, params, query: {}, permissions });
  } catch (cause) {
    if (cause instanceof Refusal && cause.errorType === 'notFound') return null;
    throw cause;
  }
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** How many messages a company sends a second through this process. */
export class SendRate {
  readonly #buckets = new Map<string, Bucket>();

  constructor(private readonly nowMs: () => number) {}

  /** Throws 429 beyond the limit. */
  take({ company, mode }: Pick<Caller, 'company' | 'mode'>): void {
    const now = this.nowMs();
    const bucket = this.#bucket(`${company}/${mode}`, now);
    bucket.tokens = Math.min(LIMITS.sendsPerSecond, bucket.tokens + ((now - bucket.atMs) / 1000) * LIMITS.sendsPerSecond);
    bucket.atMs = now;
    if (bucket.tokens < 1)
      throw new Refusal('rateLimited', `A company sends ${LIMITS.sendsPerSecond} messages a second at most.`, { retryAfterSeconds: 1 });
    bucket.tokens -= 1;
  }

  #bucket(name: string, now: number): Bucket {
    const known = this.#buckets.get(name);
    if (known) return known;
    // One that is forgotten is full again: the oldest has long been.
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size < LIMITS.rateBuckets) break;
      this.#buckets.delete(oldest);
    }
    const bucket: Bucket = { tokens: LIMITS.sendsPerSecond, atMs: now };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

/** What came of a command that sends: a message that was stopped is recorded, and refused all the same. Throws 422. */
export function orStopped(reply: Reply): Reply {
  if (reply.status === BLOCKED_STATUS) throw refusalOf(JSON.parse(textOf(reply.data)) as FailedSend); // a stored reply is text
  return reply;
}
