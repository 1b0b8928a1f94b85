import { test } from 'tap';
import { actorModules, Refusal } from '../../../../actors/index.js';
import { must } from '../../../../engine/index.js';
import { Random } from '../../../gateway/fuzz/random.js';
import { type Data, Harness, itemsOf } from '../../harness.js';
import { NAME } from '../../../people.js';
import { SEED } from '../../../seed.js';

const CASES = 12;
const MOVES = 240;
const HOUR_MS = 3_600_000;

interface At {
  readonly random: Random;
  readonly h: Harness;
}

type Order = readonly [type: string, body: object, params?: Readonly<Record<string, string>>];

const soon = ({ random, h }: At): string => new Date(h.nowMs + random.pick([1, 5, 30, 200]) * HOUR_MS).toISOString();
const status = ({ random }: At): string => random.pick(['initiated', 'processing', 'completed', 'canceled', 'reopened']);

/** Possible commands of an agent on a case; many of them are refused. */
const ORDERS: readonly ((at: At, shown: Data) => Order)[] = [
  (at) => ['case.update', { status: status(at) }],
  () => ['case.update', { status: 'completed', outcome: 'resolved', outcomeNote: 'done' }],
  ({ random }) => [
    'case.update',
    {
      trusteeName: random.pick(['Hale', 'Orr', null]),
      courtCaseFiledDate: random.pick(['2026-01-01', null]),
      name: random.pick(['A', null]),
    },
  ],
  ({ random }) => ['case.update', { description: random.pick(['one', 'two', null]), metaData: { tier: 'gold' } }],
  () => ['case.view', {}],
  (at) => ['caseSnooze.create', { until: soon(at), reason: 'later' }],
  () => ['caseSnooze.delete', {}],
  (at) => ['scheduledCall.create', { scheduledAt: soon(at) }],
  (at, { scheduledCall }) => ['scheduledCall.update', { scheduledAt: soon(at) }, { scheduledCallId: idOf(scheduledCall) }],
  (_at, { scheduledCall }) => ['scheduledCall.delete', {}, { scheduledCallId: idOf(scheduledCall) }],
  ({ random }) => ['doNotInteract.create', { endDate: random.pick(['2126-01-01', null]), channels: ['voice'] }],
  (_at, { doNotInteract }) => ['doNotInteract.update', { channels: ['all'] }, { doNotInteractId: idOf(doNotInteract) }],
  (_at, { doNotInteract }) => ['doNotInteract.delete', {}, { doNotInteractId: idOf(doNotInteract) }],
];

const idOf = (shown: unknown): string => (shown as { readonly id: string } | null)?.id ?? 'NN-AAAA-AAAA';

test('cases are the same after a start from the journal, whatever was done with them', async (t) => {
  t.comment(`seed ${SEED}`);
  const h = await Harness.open(() => actorModules());
  t.teardown(() => h.close());
  await h.makeCompany();
  const { id: personId } = await h.data('person.create', null, { name: NAME });
  const random = new Random(SEED);
  const ids: string[] = [];
  for (let made = 0; made < CASES; made++)
    ids.push((await h.data('case.create', personId, { caseType: 'bankruptcy', trusteeName: 'Hale' })).id);
  let taken = 0;
  for (let move = 0; move < MOVES; move++) {
    const id = must(ids[random.below(ids.length)], 'a case');
    const [type, body, params = {}] = random.pick(ORDERS)({ random, h }, await h.query('case.get', id));
    const outcome = await h.command(type, id, body, { params }).catch((cause: unknown) => {
      if (!(cause instanceof Refusal)) throw cause;
      return null;
    });
    if (outcome) taken += 1;
    if (random.below(6) === 0) h.nowMs += HOUR_MS;
  }
  t.comment(`${taken} of ${MOVES} orders were taken`);
  const before = await shown(h, ids);
  h.forgetSnapshots();
  await h.restart();
  t.same(await shown(h, ids), before);
});

async function shown(h: Harness, ids: readonly string[]): Promise<unknown> {
  const cases = await Promise.all(
    ids.map(async (id) => ({
      shown: await h.query('case.get', id, { expand: true }),
      timeline: itemsOf(await h.query('case.timeline', id, { limit: 100 })),
      blocks: itemsOf(await h.query('doNotInteract.list', id)),
      calls: itemsOf(await h.query('scheduledCall.list', id)),
    })),
  );
  return { cases, snoozed: itemsOf(await h.query('case.list', null, { isSnoozed: true, limit: 100 })).map(({ id }) => id) };
}
