import { test } from 'tap';
import { type LedgerLine, ledgerLines, type LoanState } from '../../../../actors/index.js';
import { must } from '../../../../engine/index.js';
import { itemsOf } from '../../harness.js';
import { type LineSetting, openLine } from './setting.js';

function linesOf({ h, lineId }: LineSetting): readonly LedgerLine[] {
  const state = must(h.engine.stateOf<LoanState>({ company: h.company, mode: 'test' }, 'loan', lineId), 'the line is there');
  return ledgerLines(state, h.scope(lineId), { through: must(state.line, 'it is active').summary.through, knownAt: null });
}

const centsOf = (text: unknown): number => Math.round(Number(text) * 100);

test('each cent of a line is listed with its draw, its fact and its rule, and the last balance is what is outstanding', async (t) => {
  const s = await openLine(0.18);
  await s.on(0, 'purchase.create', { amount: 300 });
  await s.goTo('2024-03-01');
  const second = await s.on(1, 'purchase.create', { amount: 50 });
  await s.on(0, 'purchase.create', { type: 'cashBack', amount: 304 });
  await s.on(1, 'purchase.cancel', {}, { purchaseId: second.id });
  const lines = linesOf(s);
  const raised = must(
    lines.find(({ entryType }) => entryType === 'purchase'),
    'the purchase has a line',
  );
  t.match(raised, {
    rule: 'servicing-behaviour 10.7',
    fact: { type: 'purchase' },
    movements: [{ bucket: 'nonDue', component: 'principal', drawId: s.drawIds[0] }],
  });
  t.equal(centsOf(raised.movements[0]?.amount), 30_000);
  const back = must(
    lines.find(({ entryType }) => entryType === 'purchaseRefund'),
    'the money back has a line',
  );
  const allocated = back.allocations.reduce((sum, { amount }) => sum + centsOf((amount as unknown as { text: string }).text), 0);
  t.ok(allocated > 0, 'interest takes what principal leaves');
  t.ok(back.allocations.every(({ drawId }) => drawId === s.drawIds[0]));
  t.equal(lines.filter(({ entryType }) => entryType === 'purchase').length, 1, 'a canceled purchase is in no line');
  const { outstandingBalances } = await s.h.query('loan.balances', s.lineId, { isRounded: true });
  const total = (outstandingBalances as Readonly<Record<string, unknown>>)['outstandingTotalAmount'];
  t.equal(centsOf(lines.at(-1)?.balanceAfter), centsOf(total));

  const shown = itemsOf(await s.h.query('loan.activity', s.lineId, { limit: 100 }));
  const actions = shown.filter(({ type }) => type === 'purchase').map(({ action }) => action);
  t.same(actions, ['purchaseVoided', 'purchase', 'purchase', 'purchase']);
  const [voided, , canceled] = shown.filter(({ type }) => type === 'purchase');
  t.match(canceled, { amount: 50, supersededBy: voided?.id, entries: [] });
  t.match(
    shown.filter(({ action }) => action === 'drawActivated'),
    [{ type: 'terms' }, { type: 'terms' }],
  );
});
