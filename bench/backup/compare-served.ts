import { isDeepStrictEqual } from 'node:util';
import type { CatalogRow, Recomputed } from '../../actors/index.js';

export type Resident = ReturnType<Recomputed['world']['residents']['values']> extends Iterable<infer One> ? One : never;

/** Something that would be served otherwise than the journal gives it. */
interface Difference {
  readonly where: string;
  readonly message: string;
}

/** What a start would serve against what the journal says, object by object (`expected`), each with its line in the list index. */
export function* compareServed(served: Recomputed, fromJournal: Recomputed, expected: Iterable<Resident>): Iterable<Difference> {
  for (const { kind, id, tenant, definition, state } of expected) {
    const found = served.world.find(tenant, kind, id);
    const whole = (of: unknown): unknown =>
      definition.comparable === undefined ? [definition.pack(of), definition.parts?.(of) ?? []] : definition.comparable(of);
    if (!found) yield { where: id, message: 'is in the journal and would not be served' };
    else if (!isSame(whole(found.state), whole(state)))
      yield { where: id, message: 'would be served with another state than the journal gives' };
    const [servedRow, row] = [served, fromJournal].map(({ world }) => world.catalog.get(tenant, kind, id));
    if (!isSame(comparableRow(servedRow), comparableRow(row)))
      yield { where: id, message: 'has another line in the list index than the journal gives' };
  }
  yield* surplusLoans(served, fromJournal);
}

function* surplusLoans(served: Recomputed, fromJournal: Recomputed): Iterable<Difference> {
  for (const tenant of served.world.catalog.tenantsOf('loan')) {
    const surplus = served.world.catalog.count(tenant, 'loan') - fromJournal.world.catalog.count(tenant, 'loan');
    if (surplus !== 0) yield { where: tenant.company, message: `lists ${surplus} loans more than the journal has` };
  }
}

/** Whether two values are the same as JSON: the order of properties does not count, nor does the sign of zero. */
export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/**
 * A line of the list index, its sets in one order. External ids of parts are found by themselves: a line that was read from a snapshot has
 * them in one list, one that was made of its object in a list for each kind. Texts of a field are what filters look for among.
 */
function comparableRow(row: CatalogRow | undefined): unknown {
  if (row === undefined) return null;
  const { alsoUnder = [], parts = [], fields } = row;
  return {
    ...row,
    alsoUnder: alsoUnder.toSorted(),
    parts: parts
      .flat()
      .map((part) => part.join('\0'))
      .toSorted(),
    fields: Object.entries(fields)
      .map(([name, value]) => [name, isOfTexts(value) ? value.toSorted() : value] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  };
}

const isOfTexts = (value: CatalogRow['fields'][string]): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
