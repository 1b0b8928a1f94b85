import { test } from 'tap';
import { ServiceCalls } from '../../../../actors/kernel/jobs/service-calls.js';
import { orderedPageOf, type PageQuery } from '../../../../actors/list-order.js';

test('all items of a list are read also when the last one of a page leaves it before the next page', async (t) => {
  const waiting = Array.from({ length: 1_200 }, (_, at) => ({ id: `W${String(at).padStart(4, '0')}` }));
  const asked: unknown[] = [];
  const engine = {
    execute: () => Promise.reject(new Error('nothing is ordered')),
    query: ({ query }: { readonly query: unknown }) => {
      const page = query as PageQuery;
      asked.push(page.startingAfter);
      const answer = orderedPageOf(waiting, page, { view: (item) => item, order: [{ key: ({ id }) => id, descending: false }] });
      const last = waiting.findIndex(({ id }) => id === (answer.items.at(-1) as (typeof waiting)[number]).id);
      waiting.splice(last, 1);
      return Promise.resolve(answer);
    },
  };
  const calls = new ServiceCalls(engine, { company: 'CO-AAAA-AAAA', mode: 'test' });
  t.equal((await calls.all('things.waiting', {})).length, 1_200);
  t.same(asked, [undefined, ['W0499'], ['W0999']]);
});
