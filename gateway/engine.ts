import type { CommandRequest, Outcome, QueryRequest } from '../actors/index.js';

/** What the routes need of the actors: everything that a request can ask goes through these two. */
export interface Engine {
  /** Resolves when the outcome is durable. A refusal is thrown as `Refusal`. */
  execute(command: CommandRequest): Promise<Outcome>;
  /** Resolves when all that the answer saw is durable. */
  query(request: QueryRequest): Promise<unknown>;
}
