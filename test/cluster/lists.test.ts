import { test } from 'tap';
import { must } from '../../engine/index.js';
import { Random } from '../random.js';
import { SEED } from '../seed.js';
import { fillPair, type Named, openPair } from './same-as-one-process.js';

/** Lists whose items lie in all units, each with some of its filters and orders. */
const LISTS = [
  ['/people', ['', 'status=active', 'sortBy=[createdAt]', 'sortBy=[-externalId]', 'sortBy=[status,-updatedAt]', 'includeIdentity=true']],
  ['/loans', ['', 'statuses=active', 'sortBy=[status]', 'sortBy=[-dueDate,createdAt]', 'sortBy=[loanTypeId,-status]', 'fields=idsOnly']],
  ['/transactions', ['', 'status=initiated', 'sortBy=[actualAmount]', 'sortBy=[-actualAmount,createdAt]', 'sortBy=[-effectiveDate]']],
  ['/promise-to-pay-plans', ['', 'status=scheduled,active']],
  ['/payment-instruments', ['', 'status=active']],
] as const;

const SEARCHES = ['firstName=Ada', '_hasTheWords=Dora', 'lastName=Emil'];

const READS = 250;

test('a page of any list over a cluster is the page of one process', { timeout: 580_000 }, async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const pair = await openPair(t);
  await fillPair(pair, random, 24);
  const seen = new Map<string, string[]>();
  for (let count = 0; count < READS; count++) {
    const [path, queries] = must(LISTS[random.below(LISTS.length)], 'a list');
    const filter = queries[random.below(queries.length)] ?? '';
    const known = seen.get(path) ?? [];
    const cursor = known.length === 0 ? '' : (CURSORS[random.below(CURSORS.length)]?.(known[random.below(known.length)] ?? '') ?? '');
    const query = [filter, `limit=${1 + random.below(7)}`, cursor].filter((part) => part !== '').join('&');
    const [over, alone] = await Promise.all([pageOf(pair.cluster, path, query), pageOf(pair.alone, path, query)]);
    if (!t.strictSame(over, alone, `${path}?${query}`)) return;
    seen.set(path, [...known, ...alone.cursors].slice(-40));
  }
  for (const query of SEARCHES) t.strictSame(await foundBy(pair.cluster, query), await foundBy(pair.alone, query), query);
});

const CURSORS: readonly ((id: string) => string)[] = [
  () => '',
  (id) => `startingAfter=${id}`,
  (id) => `endingBefore=${id}`,
  () => 'startingAfter=XX-AAAA-AAAA',
  () => 'endingBefore=ext-nothing',
];

interface Page {
  readonly status: number;
  readonly text: string;
  readonly cursors: readonly string[];
}

/**
 * The content of a page without addresses, times of creation, which are the machine's, and tokens, which are made of ids.
 */
async function pageOf(one: Named, path: string, query: string): Promise<Page> {
  const { status, text, json } = await one.ask('GET', `${path}?${query}`);
  const items = (json['data'] ?? []) as readonly { readonly id: string; readonly externalId?: string | null }[];
  return {
    status,
    text: one
      .named(text)
      .replaceAll(/"requestId":"[^"]*"/g, '')
      .replaceAll(/"(createdAt|updatedAt|accountNumber)":"[^"]*"/g, ''),
    cursors: items.flatMap(({ id, externalId }) => (externalId ? [one.named(id), `ext-${externalId}`] : [one.named(id)])),
  };
}

/** Equal matches have the order of their ids, which are each one's own. */
async function foundBy(one: Named, query: string): Promise<unknown> {
  const { json } = await one.ask('GET', `/people/search?${query}&limit=100`);
  const { total, data } = json as { readonly total: number; readonly data: readonly { readonly id: string }[] };
  return { total, found: data.map(({ id }) => one.named(id)).sort() };
}
