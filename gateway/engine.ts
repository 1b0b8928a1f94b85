import { type CommandRequest, type Outcome, type QueryRequest, Refusal } from '../actors/index.js';
import { ask } from './answers.js';
import type { Caller } from './routing/route.js';

/**
 * How routes reach the actors: every request goes through these two. In one process it is the `Engine` of `actors/kernel/shard/engine.ts`,
 * in a cluster what calls the engines of the workers.
 */
export interface Engine {
  /** Resolves when the outcome is durable. A refusal is thrown as `Refusal`. */
  execute(command: CommandRequest): Promise<Outcome>;
  /** Resolves when every fact that the answer reflects is durable. */
  query(request: QueryRequest): Promise<unknown>;
}

/** The parts of a request that may name a product. */
interface Named {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The zone of requests without a company, such as signing in. */
const NOBODYS_ZONE = 'UTC';

/**
 * The zone in which a moment of a request becomes a day: that of the loan, or of the product that the path or the body names, else the
 * company's. An unknown loan or product is refused later, by the handler of the request.
 */
export async function zoneFor(engine: Engine, caller: Caller, { params, body }: Named): Promise<string> {
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
