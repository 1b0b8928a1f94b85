import fc from '../../fast-check.js';
import { test } from 'tap';
import {
  type AgentOutcome,
  type Channel,
  dayOf,
  type Direction,
  type InteractionStatus,
  judge,
  type PastContact,
} from '../../../engine/index.js';
import { SEED } from '../../seed.js';
import { block, call, consents, homeIn, overdueLoan, phone, plan, situation } from './situations.js';

/*
 * A second implementation of the rules of time and frequency, with only the clocks of `Intl` and days counted one by one, compared with
 * the guard on random borrowers.
 */

const DAY_MS = 86_400_000;
const RUNS = 400;

/** The local time of a zone: the number of the day, and the minute of the day. */
interface Wall {
  readonly day: number;
  readonly minute: number;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function wallIn(zone: string, at: number): Wall {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  clocks.set(zone, clock);
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return {
    day: Date.UTC(part['year'] ?? 0, (part['month'] ?? 1) - 1, part['day'] ?? 1) / DAY_MS,
    minute: (part['hour'] ?? 0) * 60 + (part['minute'] ?? 0),
  };
}

const EAST = 'America/New_York';
const CENTRAL = 'America/Chicago';
const WEST = 'America/Los_Angeles';
const HAWAII = 'Pacific/Honolulu';
const COUNTRY = [EAST, CENTRAL, 'America/Denver', 'America/Phoenix', WEST, 'America/Anchorage', HAWAII];

interface TestArea {
  readonly state: string;
  readonly zip: string;
  readonly city: string;
  readonly zones: readonly string[];
}

const HOMES: readonly TestArea[] = [
  { state: 'OH', zip: '43215', city: 'Columbus', zones: [EAST] },
  { state: 'TX', zip: '75201', city: 'Dallas', zones: [CENTRAL] },
  { state: 'HI', zip: '96813', city: 'Honolulu', zones: [HAWAII] },
  { state: 'AZ', zip: '86045', city: 'Tuba City', zones: ['America/Phoenix', 'America/Denver'] },
  { state: 'TN', zip: '37355', city: 'Manchester', zones: [EAST, CENTRAL] },
  { state: 'MA', zip: '02108', city: 'Boston', zones: [EAST] },
  { state: 'WA', zip: '98101', city: 'Seattle', zones: [WEST] },
  { state: 'NY', zip: '10001', city: 'New York', zones: [EAST] },
  { state: 'DC', zip: '20001', city: 'Washington', zones: [EAST] },
  { state: 'PR', zip: '00901', city: 'San Juan', zones: ['America/Puerto_Rico'] },
  { state: 'AE', zip: '09012', city: 'APO', zones: [] },
];
const NUMBERS: readonly (readonly [number: string, state: string | null, zones: readonly string[]])[] = [
  ['+18005550143', null, []],
  ['+12125550143', 'NY', [EAST]],
  ['+18085550143', 'HI', [HAWAII]],
  ['+16175550143', 'MA', [EAST]],
  ['+12065550143', 'WA', [WEST]],
  ['+12195550143', 'IN', [EAST, CENTRAL]],
];
const LOANS = ['LN-AAAA-1111', 'LN-BBBB-2222'] as const;

/** Moments of a year, half of them in the nights in which clocks change. */
const moments = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) }),
  fc.integer({ min: Date.UTC(2026, 2, 7), max: Date.UTC(2026, 2, 10) }),
  fc.integer({ min: Date.UTC(2026, 9, 31), max: Date.UTC(2026, 10, 3) }),
  // The first and last minutes of windows.
  fc
    .tuple(
      fc.integer({ min: 0, max: 364 }),
      fc.constantFrom(8, 9, 12, 13, 20, 21),
      fc.constantFrom(-1, 0, 1),
      fc.constantFrom(4, 5, 6, 7, 8, 9, 10),
    )
    .map(([day, hour, off, west]) => Date.UTC(2026, 0, 1 + day, hour + west) + off),
);

const areas = fc.record({
  home: fc.constantFrom(...HOMES),
  second: fc.option(fc.constantFrom(...HOMES), { freq: 2 }),
  number: fc.constantFrom(...NUMBERS),
});

type Areas = typeof areas extends fc.Arbitrary<infer T> ? T : never;

/** All time zones in which the borrower may be. */
function zonesRead({ home, second, number }: Areas): readonly string[] {
  const zones = [...home.zones, ...(second?.zones ?? []), ...number[2], ...(home.zones.length === 0 ? COUNTRY : [])];
  return zones.length === 0 ? COUNTRY : zones;
}

