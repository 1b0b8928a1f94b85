import { ALL_ROWS, type CatalogRow, type QueryEnv } from '../actor.js';
import { resolveId } from '../ids.js';

/** Parts of actors that are listed over all of them: the transactions of loans. */
interface Parts<State, Part> {
  /** The kind of the actors. */
  readonly of: string;
  /** The kind of the parts, by which external ids name them. */
  readonly kind: string;
  /** Whether an actor may have such a part. */
  readonly mayHave: (row: CatalogRow) => boolean;
  readonly partOf: (state: State, id: string, row: CatalogRow) => Part | undefined;
}

/**
 * The part that the cursor of a list names, whether or not the list has it now. An id does not say of which actor it is, but of which
 * shard: the actors of that shard are opened until one has it.
 */
export function partNamed<State, Part>(env: QueryEnv, cursor: string, { of, kind, mayHave, partOf }: Parts<State, Part>): Part | undefined {
  const id = resolveId(env, env.tenant, kind, cursor);
  const shard = id === undefined ? undefined : env.shardOf(id);
  if (id === undefined || shard === undefined) return undefined;
  for (const row of env.list(of, { matches: mayHave, limit: ALL_ROWS }).rows) {
    const state = env.shardOf(row.id) === shard ? env.stateInPassing<State>(of, row.id) : undefined;
    const part = state && partOf(state, id, row);
    if (part !== undefined) return part;
  }
  return undefined;
}
