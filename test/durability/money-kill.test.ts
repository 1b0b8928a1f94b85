import { test } from 'tap';
import { addDays, type Day, formatDay, isBusinessDay, must, parseDay, weekday } from '../../engine/index.js';
import { Random } from '../random.js';
import { SEED } from '../seed.js';
import { FIRST_DAY, listOf, TAPE_DAYS } from './money/lender.js';
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
    await walk.goTo(`${date}T18:00:00Z`); // between the cut-offs
    if (walk.counts.kills % QUIET_EVERY === QUIET_EVERY - 1) await isQuiet(walk);
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
    await isQuiet(walk);
    await walk.goTo(`${date}T21:30:00Z`);
    await isQuiet(walk);
    await walk.bankDay(date, []);
    walk.mail.deliver({ isFaulty: false });
    await walk.operate();
    for (let left = days; left > 0; left -= 1) day = nextDay(day);
  }
  await walk.goTo(`${formatDay(day)}T18:00:00Z`);
  await isQuiet(walk);
  await isCaughtUp(walk, day);
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

function nextDay(day: Day): Day {
  const next = addDays(day, 1);
  return isBusinessDay(next) ? next : nextDay(next);
}

/** All that the bank has given is read, and no file is under way. */
async function isQuiet({ ask, lender, mail, until }: MoneyWalk): Promise<void> {
  await until(async () => {
    const files = await listOf(ask, '/ach-files');
    const read = new Set(files.map(({ sha256 }) => sha256));
    const settlements = await listOf(ask, `/companies/${lender.company}/settlements?status=pending`);
    const tapes = await listOf(ask, `/companies/${lender.company}/loan-tapes/${lender.tape}/files`);
    const reports = await listOf(ask, `/companies/${lender.company}/credit-reporting/files`);
    return [
      ...files.filter(({ status }) => status === 'created'),
      ...mail.inbox().filter(({ sha256 }) => !read.has(sha256)),
      ...settlements.filter(({ isComputed }) => isComputed !== true),
      ...[...tapes, ...reports].filter(({ status }) => status !== 'succeeded' && status !== 'failed'),
    ];
  });
}

/** What is due each day is made: the settlement of the day before, and the newest tape. */
async function isCaughtUp({ ask, lender, until }: MoneyWalk, day: Day): Promise<void> {
  await until(async () => {
    const [settlement] = await listOf(ask, `/companies/${lender.company}/settlements?investorId=${lender.investors.beta}`);
    const [tape] = await listOf(ask, `/companies/${lender.company}/loan-tapes/${lender.tape}/files`);
    const isSettled = settlement?.['periodEndDate'] === formatDay(addDays(day, -1)) && settlement['status'] === 'succeeded';
    const isSent = String(tape?.['reportDate']) >= formatDay(lastTapeDay(day)) && tape?.['status'] === 'succeeded';
    return isSettled && isSent ? [] : [settlement, tape];
  });
}

const lastTapeDay = (day: Day): Day => (TAPE_DAYS.includes(weekday(day)) ? day : lastTapeDay(addDays(day, -1)));
