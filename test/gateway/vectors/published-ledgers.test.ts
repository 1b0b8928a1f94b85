import { test } from 'tap';
import { type Day, formatDay } from '../../../engine/index.js';
import { ANN } from '../../actors/borrower/lender.js';
import { missing } from '../../shared.js';
import { idOf, openHttpLender } from '../routes/http-lender.js';
import { unmetOverHttp } from './compare-reads.js';
import { actsByDay, scheduleDifferences } from './day-ledger.js';
import { DECIDED_OTHERWISE, NOT_MET_YET } from './known-differences.js';
import { type Act, LoanPlayer, type Stage } from './loan-player.js';
import { planOf } from './loan-plan.js';
import { publishedVectors } from './published.js';
import { namedInVain, whyUnplayable } from './unplayable.js';

const all = publishedVectors();
const skip = all === undefined ? missing('domain', 'vectors') : false;
const vectors = all ?? [];
const played = vectors.filter((vector) => whyUnplayable(vector) === null);

test('every published ledger, waterfall and schedule is played over the interface or named with the reason', { skip }, (t) => {
  for (const vector of vectors) {
    const why = whyUnplayable(vector);
    if (why !== null) t.comment(`not played: ${vector.id}: ${why}`);
  }
  t.same(namedInVain(vectors), []);
  const known = [...Object.keys(DECIDED_OTHERWISE), ...Object.keys(NOT_MET_YET)];
  t.same(
    known.filter((id) => !played.some((vector) => vector.id === id)),
    [],
    'differences are known of vectors that are played',
  );
  for (const [id, { why }] of Object.entries(DECIDED_OTHERWISE)) t.comment(`decided otherwise: ${id}: ${why}`);
  for (const [id, why] of Object.entries(NOT_MET_YET)) t.comment(`not met yet: ${id}: ${why}`);
  t.comment(`${played.length} of ${vectors.length} are played`);
  t.end();
});

test('a service under a test clock shows what was published, loan by loan', { skip }, async (t) => {
  const { ask, company } = await openHttpLender(t);
  const stage: Stage = { company, loans: '/people/ext-ann-1/loans', ask };
  const loans = played.map((vector) => new LoanPlayer(stage, vector, planOf(vector)));
  const days = byDay(loans.flatMap((player) => actsOf(player).map((act) => ({ player, act }))));
  const [[first = 0 as Day] = []] = days;
  const clock = idOf(await ask('POST', '/test-clocks', { startDate: formatDay(first) }));
  await ask('POST', '/people', ANN);
  for (const [day, acts] of days) {
    // One advance for the loans of all vectors.
    if (day > first)
      t.match(await ask('POST', `/test-clocks/${clock}/advance?sync=true`, { to: formatDay(day) }), { status: 200 }, formatDay(day));
    await Promise.all([...acts.values()].map(runInOrder));
  }
  for (const { vector, differences } of loans) {
    const { id, title } = vector;
    if (NOT_MET_YET[id] === undefined) t.same(differences, DECIDED_OTHERWISE[id]?.differences ?? [], `${id}: ${title}`);
    else t.not(differences.length, 0, `${id} is met: take it off the list of those that are not`);
  }
});

function actsOf(player: LoanPlayer): readonly Act[] {
  const { vector } = player;
  if (vector.id.startsWith('fsp-l')) return actsByDay(player);
  const acts = player.acts(unmetOverHttp);
  if (vector.expected === undefined) return acts;
  const look = {
    day: player.plan.start,
    name: 'schedule',
    run: async () => void player.differences.push(...(await scheduleDifferences(player))),
  };
  return [...acts, look];
}

type Days = ReadonlyMap<Day, ReadonlyMap<LoanPlayer, readonly Act[]>>;

/** The acts of each day, oldest first. Acts of one loan keep their order; acts of different loans may run in any order. */
function byDay(acts: readonly { readonly player: LoanPlayer; readonly act: Act }[]): Days {
  const days = new Map<Day, Map<LoanPlayer, Act[]>>();
  for (const { player, act } of [...acts].sort((a, b) => a.act.day - b.act.day)) {
    const ofDay = days.get(act.day) ?? new Map<LoanPlayer, Act[]>();
    days.set(act.day, ofDay.set(player, [...(ofDay.get(player) ?? []), act]));
  }
  return days;
}

async function runInOrder(acts: readonly Act[]): Promise<void> {
  for (const { run } of acts) await run();
}
