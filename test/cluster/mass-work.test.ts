import { test } from 'tap';
import { SHARED_UNIT, unitOf } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { loanBody } from '../actors/loan/setting.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from '../gateway/routes/http-lender.js';

const LOANS = 24;

interface Portfolio extends HttpLender {
  readonly loanTypeId: string;
  readonly loans: readonly { readonly id: string; readonly personId: string }[];
  operation(id: string): Promise<Readonly<Record<string, unknown>>>;
}

/** Loans with a spread on an index, in all units, and a test clock. */
async function openPortfolio(t: Parameters<typeof openHttpLender>[0]): Promise<Portfolio & { readonly clock: string }> {
  const lender = await openHttpLender(t, 'cluster');
  const { ask, company } = lender;
  const clock = idOf(await ask('POST', '/test-clocks', { startDate: '2026-03-02' }));
  const loanTypeId = idOf(
    await ask('POST', `/companies/${company}/loan-types`, {
      type: 'installment',
      name: 'Spread',
      assetType: 'personalClosedEndUnsecured',
      assetDisplayName: 'A loan',
    }),
  );
  await ask('POST', `/loan-types/${loanTypeId}/index-rates`, { annualRate: 0.06, startDate: '2026-01-01' });
  const loans: { id: string; personId: string }[] = [];
  while (loans.length < LOANS) {
    const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Verde' } }));
    const atOrigination = { amountFinanced: 1200, duration: 12, interestRates: [{ interestType: 'spread', days: null, rate: 0.12 }] };
    const id = idOf(await ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId, { atOrigination })));
    await ask('POST', `/people/${personId}/loans/${id}/activate`, {});
    loans.push({ id, personId });
  }
  return { ...lender, clock, loanTypeId, loans, operation: async (id) => dataOf(await ask('GET', `/operations/${id}`)) };
}

const operationOf = (answer: { readonly json: Readonly<Record<string, unknown>> }): string =>
  (answer.json['data'] as { readonly operationId: string }).operationId;

test('a clock has advanced when all units have done the work of its days, and each day is one operation', async (t) => {
  const { ask, clock, operation, h } = await openPortfolio(t);
  const release = h.holdFlushes();
  const advance = operationOf(await ask('POST', `/test-clocks/${clock}/advance`, { to: '2026-03-20' }));
  const day = async (): Promise<Readonly<Record<string, unknown>> | undefined> =>
    listOf(await ask('GET', '/operations?limit=100')).find(
      ({ kind, progress }) => kind === 'day.close' && (progress === null || (progress as { total: number }).total > 0),
    );
  t.match(await operation(advance), { kind: 'testClock.advance', status: 'running' });
  release();
  while ((await operation(advance))['status'] === 'running') await new Promise((resolve) => setTimeout(resolve, 20));
  t.match(await operation(advance), { status: 'succeeded' });
  t.match(await day(), { status: 'succeeded', percent: 100, counts: { failed: 0 } });
  const days = listOf(await ask('GET', '/operations?limit=100&status=succeeded')).filter(({ kind }) => kind === 'day.close');
  const done = days.map(({ counts }) => (counts as { readonly changed: number }).changed);
  t.ok(done.includes(LOANS), `on the due date all have something to do: ${done.join()}`);
  t.same(listOf(await ask('GET', '/operations?status=running')), []);
  t.match(dataOf(await ask('GET', `/test-clocks/${clock}`)), { status: 'ready', today: '2026-03-20' });
});

test('operations of all units are one list, whose pages hold each of them once', async (t) => {
  const { ask, clock, h } = await openPortfolio(t);
  await ask('POST', `/test-clocks/${clock}/advance?sync=true`, { to: '2026-03-20' });
  await h.campaigns.ledgerSettled(); // each day that is sealed is an operation, too
  const all = listOf(await ask('GET', '/operations?limit=100')).map(({ operationId }) => operationId);
  t.ok(all.length > LOANS);
  const paged: unknown[] = [];
  for (let after: unknown = null; ; after = paged.at(-1)) {
    const page = listOf(await ask('GET', `/operations?limit=7${after === null ? '' : `&startingAfter=${String(after)}`}`)).map(
      ({ operationId }) => operationId,
    );
    paged.push(...page);
    if (page.length < 7) break;
  }
  t.same(paged.slice(0, 100), all);
  t.equal(new Set(paged).size, paged.length);
});

test('mass work goes on where its units are taken over: paused, resumed and counted as one', async (t) => {
  const { ask, loans, loanTypeId, operation, h } = await openPortfolio(t);
  const cluster = must(h.cluster, 'a cluster').cluster;
  const order = operationOf(await ask('POST', '/operations/replays', { loanTypeId, hold: true }));
  t.match(await operation(order), { status: 'running', isPaused: true, counts: { changed: 0, unchanged: 0 }, etaSeconds: null });
  const units = new Set(loans.map(({ id }) => must(unitOf(must(cluster.engine(SHARED_UNIT).world.shardOf(id), id)), id)));
  for (const unit of [...units].slice(0, 3)) await cluster.takeOver(unit);
  await ask('POST', `/operations/${order}/resume`, {});
  await cluster.takeOver(SHARED_UNIT);
  await cluster.massIdle();
  for (const unit of [...units].slice(1, 4)) await cluster.takeOver(unit);
  t.match(await operation(order), {
    status: 'succeeded',
    isPaused: false,
    percent: 100,
    progress: { done: LOANS, total: LOANS },
    counts: { changed: 0, unchanged: LOANS, failed: 0 },
    etaSeconds: 0,
  });
});

test('emptying a test mode destroys the data keys of its persons in all units, also where one was away', async (t) => {
  const { ask, loans, clock, h } = await openPortfolio(t);
  const cluster = must(h.cluster, 'a cluster').cluster;
  const persons = loans.map(({ personId }) => personId);
  t.ok(persons.every((id) => h.keys.has(id)));
  const [first = ''] = persons;
  const away = must(unitOf(must(cluster.engine(SHARED_UNIT).world.shardOf(first), first)), first);
  await cluster.leave(away);
  t.match(await ask('DELETE', `/test-clocks/${clock}`), { status: 200 });
  const there = persons.filter((id) => unitOf(cluster.engine(SHARED_UNIT).world.shardOf(id) ?? -1) !== away);
  t.same(
    there.filter((id) => h.keys.has(id)),
    [],
  );
  t.ok(h.keys.has(first));
  await cluster.come(away);
  await cluster.engineOf(first).snapshot();
  t.notOk(h.keys.has(first), 'who was away does it before it forgets who they were');
  t.match(await ask('GET', '/people?limit=1'), { status: 200, json: { data: [] } });
  const later = idOf(await ask('POST', '/people', { name: { firstName: 'Bela', lastName: 'Verde' } }));
  await h.restart();
  t.ok(h.keys.has(later), 'a person created later keeps the key');
});
