import { Refusal } from '../actors/index.js';
import type { Engine } from './engine.js';
import type { Caller } from './routing/call.js';

/** What of a request names a product. */
interface Named {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Where nobody's company is asked: signing in and the like. */
const NOBODYS_ZONE = 'UTC';

/**
 * The zone in which a moment of a request is a day: that of the loan, or of the product that the path or the body names, else the
 * company's. What is not there is refused by whoever handles the request, as ever.
 */
export async function zoneFor(engine: Engine, caller: Caller, { params, body }: Named): Promise<string> {
  const { company, mode, permissions } = caller;
  if (company === '') return NOBODYS_ZONE;
  const ask = (type: string, target: string, query: object): Promise<string> =>
    engine.query({ company, mode, type, target, params: {}, query, permissions }) as Promise<string>;
  const { loanId } = params;
  if (loanId !== undefined) {
    try {
      return await ask('loan.zone', loanId, {});
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
    }
  }
  const named = typeof body === 'object' && body !== null && 'loanTypeId' in body ? body.loanTypeId : null;
  const loanTypeId = params['loanTypeId'] ?? (typeof named === 'string' ? named : null);
  return ask('company.zone', company, { loanTypeId });
}
