import { Refusal } from '../../actors/index.js';
import { ask } from '../answers.js';
import type { EngineCalls } from '../engine-calls.js';
import type { Caller } from './route.js';

/**
 * The zone in which a moment of a request becomes a day: that of the loan, or of the product that the path or the body names, else the
 * company's. An unknown loan or product is refused later, by the handler of the request.
 */
export async function zoneFor(engine: EngineCalls, caller: Caller, { params, body }: Named): Promise<string> {
  const { company, mode, permissions } = caller;
  if (company === '') return NOBODYS_ZONE;
  const zoneOf = (type: 'loan.zone' | 'company.zone', target: string, query: object): Promise<string> =>
    ask(engine, { company, mode, type, target, params: {}, query, permissions });
  const { loanId } = params;
  if (loanId !== undefined) {
    try {
      return await zoneOf('loan.zone', loanId, {});
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
    }
  }
  const named = typeof body === 'object' && body !== null && 'loanTypeId' in body ? body.loanTypeId : null;
  const loanTypeId = params['loanTypeId'] ?? (typeof named === 'string' ? named : null);
  return zoneOf('company.zone', company, { loanTypeId });
}

/** The parts of a request that may name a product. */
interface Named {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The zone of requests without a company, such as signing in. */
const NOBODYS_ZONE = 'UTC';
