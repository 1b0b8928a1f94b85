import { type Cursor, type PageAsked, type Position, refuseCursor } from '../../list-order.js';
import { ALL_ROWS, type CatalogRow, type QueryEnv } from '../actor.js';
import { resolveId } from '../ids.js';
import { timeOfList } from './sliced-page.js';

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
 * shard: the actors of that shard are opened, in time slices, until one has it.
 */
export async function partNamed<State, Part>(
  env: QueryEnv,
  cursor: string,
  { of, kind, mayHave, partOf }: Parts<State, Part>,
): Promise<Part | undefined> {
  const id = resolveId(env, env.tenant, kind, cursor);
  const shard = id === undefined ? undefined : env.shardOf(id);
  if (id === undefined || shard === undefined) return undefined;
  const time = timeOfList();
  for (const row of env.list(of, { matches: mayHave, limit: ALL_ROWS }).rows) {
    if (time.isSpent) await time.yieldToOthers();
    const state = env.shardOf(row.id) === shard ? env.stateInPassing<State>(of, row.id) : undefined;
    const part = state && partOf(state, id, row);
    if (part !== undefined) return part;
  }
  return undefined;
}

/** The request of a page with positions in place of ids. Refuses an id that `positionOf` does not find. */
export async function placed<Asked extends Partial<PageAsked>>(
  asked: Asked,
  positionOf: (cursor: string) => Promise<Position | undefined>,
): Promise<Omit<Asked, keyof PageAsked> & Partial<PageAsked>> {
  const named = async (cursor: Cursor, parameter: string): Promise<Position> =>
    typeof cursor === 'string' ? ((await positionOf(cursor)) ?? refuseCursor(parameter)) : cursor;
  const { endingBefore, startingAfter } = asked;
  if (endingBefore !== undefined) return { ...asked, endingBefore: await named(endingBefore, 'endingBefore') };
  if (startingAfter !== undefined) return { ...asked, startingAfter: await named(startingAfter, 'startingAfter') };
  return asked;
}
