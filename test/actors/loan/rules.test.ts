import { test } from 'tap';
import type { ActorModule } from '../../../actors/index.js';
import { loanModule } from '../../../actors/loan/index.js';
import type { Data } from '../harness.js';
import { openSetting, type Setting } from './setting.js';
import { external } from './transactions/setting.js';

/** Loans of a service whose release has rules 1, and which is upgraded at a moment. */
function releases(): { readonly loans: ActorModule; upgrade(atMs: number): void } {
  const { definition, ...rest } = loanModule();
  let upgradedAt = Number.POSITIVE_INFINITY;
  const evolve: typeof definition.evolve = (state, fact, emit, env) =>
    definition.evolve(state, fact.stamp < upgradedAt ? { ...fact, rulesVersion: 1 } : fact, emit, env);
  return { loans: { ...rest, definition: { ...definition, evolve } }, upgrade: (atMs) => (upgradedAt = atMs * 1_000) };
}

/** Of a loan 0.40 are left when all of it is asked for. */
async function ask({ h, personId }: Setting, id: string): Promise<void> {
  const params = { personId };
  const all = Number((await h.query('loan.payoff', id, {}, { params }))['payoffAmount'] ?? 10_000);
  await h.command('transaction.create', id, external({ status: 'succeeded', amount: Math.round(all * 100 - 40) / 100 }), {
    permissions: ['*'],
    params,
  });
  await h.command('loan.accelerate', id, {}, { permissions: ['*'], params });
}

const PRODUCT = { delinquency: { overdueToleranceAmount: 1 } };

test('a release changes no published amount: a loan adopts its rules for coming days', async (t) => {
  const { loans, upgrade } = releases();
  const s = await openSetting(PRODUCT, '2024-01-15', loans);
  const { h } = s;
  t.teardown(() => h.close());
  const shown = async (id: string): Promise<unknown> => {
    const { status, current } = await h.query('loan.get', id);
    const { isOverdue, daysOverdue, overdueAmount } = current as Data;
    return { status, isOverdue, daysOverdue, overdueAmount };
  };
  const { id: early } = await s.active({ externalId: 'early' });
  const { id: late } = await s.active({ externalId: 'late' });
  await ask(s, early);
  await s.goTo('2024-02-10');
  const before = await shown(early);
  t.match(
    before,
    { status: 'accelerated', isOverdue: true, daysOverdue: 26 },
    'rules 1: the tolerance lets the whole of a loan pass nowhere',
  );

  h.nowMs += 60_000;
  upgrade(h.nowMs);
  h.forgetSnapshots();
  await h.restart();
  t.same(await shown(early), before, 'computed from the journal alone by the later release');
  await s.goTo('2024-02-20');
  t.match(await shown(early), { isOverdue: true, daysOverdue: 36 });
  await ask(s, late);
  await s.goTo('2024-02-25');
  t.match(await shown(late), { status: 'accelerated', isOverdue: false, overdueAmount: 0 }, 'rules 2');

  for (const id of [early, late]) await h.command('loan.refresh', id);
  h.forgetSnapshots();
  await h.restart();
  t.match([await shown(early), await shown(late)], [{ isOverdue: true, daysOverdue: 41 }, { isOverdue: false }]);
  await h.command('loan.replay', early, { fromDate: '2024-01-15' }, { permissions: ['*'] });
  t.match(await shown(early), { isOverdue: false, overdueAmount: 0 }, 'a replay by command is under the rules of today');
  t.same(h.reports, []);
});
