import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import { ledgerLines, type LoanState } from '../../../actors/index.js';
import { formatDay, must, parseDay, addDays } from '../../../engine/index.js';
import { countBlocks } from '../../executed-blocks.js';
import type { Harness } from '../harness.js';
import { openLine } from './purchases/setting.js';
import { openSetting } from './setting.js';

/*
 * What readers of a loan's ledger ask for may not cost more on an old loan: a page of its activity, and the interest of some days. The
 * whole ledger may cost in proportion to its entries.
 */

const YOUNG = 100;
const OLD = 1_000;
const A_MONTH = 20;
/** By this part of the young cost the old one may be higher: it continues from some dozen entries ago, and rows have fallen due. */
const MOST = 0.9;
/** The lowest count of so many is without other work, as that of snapshots. */
const ROUNDS = 4;
const REST_MS = 50;
const START = must(parseDay('2024-01-15'), 'a date');
const PAYMENT = { type: 'oneTime', amount: 8, isExternal: true, status: 'succeeded' } as const;

interface Old {
  readonly h: Harness;
  readonly id: string;
  goTo(date: string): Promise<void>;
  grow(entry: number): Promise<unknown>;
}

async function installmentLoan(product: object): Promise<Old> {
  const { h, goTo, active } = await openSetting(product);
  const { id } = await active({ atOrigination: { amountFinanced: 20_000, duration: 360 } });
  return { h, id, goTo, grow: () => h.data('transaction.create', id, PAYMENT, { permissions: ['*'] }) };
}

async function line(): Promise<Old> {
  const { h, lineId: id, goTo, on } = await openLine(0.08);
  await on(0, 'draw.activate', {});
  const pay = (): Promise<unknown> => h.data('transaction.create', id, PAYMENT, { permissions: ['*'] });
  return { h, id, goTo, grow: (entry) => (entry % 2 === 0 ? on(0, 'purchase.create', { amount: 8.1 }) : pay()) };
}

const LOANS: Readonly<Record<string, () => Promise<Old>>> = {
  'an installment loan': () => installmentLoan({}),
  'a loan with scheduled interest': () =>
    installmentLoan({ byInstalment: { interestMethod: 'periodic', recalculation: 'progressive', amountsIn: 'cents' } }),
  'a line of credit': line,
};

test('a page of the activity of a loan and the interest of its last days cost the same after many entries', async (t) => {
  const blocksOf = await countBlocks(t);
  for (const [name, open] of Object.entries(LOANS)) {
    const { h, id, goTo, grow } = await open();
    let [count, day] = [0, START];
    const growTo = async (size: number): Promise<void> => {
      for (; count < size; count += 1) {
        if (count % A_MONTH === A_MONTH - 1) await goTo(formatDay((day = addDays(day, 30))));
        await grow(count);
      }
    };
    const read: Readonly<Record<string, () => Promise<unknown>>> = {
      'page of ten lines of the activity': () => h.query('loan.activity', id, { limit: 10 }),
      'interest of the last days': () =>
        h.query('loan.interest', id, { fromEffectiveDate: formatDay(addDays(day, -10)), toEffectiveDate: formatDay(day) }),
    };
    const whole = (): unknown => {
      const state = must(h.engine.stateOf<LoanState>({ company: h.company, mode: 'test' }, 'loan', id), 'the loan');
      return ledgerLines(state, h.scope(id), {
        through: must(state.servicing ?? state.line, 'it is active').summary.through,
        knownAt: null,
      });
    };
    const costs = new Map<string, number[]>();
    const note = (of: string, blocks: number): void => void costs.set(of, [...(costs.get(of) ?? []), blocks]);
    await growTo(YOUNG / 2);
    for (const run of [...Object.values(read), whole]) await run();
    for (const size of [YOUNG, OLD]) {
      await growTo(size);
      for (const [of, run] of Object.entries(read)) {
        await run(); // computes what later readings continue from
        let blocks = Infinity;
        for (let round = 0; round < ROUNDS; round += 1) {
          await pause(REST_MS);
          blocks = Math.min(blocks, await blocksOf(run));
        }
        note(of, blocks);
      }
      note('an entry of the whole ledger', Math.round((await blocksOf(whole)) / size));
    }
    for (const [of, [young = 0, old = 0]] of costs)
      t.ok(young > 0 && old < young * (1 + MOST), `${name}, ${of}: ${young} blocks after ${YOUNG} entries, ${old} after ${OLD}`);
    await h.engine.close();
  }
});
