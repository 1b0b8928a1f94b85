import { type EventView, isPermitted, Refusal } from '../../../actors/index.js';
import type { Engine } from '../../engine.js';
import type { Caller } from '../../routing/call.js';

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
