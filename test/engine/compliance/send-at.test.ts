import fc from '../../fast-check.js';
import { test } from 'tap';
import { dayAt, judge, type PastContact, type Situation, timeOfDayAt } from '../../../engine/index.js';
import { SEED } from '../../seed.js';
import { at, block, businessRule, call, homeIn, phone, plan, situation } from './situations.js';

/* Laws of `sendAt`: it is the first moment at which no rule blocks the contact. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const HOMES = [
  ['OH', '43215'],
  ['TX', '75201'],
  ['HI', '96813'],
  ['AZ', '86045'],
  ['TN', '37355'],
  ['MA', '02108'],
  ['NV', '89101'],
  ['WA', '98101'],
  ['NY', '10001'],
  ['AK', '99501'],
  ['PR', '00901'],
] as const;
const NUMBERS = ['+18005550143', '+16145550143', '+12125550143', '+18085550143', '+12025550143', '+16175550143'] as const;

/** Moments of a year, half of them close to one of its two clock changes. */
const moments = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) }),
  fc.integer({ min: Date.UTC(2026, 2, 7), max: Date.UTC(2026, 2, 10) }),
  fc.integer({ min: Date.UTC(2026, 9, 31), max: Date.UTC(2026, 10, 3) }),
);

const situations = (now: number): fc.Arbitrary<Situation> =>
  fc
    .record({
      home: fc.constantFrom(...HOMES),
      number: fc.constantFrom(...NUMBERS),
      intensity: fc.constantFrom('light' as const, 'normal' as const),
      calls: fc.array(
        fc.record({
          ago: fc.integer({ min: 0, max: 10 * DAY }),
          channel: fc.constantFrom('voice' as const, 'text' as const, 'email' as const),
          spoke: fc.boolean(),
        }),
        { maxLength: 9 },
      ),
      hours: fc.option(
        fc
          .record({ fromHour: fc.integer({ min: 0, max: 23 }), toHour: fc.integer({ min: 0, max: 24 }) })
          .filter(({ fromHour, toHour }) => fromHour !== toHour),
      ),
      weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
      ends: fc.option(fc.integer({ min: 0, max: 40 * DAY })),
      own: fc.option(fc.constantFrom(['01:30', '02:30'], ['02:00', '03:00'], ['10:15', '10:45'], ['00:00', '24:00'])),
    })
    .map(({ home, number, intensity, calls, hours, weekdays, ends, own }) =>
      situation({
        person: { home: homeIn(home[0], home[1], null), collectionsIntensity: intensity },
        contact: phone(number),
        history: calls.map(
          ({ ago, channel, spoke }): PastContact =>
            call(now - ago, { channel, agentOutcome: spoke && channel === 'voice' ? 'voiceSpokeWithFirstParty' : null }),
        ),
        blocks: hours === null ? [] : [block({ timesOfDay: [hours], daysOfWeek: weekdays, endsAt: ends === null ? null : now + ends })],
        businessRules: own === null ? [] : [businessRule({ parameters: { type: 'hours', from: own[0] ?? '', to: own[1] ?? '' } })],
      }),
    );

test(`a contact is allowed at sendAt, and not just before it (seed ${SEED})`, async () => {
  fc.assert(
    fc.property(
      moments.chain((now) => fc.tuple(fc.constant(now), situations(now), fc.constantFrom('voice' as const, 'text' as const), fc.boolean())),
      ([now, found, channel, isCollection]) => {
        const asked = plan({ at: now, channel, theme: isCollection ? 'opsCollDebt' : 'opsServicing' });
        const { result, sendAt } = judge(asked, found);
        if (result) return sendAt === null;
        if (sendAt === null) return true;
        const before = judge({ ...asked, at: sendAt - 1 }, found);
        return (
          sendAt > now &&
          sendAt <= now + 30 * DAY &&
          judge({ ...asked, at: sendAt }, found).result &&
          !before.result &&
          (sendAt - 1 < now || before.sendAt === sendAt)
        );
      },
    ),
    { seed: SEED, numRuns: 300 },
  );
});

test(`no moment between now and sendAt is allowed (seed ${SEED})`, async () => {
  fc.assert(
    fc.property(
      moments.chain((now) => fc.tuple(fc.constant(now), situations(now), fc.double({ min: 0, max: 1, noNaN: true }))),
      ([now, found, part]) => {
        const asked = plan({ at: now });
        const { sendAt } = judge(asked, found);
        const last = sendAt ?? now + 29 * DAY;
        const between = now + Math.floor((last - now) * part);
        return judge(asked, found).result || between >= last || !judge({ ...asked, at: between }, found).result;
      },
    ),
    { seed: SEED, numRuns: 300 },
  );
});

test('local time counts across changes of the clock', async (t) => {
  const night = (text: string): number | null => judge(plan({ at: at(text) }), situation()).sendAt;
  t.equal(night('2026-03-07 22:00'), Date.UTC(2026, 2, 8, 12), 'eight in the morning comes an hour earlier');
  t.equal(night('2026-10-31 22:00'), Date.UTC(2026, 10, 1, 13), 'and an hour later');
});

test('hours that the clock skips do not exist that day, and hours that it repeats exist twice', async (t) => {
  const own = situation({
    businessRules: [businessRule({ parameters: { type: 'hours', from: '02:15', to: '02:45' }, channels: ['mail'] })],
    contact: { ...phone(), contactType: 'address', label: 'home' },
  });
  const letter = plan({ channel: 'mail', at: at('2026-03-08 00:30') });
  const { sendAt } = judge(letter, own);
  t.equal(sendAt, at('2026-03-09 02:15'));
  const twice = situation({
    businessRules: [businessRule({ parameters: { type: 'hours', from: '01:15', to: '01:45' }, channels: ['mail'] })],
    contact: { ...phone(), contactType: 'address', label: 'home' },
  });
  const first = judge(plan({ channel: 'mail', at: at('2026-11-01 00:30') }), twice).sendAt ?? 0;
  t.equal(first, Date.UTC(2026, 10, 1, 5, 15));
  const second = judge(plan({ channel: 'mail', at: first + HOUR / 2 }), twice).sendAt ?? 0;
  t.equal(second, Date.UTC(2026, 10, 1, 6, 15));
  t.strictSame(timeOfDayAt('America/New_York', second), { hour: 1, minute: 15, second: 0 });
  t.equal(dayAt('America/New_York', second), dayAt('America/New_York', first));
});
