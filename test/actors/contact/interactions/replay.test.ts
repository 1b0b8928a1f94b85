import { test, type Test } from 'tap';
import { actorModules, Refusal } from '../../../../actors/index.js';
import {
  agentOutcomeFault,
  type AgentOutcome,
  AGENT_OUTCOMES,
  type Channel,
  CHANNELS,
  type Direction,
  INTERACTION_STATUSES,
  type InteractionStatus,
  mayMove,
  must,
  resolveTheme,
  STATUS_DETAILS,
  type StatusDetail,
  statusDetailFault,
  type StatusMover,
  type Subject,
  SUBJECTS,
  type InteractionTheme,
  THEMES,
} from '../../../../engine/index.js';
import { Random } from '../../../gateway/fuzz/random.js';
import { type Data, Harness, itemsOf } from '../../harness.js';
import { NAME } from '../../../people.js';
import { SEED } from '../../../seed.js';

const MOVES = 1_500;
const HOUR_MS = 3_600_000;

const SIGNALS = [
  'emailAccepted',
  'emailDelivered',
  'emailOpened',
  'emailDeferred',
  'emailBounced',
  'textDelivered',
  'textUnknownError',
  'letterDelivered',
  'letterReturnedToSender',
] as const;
const DETAILS = [...Object.keys(STATUS_DETAILS), ...Object.keys(AGENT_OUTCOMES), null];
const MOVERS: readonly StatusMover[] = ['service', 'feedback', 'caller'];

/** Random values of the vocabulary; many combinations are refused. */
const said = (random: Random): object => ({
  ...(random.below(3) === 0 ? { status: random.pick(INTERACTION_STATUSES) } : {}),
  ...(random.below(3) === 0 ? { statusDetails: random.pick(DETAILS) } : {}),
  ...(random.below(4) === 0 ? { agentOutcome: random.pick([...Object.keys(AGENT_OUTCOMES), null]) } : {}),
  ...(random.below(4) === 0 ? { subject: random.pick([...Object.keys(SUBJECTS), null]) } : {}),
  ...(random.below(4) === 0 ? { theme: random.pick(Object.keys(THEMES)) } : {}),
  ...(random.below(6) === 0 ? { sensitive: random.below(2) === 0 } : {}),
  ...(random.below(6) === 0 ? { mailIsCertified: true } : {}),
});

test('after random commands interactions fit the tables, and are the same after a start from the journal', async (t) => {
  t.comment(`seed ${SEED}`);
  const h = await Harness.open(() => actorModules());
  t.teardown(() => h.close());
  await h.makeCompany();
  const { id: personId } = await h.data('person.create', null, { name: NAME });
  const random = new Random(SEED);
  const known = new Map<string, Data>();
  const ask = { permissions: ['*'] };
  let taken = 0;
  for (let move = 0; move < MOVES; move++) {
    if (random.below(20) === 0) h.nowMs += HOUR_MS;
    const id = known.size === 0 || random.below(4) === 0 ? null : must([...known.keys()][random.below(known.size)], 'an interaction');
    const window =
      random.below(4) === 0
        ? { scheduledAtFrom: new Date(h.nowMs + HOUR_MS).toISOString(), scheduledAtTo: new Date(h.nowMs + 3 * HOUR_MS).toISOString() }
        : {};
    const order =
      id === null
        ? h.data(
            'interaction.create',
            personId,
            {
              channel: random.pick(Object.keys(CHANNELS).filter((channel) => channel !== 'fax')),
              direction: random.pick(['outbound', 'inbound']),
              ...said(random),
              ...window,
            },
            ask,
          )
        : random.below(4) === 0
          ? h.data('interaction.feedback', id, { signal: random.pick(SIGNALS) }, { system: true })
          : h.data(random.below(8) === 0 ? 'interaction.cancel' : 'interaction.update', id, said(random), ask);
    const answered = await order.catch((cause: unknown) => {
      if (!(cause instanceof Refusal) || cause.statusCode >= 500) throw cause;
      return null;
    });
    if (answered === null) continue;
    taken += 1;
    const at = String(answered['interactionId'] ?? answered.id);
    const shown = await h.query('interaction.get', at, {}, ask);
    keepsTables(t, shown, known.get(at));
    known.set(at, shown);
  }
  t.comment(`${taken} of ${MOVES} orders were taken, ${known.size} interactions`);
  const all = async (): Promise<unknown> => itemsOf(await h.query('interaction.list', null, { limit: 100, sortBy: ['createdAt'] }, ask));
  const before = await all();
  h.forgetSnapshots();
  await h.restart();
  t.same(await all(), before);
});

function keepsTables(t: Pick<Test, 'strictSame'>, shown: Data, before: Data | undefined): void {
  const { channel, direction, status, statusDetails, agentOutcome, subject, theme, mailIsCertified } = shown as unknown as {
    readonly channel: Channel;
    readonly direction: Direction;
    readonly status: InteractionStatus;
    readonly statusDetails: StatusDetail | null;
    readonly agentOutcome: AgentOutcome | null;
    readonly subject: Subject | null;
    readonly theme: InteractionTheme | null;
    readonly mailIsCertified: boolean;
  };
  const faults = [
    statusDetails === null ? null : statusDetailFault({ status, statusDetails, channel, direction, mailIsCertified }),
    agentOutcome === null ? null : agentOutcomeFault(agentOutcome, channel, direction),
    'fault' in resolveTheme({ subject, theme, direction }) ? `the theme ${theme} of ${subject}` : null,
    before === undefined || before['status'] === status || reaches(before['status'] as InteractionStatus, status)
      ? null
      : `${String(before['status'])} became ${status}`,
  ].filter((fault) => fault !== null);
  if (faults.length > 0) t.strictSame(faults, [], JSON.stringify(shown));
}

/** Whether anybody may make the move. */
function reaches(from: InteractionStatus, to: InteractionStatus): boolean {
  return MOVERS.some((mover) => mayMove(from, to, mover));
}
