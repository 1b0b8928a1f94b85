import { ownJson } from '../../../engine/index.js';
import {
  BLOCKED_STATUS,
  BoundedMap,
  type EventView,
  type FailedSend,
  isPermitted,
  Refusal,
  refusalOf,
  textOf,
} from '../../../actors/index.js';
import { LIMITS } from '../../limits.js';
import type { EngineCalls } from '../../engine-calls.js';
import type { Caller, Reply } from '../../routing/route.js';
import { readerQueryOf } from '../../routing/shared-queries.js';

/** How the object of an event is read: the query, and the permission of its own GET. */
interface Reading {
  readonly query: string;
  readonly permission: string;
  readonly target: 'personId' | 'loanId' | 'caseId' | 'interactionId' | 'companyId';
  /** The path parameter that names the object below its target. */
  readonly parameter?: string;
  /** Whether the query must know who reads. */
  readonly isOfReader?: true;
}

const READINGS: Readonly<Record<string, Reading>> = {
  loan: { query: 'loan.get', permission: 'loan:read', target: 'loanId' },
  transaction: { query: 'transaction.get', permission: 'transaction:read', target: 'loanId', parameter: 'transactionId' },
  draw: { query: 'draw.get', permission: 'loan.draw:read', target: 'loanId', parameter: 'drawId' },
  purchase: { query: 'purchase.get', permission: 'purchase:read', target: 'loanId', parameter: 'purchaseId' },
  purchaseDispute: { query: 'dispute.get', permission: 'purchase.dispute:read', target: 'loanId', parameter: 'purchaseDisputeId' },
  promiseToPayPlan: { query: 'promisePlan.get', permission: 'promise.to.pay.plan:read', target: 'loanId', parameter: 'planId' },
  paymentPlan: { query: 'paymentPlan.get', permission: 'loan:paymentplan.list', target: 'loanId', parameter: 'paymentPlanId' },
  advance: { query: 'advance.get', permission: 'loan.advance:read', target: 'loanId', parameter: 'advanceId' },
  card: { query: 'card.get', permission: 'card:read', target: 'loanId', parameter: 'cardId' },
  autopay: { query: 'autopay.get', permission: 'autopay:read', target: 'loanId', parameter: 'autopayId' },
  creditReportingStatus: {
    query: 'creditReporting.get',
    permission: 'credit.reporting.status:list',
    target: 'loanId',
    parameter: 'reportingStatusId',
  },
  loanType: { query: 'loanType.get', permission: 'loan.type:read', target: 'companyId', parameter: 'loanTypeId' },
  case: { query: 'case.get', permission: 'case:read', target: 'caseId', parameter: 'caseId' },
  interaction: { query: 'interaction.get', permission: 'interaction:read', target: 'interactionId', isOfReader: true },
  person: { query: 'person.get', permission: 'person:read', target: 'personId' },
  contact: { query: 'contact.get', permission: 'contact:read', target: 'personId', parameter: 'contactId' },
  paymentInstrument: {
    query: 'paymentInstrument.get',
    permission: 'payment.instrument:read',
    target: 'personId',
    parameter: 'paymentInstrumentId',
  },
};

/** The reader, with its permissions. */
export interface Reader {
  readonly engine: Pick<EngineCalls, 'query'>;
  readonly caller: Pick<Caller, 'company' | 'mode' | 'permissions' | 'userId' | 'session' | 'investorIds'>;
}

/** The object of an event as its own GET returns it to this caller; null when it was deleted, or the caller may not read it. */
export async function hydrated({ engine, caller }: Reader, event: EventView): Promise<unknown> {
  const reading = READINGS[event.objectType];
  const target = reading === undefined ? null : event[reading.target];
  if (reading === undefined || target === null || !isPermitted(caller.permissions, reading.permission)) return null;
  const { company, mode, permissions, investorIds } = caller;
  const query = reading.isOfReader === true ? readerQueryOf(caller) : {};
  const seen = investorIds === undefined ? {} : { investorIds };
  const params = {
    [reading.target]: target,
    ...pathOfPurchase(event),
    ...(reading.parameter === undefined ? {} : { [reading.parameter]: event.objectId }),
  };
  try {
    return await engine.query({ company, mode, type: reading.query, target, params, query, permissions, ...seen });
  } catch (cause) {
    if (cause instanceof Refusal && cause.errorType === 'notFound') return null;
    throw cause;
  }
}

/** A purchase is named below its draw, and a dispute below its purchase. */
function pathOfPurchase({ drawId, data }: EventView): Readonly<Record<string, string>> {
  const purchaseId = typeof data === 'object' && data !== null && 'purchaseId' in data ? data.purchaseId : null;
  return { ...(drawId === null ? {} : { drawId }), ...(typeof purchaseId === 'string' ? { purchaseId } : {}) };
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Limits the messages a second of a company through this process. */
export class SendRate {
  /** The oldest buckets have been full for long, and a new one is full. */
  readonly #buckets = new BoundedMap<string, Bucket>(LIMITS.rateBuckets);

  constructor(private readonly nowMs: () => number) {}

  /** Throws 429 beyond the limit. */
  take({ company, mode }: Pick<Caller, 'company' | 'mode'>): void {
    const now = this.nowMs();
    const bucket = this.#bucket(`${company}/${mode}`, now);
    bucket.tokens = Math.min(LIMITS.sendsPerSecond, bucket.tokens + ((now - bucket.atMs) / 1000) * LIMITS.sendsPerSecond);
    bucket.atMs = now;
    if (bucket.tokens < 1)
      throw new Refusal('rateLimited', `A company may send at most ${LIMITS.sendsPerSecond} messages a second. Try again in 1 s.`, {
        retryAfterSeconds: 1,
      });
    bucket.tokens -= 1;
  }

  #bucket(name: string, now: number): Bucket {
    const known = this.#buckets.renew(name);
    if (known) return known;
    const bucket: Bucket = { tokens: LIMITS.sendsPerSecond, atMs: now };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

/** The reply of a command that sends. Throws 422 for a blocked message, which is recorded all the same. */
export function orStopped(reply: Reply): Reply {
  if (reply.status === BLOCKED_STATUS) throw refusalOf(ownJson<FailedSend>(textOf(reply.data))); // a stored reply is text
  return reply;
}
