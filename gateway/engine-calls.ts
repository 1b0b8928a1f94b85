import type { CommandRequest, Outcome, QueryRequest } from '../actors/index.js';

/**
 * How routes reach the actors: every request goes through these two. In one process they are those of the `Engine` of
 * `actors/kernel/shard/engine.ts`, in a cluster those of `actors/kernel/cluster/cluster-client.ts`, which calls the engines of the workers.
 */
export interface EngineCalls {
  /** Resolves when the outcome is durable. A refusal is thrown as `Refusal`. */
  execute(command: CommandRequest): Promise<Outcome>;
  /** Resolves when every fact that the answer reflects is durable. */
  query(request: QueryRequest): Promise<unknown>;
}
