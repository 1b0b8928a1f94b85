import { test } from 'tap';
import { Refusal } from '../../../../actors/index.js';
import { addDays, formatDay, must, parseDay } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { type Data, itemsOf } from '../../harness.js';
import { type LineSetting, openLine } from './setting.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 4);
const STEPS = 30;
const START = must(parseDay('2024-01-15'), 'a date');

/** In cents: amounts of replies have two decimals. */
const centsIn = (value: unknown): number => Math.round(Number(value) * 100);

/** What purchases say of a draw's balance: what was settled, less what came back. */
function saidOf(purchases: readonly Data[]): number {
  let total = 0;
  for (const { type, status, amount } of purchases) {
    if (status !== 'settled' && status !== 'disputed') continue;
    total += type === 'refund' || type === 'cashBack' ? -centsIn(amount) : centsIn(amount);
  }
  return total;
}

/** What the borrower may have back: money that found nothing to pay. */
const reimbursementOf = async ({ h, lineId }: LineSetting): Promise<number> =>
  centsIn((await h.query('loan.balances', lineId))['reimbursementAmount'] ?? 0);

const listedOn = async ({ h, lineId, drawIds }: LineSetting, draw: number): Promise<readonly Data[]> =>
  itemsOf(await h.query('purchase.listOfDraw', lineId, { limit: 100 }, { params: { drawId: drawIds[draw] ?? '' } }));

/** One life of purchases on both draws; refusals are part of it. */
async function live(s: LineSetting, random: Random, afterEach: () => Promise<void>): Promise<void> {
  let today = START;
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[random.below(items.length)];
  const amount = (): number => (1 + random.below(30_000)) / 100;
  const drawn = (): number => random.below(2);
  const pastDate = (): object => (random.below(3) === 0 ? { purchaseDate: formatDay(addDays(today, -random.below(20))) } : {});
  const some = async (draw: number): Promise<string> => pick(await listedOn(s, draw))?.id ?? 'DP-NONE-NONE';
  const create = async (body: object): Promise<unknown> =>
    s.on(drawn(), 'purchase.create', { amount: amount(), ...pastDate(), ...body }, {}, { force: random.below(8) === 0 });
  const steps: readonly (() => Promise<unknown>)[] = [
    () => create({}),
    () => create({ status: 'authorized' }),
    () => create({ type: pick(['cashAdvance', 'balanceTransfer', 'cashBack']) }),
    async () => {
      const draw = drawn();
      return s.on(draw, 'purchase.create', { amount: amount(), type: 'refund', originalPurchaseId: await some(draw) });
    },
    async () => {
      const draw = drawn();
      return s.on(draw, 'purchase.create', { amount: amount(), authorizationPurchaseId: await some(draw) });
    },
    async () => {
      const draw = drawn();
      return s.on(
        draw,
        'purchase.update',
        { status: pick(['settled', 'pending', 'canceled', 'declined']) },
        { purchaseId: await some(draw) },
      );
    },
    async () => {
      const draw = drawn();
      return s.on(draw, 'dispute.create', { amount: amount() }, { purchaseId: await some(draw) });
    },
    async () => {
      const draw = drawn();
      const purchaseId = await some(draw);
      const [dispute] = itemsOf(
        await s.h.query('dispute.listOfPurchase', s.lineId, {}, { params: { drawId: s.drawIds[draw] ?? '', purchaseId } }),
      );
      const status = pick(['submitted', 'won', 'lost', 'expired', 'canceled']);
      return s.on(draw, 'dispute.update', { status }, { purchaseId, purchaseDisputeId: dispute?.id ?? 'PD-NONE-NONE' });
    },
    () => s.goTo(formatDay((today = addDays(today, 1 + random.below(12))))),
  ];
  for (let step = 0; step < STEPS; step += 1) {
    try {
      await must(pick(steps), 'a step')();
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.statusCode >= 500) throw cause;
    }
    await afterEach();
  }
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`what purchases say and what the ledger holds agree, at all times and after a restart (TENOR_SEED=${seed})`, async (t) => {
    const s = await openLine(0);
    const unlike: string[] = [];
    const compare = async (): Promise<void> => {
      const said = saidOf([...(await listedOn(s, 0)), ...(await listedOn(s, 1))]);
      const owed = centsIn(await s.owedOn(0)) + centsIn(await s.owedOn(1));
      const owedBack = await reimbursementOf(s);
      if (said !== owed - owedBack) unlike.push(`${said} said, ${owed} owed and ${owedBack} owed back`);
    };
    await live(s, new Random(seed), compare);
    t.same(unlike, []);
    const before = [
      await s.h.query('purchase.list', s.lineId, { limit: 100 }),
      await s.h.query('dispute.list', s.lineId, { limit: 100 }),
      await s.owedOn(0),
      await s.owedOn(1),
    ];
    await s.h.restart();
    t.strictSame(
      [
        await s.h.query('purchase.list', s.lineId, { limit: 100 }),
        await s.h.query('dispute.list', s.lineId, { limit: 100 }),
        await s.owedOn(0),
        await s.owedOn(1),
      ],
      before,
    );
    s.h.forgetSnapshots();
    await s.h.restart();
    t.strictSame(
      [
        await s.h.query('purchase.list', s.lineId, { limit: 100 }),
        await s.h.query('dispute.list', s.lineId, { limit: 100 }),
        await s.owedOn(0),
        await s.owedOn(1),
      ],
      before,
    );
    t.same(s.h.reports, []);
  });
}
