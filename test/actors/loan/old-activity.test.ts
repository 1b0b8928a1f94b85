import { test } from 'tap';
import { activityItems } from '../../../actors/loan/views/activity.js';
import { type LedgerLine, ledgerLines, type LoanState, Refusal, toJsonText } from '../../../actors/index.js';
import { addDays, type Day, formatDay, must, parseDay } from '../../../engine/index.js';
import { Random } from '../../random.js';
import { SEED } from '../../seed.js';
import { type Data, type Harness, itemsOf } from '../harness.js';
import { openLine } from './purchases/setting.js';
import { external, openPaySetting } from './transactions/setting.js';

/* Pages of the activity of an old loan, and its interest by day, are parts of what all its facts say, whatever was taken back lately. */

const START = must(parseDay('2024-01-15'), 'a date');
const STEPS = 420;
const READ_EVERY = 70;

interface Life {
  readonly h: Harness;
  readonly id: string;
  goTo(date: string): Promise<void>;
  /** Something on a day, or for an earlier day. */
  step(random: Random, today: Day): Promise<unknown>;
}

/** A day at most a week back, mostly today. */
const lately = (random: Random, today: Day): object =>
  random.below(4) === 0 ? { effectiveDate: formatDay(Math.max(START, today - random.below(8)) as Day) } : {};

async function installmentLife(product: object): Promise<Life> {
  const { h, loanId: id, goTo, post, act } = await openPaySetting(product, { atOrigination: { amountFinanced: 20_000, duration: 60 } });
  const made: string[] = [];
  const pay = async (body: object): Promise<void> => {
    made.push((await post(external({ amount: 2.5, status: 'succeeded', ...body }))).id);
  };
  return {
    h,
    id,
    goTo,
    async step(random, today) {
      const on = (back: number): string => must(made.at(-1 - random.below(Math.min(back, made.length))), 'a payment');
      const kind = random.below(24);
      if (kind === 0 && made.length > 0) return act('reverse', on(random.below(6) === 0 ? 100 : 3));
      if (kind === 1 && made.length > 0) return act('backdate', on(3), { effectiveDate: formatDay(Math.max(START, today - 5) as Day) });
      if (kind === 2)
        return post({
          type: 'serviceCredit',
          amount: 1,
          serviceCreditDetails: { type: 'courtesy', sponsor: 'lender', reason: 'goodwill' },
        });
      return pay(lately(random, today));
    },
  };
}

async function lineLife(): Promise<Life> {
  const { h, lineId: id, goTo, on } = await openLine(0.2);
  await on(0, 'draw.activate', {});
  const bought: string[] = [];
  return {
    h,
    id,
    goTo,
    async step(random, today) {
      const kind = random.below(24);
      const recent = bought.at(-1 - random.below(Math.min(3, bought.length)));
      if (kind === 0 && recent !== undefined) return on(0, 'purchase.cancel', {}, { purchaseId: recent });
      if (kind < 12)
        return h.data('transaction.create', id, external({ amount: 3, status: 'succeeded', ...lately(random, today) }), {
          permissions: ['*'],
        });
      const { id: purchase } = await on(0, 'purchase.create', {
        amount: 3 + random.below(100) / 100,
        ...(kind === 12 ? lately(random, today) : {}),
      });
      bought.push(purchase);
      return purchase;
    },
  };
}

/** All lines of the activity with their entries, from the whole ledger. */
function wholeActivity({ h, id }: Life): readonly unknown[] {
  const state = must(h.engine.stateOf<LoanState>({ company: h.company, mode: 'test' }, 'loan', id), 'the loan');
  const lines = ledgerLines(state, h.scope(id), {
    through: must(state.servicing ?? state.line, 'it is active').summary.through,
    knownAt: null,
  });
  const byFact = new Map<number | null, LedgerLine[]>();
  for (const line of lines) byFact.set(line.fact?.number ?? null, [...(byFact.get(line.fact?.number ?? null) ?? []), line]);
  const items = activityItems(state, null).map(({ id: lineId, line, supersededBy }) => ({
    id: lineId,
    supersededBy,
    action: line.action,
    entries: line.fact === null ? [] : (byFact.get(line.fact) ?? []),
  }));
  return JSON.parse(toJsonText(items)) as readonly unknown[];
}

const shown = (items: readonly unknown[]): readonly string[] =>
  items.map((item) => {
    const { id, supersededBy, action, entries } = item as Data;
    return JSON.stringify({ id, supersededBy, action, entries });
  });

async function page(
  life: Life,
  query: object,
): Promise<{ readonly items: readonly string[]; readonly last: string; readonly total: unknown }> {
  const reply = await life.h.query('loan.activity', life.id, query);
  const items = itemsOf(reply);
  return { items: shown(items), last: String(items.at(-1)?.id), total: (reply as { readonly total?: unknown }).total };
}

async function interest({ h, id }: Life, from: Day, to: Day): Promise<readonly string[]> {
  const query = { fromEffectiveDate: formatDay(from), toEffectiveDate: formatDay(to) };
  return ((await h.query('loan.interest', id, query))['days'] as readonly object[]).map((each) => JSON.stringify(each));
}

const LIVES: Readonly<Record<string, () => Promise<Life>>> = {
  'an installment loan': () => installmentLife({}),
  'a loan with scheduled interest': () =>
    installmentLife({ byInstalment: { interestMethod: 'periodic', recalculation: 'progressive', amountsIn: 'cents' } }),
  'a line of credit': lineLife,
};

for (const [name, open] of Object.entries(LIVES))
  test(`pages of the activity of ${name} are parts of the whole: seed ${SEED}`, async (t) => {
    const random = new Random(SEED);
    const life = await open();
    let today = START;
    for (let step = 0; step < STEPS; step += 1) {
      if (random.below(3) === 0) await life.goTo(formatDay((today = addDays(today, 1 + random.below(3)))));
      try {
        await life.step(random, today);
      } catch (cause) {
        if (!(cause instanceof Refusal)) throw cause;
      }
      if (step % READ_EVERY !== READ_EVERY - 1) continue;
      const whole = shown(wholeActivity(life));
      for (const limit of [10, 25, 100]) {
        const first = await page(life, { limit });
        t.strictSame(first.items, whole.slice(0, limit), `the first ${limit} after ${step + 1} steps`);
        t.equal(first.total, whole.length);
        const second = await page(life, { limit, startingAfter: first.last });
        t.strictSame(second.items, whole.slice(limit, 2 * limit), `the second ${limit}`);
      }
      const days = await interest(life, START, today);
      for (const since of [3, 20, 90]) {
        const from = Math.max(START, today - since) as Day;
        t.strictSame(await interest(life, from, today), days.slice(from - START), `interest of ${since} days`);
      }
    }
    await life.h.engine.close();
  });
