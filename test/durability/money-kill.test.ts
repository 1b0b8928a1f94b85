import { test } from 'tap';
import { formatDay, must, parseDay } from '../../engine/index.js';
import { Random } from '../random.js';
import { SEED } from '../seed.js';
import { FIRST_DAY } from './money/lender.js';
import { nextDay, notMade, underWay } from './money/days.js';
import { checkFiles, checkMoney } from './money/sums.js';
import { MoneyWalk } from './money/walk.js';

/** Kills of one run, one on each business day; `TENOR_KILLS=300` for a long one. */
const KILLS = Number(process.env['TENOR_KILLS'] ?? 20);
/** Now and then the service has time for what waits. */
const QUIET_EVERY = 5;

test(`${KILLS} kills while money moves by files that are lost, repeated, cut and late: every cent ends in one place`, {
  timeout: 60_000 + KILLS * 60_000,
}, async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const walk = await MoneyWalk.begin(t, random);
  let day = must(parseDay(FIRST_DAY), FIRST_DAY);
  for (; walk.counts.kills < KILLS; day = nextDay(day)) {
    const date = formatDay(day);
    const isQuietDay = walk.counts.kills % QUIET_EVERY === QUIET_EVERY - 1;
    if (isQuietDay) walk.noFaults();
    await walk.goTo(`${date}T18:00:00Z`); // between the cut-offs
    if (isQuietDay) await walk.until(() => underWay(walk));
    await walk.payments();
    if (random.below(3) === 0) walk.cutNext();
    await walk.killDuring(() => walk.goTo(`${date}T21:30:00Z`));
    await walk.bankDay(date);
    walk.mail.deliver({ isFaulty: true });
    if (random.below(3) === 0) await walk.operate();
  }
  walk.noFaults();
  for (const loan of walk.lender.loans) await walk.ask('DELETE', `${loan}/autopay`);
  // Returns of the last payments, and those that come after a month.
  for (const days of [1, 1, 1, 1, 1, 1, 1, 1, 35, 1, 1, 1, 1, 1, 1, 1, 1, 1]) {
    const date = formatDay(day);
    await walk.goTo(`${date}T18:00:00Z`);
    await walk.until(() => underWay(walk));
    await walk.goTo(`${date}T21:30:00Z`);
    await walk.until(() => underWay(walk));
    await walk.bankDay(date, []);
    walk.mail.deliver({ isFaulty: false });
    await walk.operate();
    for (let left = days; left > 0; left -= 1) day = nextDay(day);
  }
  await walk.goTo(`${formatDay(day)}T18:00:00Z`);
  await walk.until(() => underWay(walk));
  await walk.until(() => notMade(walk, day));
  t.comment(JSON.stringify({ ...walk.counts, mail: walk.mail.counts, entries: walk.bankLedger().entries.length }));
  await checkMoney(t, walk);
  await checkFiles(t, walk);
  t.equal(await walk.stop(), 0);
  t.same(
    walk.log.filter((line) => /"level":[56]0/.test(line)),
    [],
    'no process has met a fault of its own',
  );
});
