import { test } from 'tap';
import { must } from '../../../../engine/index.js';
import { tenantOf } from '../../../../actors/kernel/fact.js';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import { LongLists } from '../../../../actors/kernel/lists/long-lists.js';

const ONE = tenantOf('CP-ONE', 'live');
const OTHER = tenantOf('CP-TWO', 'live');
const MANY = LIMITS.rowsAtOnce + 1;

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lists that end when they are told to. */
function openLists() {
  const lists = new LongLists();
  const begun: string[] = [];
  const ends = new Map<string, (fault?: Error) => void>();
  const read = (name: string, tenant = ONE, rows = MANY): Promise<string> =>
    lists.read(tenant, rows, () => {
      begun.push(name);
      return new Promise((resolve, reject) => ends.set(name, (fault) => (fault ? reject(fault) : resolve(name))));
    });
  return { begun, read, end: (name: string, fault?: Error) => ends.get(name)?.(fault) };
}

test('a few long lists of a tenant are read at once, the others in the order in which they came', async (t) => {
  const { begun, read, end } = openLists();
  const names = Array.from({ length: LIMITS.longListsAtOnce + 2 }, (_, at) => `list ${at}`);
  const all = names.map((name) => read(name));
  const settled = Promise.allSettled(all);
  await tick();
  t.strictSame(begun, names.slice(0, LIMITS.longListsAtOnce));
  const short = read('a short list', ONE, LIMITS.rowsAtOnce);
  const others = read("another lender's list", OTHER);
  await tick();
  t.strictSame(begun.slice(LIMITS.longListsAtOnce), ['a short list', "another lender's list"], 'they wait for nobody');
  end('list 1', new Error('its read failed'));
  await t.rejects(must(all[1], 'the second'), { message: 'its read failed' });
  await tick();
  t.equal(begun.at(-1), `list ${LIMITS.longListsAtOnce}`);
  end('list 0');
  t.equal(await all[0], 'list 0');
  await tick();
  t.equal(begun.at(-1), `list ${LIMITS.longListsAtOnce + 1}`);
  for (const name of [...names, 'a short list', "another lender's list"]) end(name);
  t.strictSame(
    (await settled).map(({ status }) => status),
    names.map((_, at) => (at === 1 ? 'rejected' : 'fulfilled')),
  );
  t.strictSame([await short, await others], ['a short list', "another lender's list"]);
});

test('more waiting lists than the limit are refused, and may be asked for again', async (t) => {
  const { begun, read, end } = openLists();
  const most = LIMITS.longListsAtOnce + LIMITS.longListsWaiting;
  const all = Array.from({ length: most }, (_, at) => read(`list ${at}`));
  await t.rejects(read('one more'), { message: 'Too many long lists are being read. Send fewer at once.' });
  for (let at = 0; at < most; at += 1) {
    await tick();
    end(`list ${at}`);
    await all[at];
  }
  t.equal(begun.length, most);
  const again = read('one more');
  await tick();
  end('one more');
  t.equal(await again, 'one more');
});
