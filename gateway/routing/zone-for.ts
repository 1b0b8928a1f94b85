import { Refusal } from '../../actors/index.js';
import { fieldOf } from '../../engine/index.js';
import { ask } from '../answers.js';
import type { EngineCalls } from '../engine-calls.js';
import type { Input } from './intake.js';
import type { Caller } from './route.js';

/**
 * The zone in which a moment of a request becomes a day: that of the loan, or of the product that the path, the body or the query names,
 * else the company's. An unknown loan or product is refused later, by the handler of the request.
 */
export async function zoneFor(engine: EngineCalls, caller: Caller, { params, query, body }: Input): Promise<string> {
  const { company, mode, permissions } = caller;
  if (company === '') return NOBODYS_ZONE;
  const zoneOf = (type: 'loan.zone' | 'company.zone', target: string, of: object): Promise<string> =>
    ask(engine, { company, mode, type, target, params: {}, query: of, permissions });
  const loanId = params['loanId'] ?? textOf(query, 'loanId');
  if (loanId !== null) {
    try {
      return await zoneOf('loan.zone', loanId, {});
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
    }
  }
  const loanTypeId = params['loanTypeId'] ?? textOf(body, 'loanTypeId') ?? textOf(query, 'loanTypeId');
  return zoneOf('company.zone', company, { loanTypeId });
}

function textOf(value: unknown, name: string): string | null {
  const named = fieldOf(value, name);
  return typeof named === 'string' ? named : null;
}

/** The zone of requests without a company, such as signing in. */
const NOBODYS_ZONE = 'UTC';
