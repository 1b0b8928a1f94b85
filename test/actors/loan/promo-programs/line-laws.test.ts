import { test } from 'tap';
import { Refusal } from '../../../../actors/index.js';
import { addDays, type Day, formatDay, must, parseDay } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import type { Data } from '../../harness.js';
import { openPromoLine, type PromoLine } from './line-setting.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 3);
const START = must(parseDay('2024-01-15'), 'a date');
const STEPS = 24;

/** What a step did, to be done again on another line. */
type Step = (line: PromoLine) => Promise<unknown>;

/** One history of purchases and payments on the first draw, some of them late, some of the money coming back. */
function historyOf(random: Random): readonly { readonly day: Day; readonly step: Step }[] {
  const history: { readonly day: Day; readonly step: Step }[] = [];
  let day = START;
  for (let made = 0; made < STEPS; made += 1) {
    day = addDays(day, random.below(9));
    const today = day;
    const past = formatDay(addDays(today, -random.below(today - START + 1)));
    const cents = 1 + random.below(60_000);
    let first: number | null = null;
    // What the first line owes is what is paid on both.
    const owed = async (line: PromoLine): Promise<number> => (first ??= Math.max(0.01, await line.owed(0)));
    const steps: readonly Step[] = [
      (line) => line.buy(cents / 100),
      (line) => line.payTo(0, cents / 100),
      async (line) => line.payTo(0, await owed(line)),
      async (line) => line.payTo(0, await owed(line), { effectiveDate: past }),
      async (line) => {
        const paid = (await line.payments()).filter(({ status }) => status === 'succeeded');
        const one = paid[cents % Math.max(1, paid.length)];
        return one === undefined ? null : line.act('update', one.id, { status: 'failed', failureReason: 'insufficientFunds' });
      },
    ];
    history.push({ day: today, step: must(steps[random.below(steps.length)], 'a step') });
  }
  return history;
}

async function live(line: PromoLine, history: ReturnType<typeof historyOf>): Promise<void> {
  for (const { day, step } of history) {
    await line.pass(formatDay(day));
    try {
      await step(line);
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
    }
  }
  await line.pass(formatDay(addDays(must(history.at(-1), 'a step').day, 90)));
}

const interestOf = async (line: PromoLine, from: Day, to: Day): Promise<number> =>
  (
    await line.h.query('loan.interest', line.loanId, {
      drawId: line.drawIds[0],
      fromEffectiveDate: formatDay(from),
      toEffectiveDate: formatDay(to),
    })
  )['totalInterestAmount'] as number;

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`a promotion of a draw waives the interest if it is earned, and none if it is lost (TENOR_SEED=${seed})`, async (t) => {
    const random = new Random(seed);
    const type = {
      promoType: random.below(2) === 0 ? 'sameAsCash' : 'deferredInterest',
      defaults: { promoDurationDays: 20 + random.below(60), promoGracePeriodDays: random.below(5) },
    };
    const history = historyOf(random);
    const [line, plain] = [await openPromoLine(), await openPromoLine()];
    t.teardown(() => line.h.engine.close());
    t.teardown(() => plain.h.engine.close());
    const { id: promoTypeId } = await line.promoType(type);
    const { id } = await line.ask('create', { promoTypeId, status: 'pending' });
    await line.ask('activate', {}, 0, id);
    await live(line, history);
    await live(plain, history);
    const program = await line.program(id);
    t.comment(String(program['status']));
    if (program['status'] === 'exercised') {
      const [rate] = (await line.rates(0))['promoRates'] as readonly (Data & { readonly endDate: string })[];
      t.equal(await interestOf(line, START, must(parseDay(rate?.endDate ?? ''), 'a date')), 0, 'no interest until it was paid');
    } else {
      t.ok(['expired', 'canceled'].includes(String(program['status'])), String(program['status']));
      t.equal(await line.owed(0), await plain.owed(0), 'as if there had been no promotion');
    }
    const shown = async () => [await line.program(id), await line.owed(0), await line.rates(0)];
    const before = await shown();
    line.h.forgetSnapshots();
    await line.h.restart();
    t.same(await shown(), before, 'the same from the journal alone');
    t.same([...line.h.reports, ...plain.h.reports], []);
  });
}