const statesRead = ({ home, second, number }: Areas): ReadonlySet<string | null> => new Set([home.state, second?.state ?? null, number[1]]);

const living = ({ home, second, number }: Areas): Parameters<typeof situation>[0] => ({
  contact: phone(number[0]),
  person: {
    home: homeIn(home.state, home.zip, home.city),
    otherAreas: second === null ? [] : [homeIn(second.state, second.zip, second.city)],
  },
});

const blocksOf = (verdict: ReturnType<typeof judge>, code: string): boolean =>
  verdict.rules.find((rule) => rule.code === code)?.blocks ?? false;

test(`hours: no collection before 8:00 or from 21:00 on in any possible time zone of the borrower (seed ${SEED})`, async () => {
  fc.assert(
    fc.property(moments, areas, fc.constantFrom('voice' as const, 'text' as const), (at, where, channel) => {
      const verdict = judge(plan({ at, channel }), situation(living(where)));
      const isLate = zonesRead(where).some((zone) => wallIn(zone, at).minute < 8 * 60 || wallIn(zone, at).minute >= 21 * 60);
      return blocksOf(verdict, 'US-TIME-COLL') === isLate && blocksOf(verdict, 'US-TIME-TCPA') === isLate && (!isLate || !verdict.result);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

interface Made {
  readonly ago: number;
  readonly channel: Channel;
  readonly direction: Direction;
  readonly status: InteractionStatus;
  readonly outcome: AgentOutcome | null;
  readonly loanIds: readonly string[];
  /** Whether the contact belongs to a representative of the borrower; null: not known. */
  readonly isOfRepresentative: boolean | null;
  readonly contactId: string;
}

const made: fc.Arbitrary<Made> = fc.record({
  ago: fc.integer({ min: 0, max: 9 * DAY_MS }),
  channel: fc.constantFrom<Channel>('voice', 'voice', 'voice', 'text', 'email'),
  direction: fc.constantFrom<Direction>('outbound', 'outbound', 'outbound', 'inbound'),
  status: fc.constantFrom<InteractionStatus>('succeeded', 'attempted', 'inProgress', 'failed', 'canceled', 'scheduled'),
  outcome: fc.constantFrom<AgentOutcome | null>(
    null,
    null,
    'voiceSpokeWithFirstParty',
    'voiceSpokeWithThirdParty',
    'voiceLeftVoicemail',
    'voiceNumberDisconnected',
    'voiceLineBusyNoRing',
  ),
  loanIds: fc.constantFrom<readonly string[]>([LOANS[0]], [LOANS[1]], [...LOANS], []),
  isOfRepresentative: fc.constantFrom(true, false, null),
  contactId: fc.constantFrom('CT-AAAA-1111', 'CT-BBBB-2222'),
});

const pastOf = (now: number, { ago, outcome, channel, ...rest }: Made): PastContact =>
  call(now - ago, { channel, agentOutcome: channel === 'voice' ? outcome : null, ...rest });

/** A call attempt: it did not fail, or its outcome shows that the phone was reached. */
const isMade = ({ direction, status, agentOutcome }: PastContact): boolean =>
  direction === 'outbound' &&
  (['succeeded', 'attempted', 'inProgress'].includes(status) ||
    (status === 'failed' && (agentOutcome?.startsWith('voiceSpokeWith') === true || agentOutcome === 'voiceLeftVoicemail')));

/** For Massachusetts: a text, or a call in which a message could be left. */
const isCommunication = ({ channel, agentOutcome }: PastContact): boolean => channel !== 'email' && agentOutcome !== 'voiceLineBusyNoRing';

const CALLED = 'CT-AAAA-1111';

/** A conversation with the borrower, a possible representative, or the person to be called now. */
const isTalk = ({ channel, status, agentOutcome, isOfRepresentative, contactId }: PastContact): boolean => {
  if (channel !== 'voice' || status === 'canceled' || status === 'scheduled') return false;
  if (agentOutcome === 'voiceSpokeWithThirdParty')
    return isOfRepresentative === true || isOfRepresentative === null || contactId === CALLED;
  return agentOutcome === 'voiceSpokeWithFirstParty';
};

/** A call to the borrower or to an unknown person. */
const isToThem = ({ isOfRepresentative, contactId }: PastContact): boolean => isOfRepresentative !== false || contactId === CALLED;

/** Whether any zone and loan of the contact has this many calls in the seven days that end today. */
function isFull(
  {
    at,
    about,
    zones,
    history,
  }: {
    readonly at: number;
    readonly about: readonly string[];
    readonly zones: readonly string[];
    readonly history: readonly PastContact[];
  },
  limit: number,
): boolean {
  return about.some((loan) =>
    zones.some((zone) => {
      const today = wallIn(zone, at).day;
      const dates = history
        .filter(({ loanIds }) => loanIds.length === 0 || loanIds.includes(loan))
        .map(({ startedAt }) => wallIn(zone, startedAt).day);
      return dates.filter((date) => [0, 1, 2, 3, 4, 5, 6].includes(today - date)).length >= limit;
    }),
  );
}

test(`frequency: calls and conversations are counted on seven dates of each time zone, by loan (seed ${SEED})`, async () => {
  fc.assert(
    fc.property(
      moments,
      areas,
      fc.array(made, { maxLength: 24 }),
      fc.constantFrom<readonly string[]>([LOANS[0]], [...LOANS], []),
      (at, where, contacts, loanIds) => {
        const history = contacts.map((each) => pastOf(at, each));
        const loans = LOANS.map((id) => overdueLoan({ id, overdueSince: dayOf(2025, 10, 1) }));
        const verdict = judge(
          plan({ at, loanIds }),
          situation({ ...living(where), loans, history, consents: consents('electronicComms') }),
        );
        const read = { at, about: loanIds.length === 0 ? LOANS : loanIds, zones: zonesRead(where), history: history.filter(isMade) };
        const calls = { ...read, history: read.history.filter(({ channel }) => channel === 'voice') };
        // The law of Washington counts calls per debtor, not per debt, so the subject of a call does not matter.
        const toDebtor = { ...calls, about: [LOANS[0]], history: calls.history.map((each) => ({ ...each, loanIds: [] })) };
        const states = statesRead(where);
        const expected: readonly (readonly [code: string, isFull: boolean])[] = [
          ['US-FREQ-7IN7', isFull({ ...calls, history: calls.history.filter(isToThem) }, 7)],
          ['US-FREQ-AFTERCALL', isFull({ ...read, history: history.filter(isTalk) }, 1)],
          ['MA-FREQ', states.has('MA') && isFull({ ...read, history: read.history.filter(isCommunication) }, 2)],
          ['WA-FREQ', states.has('WA') && isFull(toDebtor, 3)],
          ['DC-FREQ', states.has('DC') && isFull(calls, 4)],
          ['NYC-FREQ', (where.home.city === 'New York' || where.second?.city === 'New York') && isFull(read, 2)],
        ];
        return expected.every(([code, full]) => blocksOf(verdict, code) === full && (!full || !verdict.result));
      },
    ),
    { seed: SEED, numRuns: RUNS },
  );
});

const hour = fc.integer({ min: 0, max: 24 });

test(`Do Not Interact: it blocks on its days and in its hours, in local time of its zone (seed ${SEED})`, async () => {
  const ranges = fc.array(
    fc.record({ fromHour: hour, toHour: hour }).filter(({ fromHour, toHour }) => fromHour !== toHour),
    { maxLength: 2 },
  );
  fc.assert(
    fc.property(
      moments,
      ranges,
      fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
      fc.constantFrom(EAST, CENTRAL, WEST, HAWAII),
      (at, timesOfDay, daysOfWeek, timezone) => {
        const verdict = judge(
          plan({ at }),
          situation({ blocks: [block({ startDate: wallIn(EAST, Date.UTC(2025, 5, 1)).day as never, timesOfDay, daysOfWeek, timezone })] }),
        );
        const { day, minute } = wallIn(timezone, at);
        // The first day of 1970 was a Thursday.
        const isOn = (date: number): boolean => daysOfWeek.length === 0 || daysOfWeek.includes((((date + 3) % 7) + 7) % 7);
        const stands =
          timesOfDay.length === 0
            ? isOn(day)
            : timesOfDay.some(({ fromHour, toHour }) => {
                const [from, to] = [fromHour * 60, toHour * 60];
                if (from < to) return isOn(day) && minute >= from && minute < to;
                return (isOn(day) && minute >= from) || (isOn(day - 1) && minute < to);
              });
        return (verdict.blockReason === 'doNotInteract') === stands;
      },
    ),
    { seed: SEED, numRuns: RUNS },
  );
});
