import fc from '../../fast-check.js';
import { test } from 'tap';
import { addDays, dayAt, judge, type PastContact, SEED_RULES, type Situation } from '../../../engine/index.js';
import { askedOf, WINDOW_DAYS } from '../../../engine/compliance/judge.js';
import { SEED } from '../../seed.js';
import { at, businessRule, call, caseOf, consents, homeIn, loan, phone, plan, situation } from './situations.js';

/* The verdict on the part of a history that `looking-back.ts` keeps equals the verdict on all of it. */

const DAY = 86_400_000;
const NOW = at('2026-06-02 10:30');
const LOANS = ['LN-AAAA-1111', 'LN-BBBB-2222'] as const;
const HOMES = [
  ['OH', '43215'],
  ['MA', '02108'],
  ['WA', '98101'],
  ['NY', '10001'],
  ['WV', '25301'],
  ['DC', '20001'],
] as const;

const contacts: fc.Arbitrary<PastContact> = fc
  .record({
    // Mostly long ago, since contacts within the windows are kept in any case.
    ago: fc.oneof(fc.integer({ min: 0, max: 40 * DAY }), fc.integer({ min: 20 * DAY, max: 400 * DAY })),
    channel: fc.constantFrom('voice' as const, 'text' as const, 'email' as const, 'chat' as const, 'mail' as const),
    direction: fc.constantFrom('inbound' as const, 'outbound' as const),
    status: fc.constantFrom('succeeded' as const, 'failed' as const, 'canceled' as const),
    theme: fc.constantFrom(
      'opsCollDebt' as const,
      'opsServicing' as const,
      'inbOptOut' as const,
      'opsServicingDebtValidation' as const,
      'opsServicingTimeBarredNotice' as const,
      'marketing' as const,
      null,
    ),
    subject: fc.constantFrom(null, null, 'timeBarredNotice' as const, 'ceaseCommunicationAcknowledgement' as const),
    agentOutcome: fc.constantFrom(null, 'voiceSpokeWithFirstParty' as const, 'voiceRangNoPickup' as const),
    loanIds: fc.constantFrom([], [LOANS[0]], [LOANS[1]]),
    isReply: fc.boolean(),
  })
  .map(({ ago, ...rest }) => call(NOW - ago, rest));

const loans: fc.Arbitrary<Situation['loans']> = fc
  .record({
    servicedBy: fc.constantFrom('creditor', 'debtCollectionAgency', 'thirdPartyServicer'),
    overdueFor: fc.constantFrom(null, 10, 45, 200, 2_600),
  })
  .chain(({ servicedBy, overdueFor }) =>
    fc.constant(
      LOANS.map((id) =>
        loan({
          id,
          servicedBy,
          isOverdue: overdueFor !== null,
          overdueSince: overdueFor === null ? null : addDays(dayAt('America/New_York', NOW), -overdueFor),
        }),
      ),
    ),
  );

const situations: fc.Arbitrary<Situation> = fc
  .record({
    home: fc.constantFrom(...HOMES),
    history: fc.array(contacts, { minLength: 20, maxLength: 60 }),
    loans,
    isCeased: fc.boolean(),
    hasConsent: fc.boolean(),
    isWork: fc.boolean(),
    own: fc.boolean(),
  })
  .map(({ home, history, loans: ofBorrower, isCeased, hasConsent, isWork, own }) =>
    situation({
      person: { home: homeIn(home[0], home[1], null) },
      contact: phone(undefined, isWork ? { label: 'work' } : {}),
      consents: hasConsent ? consents('electronicComms', 'contactPersonWork') : consents(),
      history: [...history].sort((a, b) => b.startedAt - a.startedAt),
      loans: ofBorrower,
      cases: isCeased ? [caseOf('cease', { openedAt: NOW - 100 * DAY })] : [],
      businessRules: own ? [businessRule({ parameters: { type: 'frequency', limit: 3, days: WINDOW_DAYS, per: 'person' } })] : [],
    }),
  );

const plans = fc
  .record({
    channel: fc.constantFrom('voice' as const, 'text' as const, 'chat' as const, 'mail' as const),
    theme: fc.constantFrom('opsCollDebt' as const, 'opsServicing' as const, 'marketing' as const),
    later: fc.integer({ min: 0, max: 20 * DAY }),
    isReply: fc.boolean(),
    loanIds: fc.constantFrom([], [LOANS[0]], [...LOANS]),
    subject: fc.constantFrom(null, 'timeBarredNotice' as const),
  })
  .map(({ later, ...rest }) => plan({ ...rest, at: NOW + later }));

void test('what is left out of a long history changes no verdict', async (t) => {
  let shortened = 0;
  fc.assert(
    fc.property(situations, plans, (full, planned) => {
      const history = askedOf(full.history, NOW, full.loans, full.companyZone);
      shortened += full.history.length - history.length;
      t.strictSame(judge(planned, { ...full, history }), judge(planned, full));
    }),
    { seed: SEED, numRuns: 600 },
  );
  t.ok(shortened > 1_000, `${shortened} contacts were left out`);
});

void test('no rule counts contacts over a longer window', async (t) => {
  const windows = SEED_RULES.flatMap(({ parameters }) => [parameters?.['days'], parameters?.['workDays']]).filter(
    (days) => days !== undefined,
  );
  t.ok(windows.length > 5);
  for (const days of windows) t.ok(Number(days) <= WINDOW_DAYS);
});
