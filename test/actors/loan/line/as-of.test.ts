import { type Test, test } from 'tap';
import { addDays, formatDay } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { type Data, itemsOf } from '../../harness.js';
import { LineLife } from './life.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 2);
const STEPS = 24;

/** The answer that a reader got at a moment, of the line (null) or of a draw. */
interface Served {
  readonly at: string;
  readonly drawId: string | null;
  readonly query: Readonly<Record<string, string>>;
  readonly balances: Data;
}

const read = ({ s }: LineLife, drawId: string | null, query: object): Promise<Data> =>
  drawId === null
    ? s.h.query('loan.balances', s.loanId, query)
    : s.h.query('draw.balances', s.loanId, query, { params: { personId: s.personId, drawId } });

/** Asks for today and for days before and after, as known now; the next thing is recorded a minute later. */
async function look(life: LineLife): Promise<readonly Served[]> {
  const { h, loanId, personId } = life.s;
  h.nowMs += 1_000;
  const at = new Date(h.nowMs).toISOString();
  const draws = itemsOf(await h.query('draw.list', loanId, { limit: 100 }, { params: { personId } }));
  const queries: readonly Served['query'][] = [
    { toEffectiveDate: formatDay(life.today) },
    { toEffectiveDate: life.back(30) },
    { toEffectiveDate: formatDay(addDays(life.today, 40)) },
  ];
  const served: Served[] = [];
  for (const drawId of [null, ...draws.map(({ id }) => id)]) {
    for (const query of queries) served.push({ at, drawId, query, balances: await read(life, drawId, query) });
  }
  h.nowMs += 60_000;
  return served;
}

async function check(t: Test, life: LineLife, served: readonly Served[], when: string): Promise<void> {
  for (const { at, drawId, query, balances } of served) {
    const known = await read(life, drawId, { ...query, recordedAsOf: at });
    if (JSON.stringify(known) === JSON.stringify(balances)) continue;
    t.same(known, balances, `${when}: ${drawId ?? 'the line'} ${JSON.stringify(query)} as it was known at ${at}`);
    return;
  }
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`what was known of a line at a moment stays what was served at it, on both time axes (TENOR_SEED=${seed})`, async (t) => {
    const life = await LineLife.open(new Random(seed));
    const { h } = life.s;
    t.teardown(() => h.engine.close());
    const served: Served[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      if (life.random.below(3) === 0) await life.pass();
      const order = await life.order();
      if (order !== null) await life.ask(order, { isPreview: false });
      served.push(...(await look(life)));
    }
    await check(t, life, served, 'later');
    await h.restart();
    await check(t, life, served, 'in a later process');
    t.same(h.reports, []);
  });
}
