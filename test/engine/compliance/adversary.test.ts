import fc from '../../fast-check.js';
import { test } from 'tap';
import { type Channel, type ContactPlan, dayOf, judge, type PastContact, type Situation, type Subject } from '../../../engine/index.js';
import { SEED } from '../../seed.js';
import { at, call, caseOf, consents, email, homeIn, letterbox, loan, phone, plan, situation } from './situations.js';

/*
 * Tries to contact random borrowers with random channels, subjects, marks and texts. A second implementation of the prohibitions of the
 * law, from the scenario alone, decides: the guard blocks everything that it prohibits, by the same rule.
 */

const DAY_MS = 86_400_000;
const NOW = at('2026-06-02 10:30');
const RUNS = 3_000;

const SUBJECTS = [
  null,
  'freeForm',
  'custom3',
  'paymentDueDateReminder',
  'autopayPaymentReminder',
  'futurepayPaymentDueReminder',
  'promiseToPayDueReminder',
  'lateFeeCharged',
  'paymentConfirmation',
  'statementGenerated',
  'loanOverdueFirstNotice',
  'loanAccelerated',
  'marketingMessage',
] as const satisfies readonly (Subject | null)[];

const THEME_OF: Readonly<Record<string, ContactPlan['theme']>> = {
  statementGenerated: 'opsServicingStatement',
  loanOverdueFirstNotice: 'opsCollDebt',
  loanAccelerated: 'opsCollDebt',
  marketingMessage: 'marketing',
};
const ASKS_FOR_MONEY = new Set<Subject | null>([
  'paymentDueDateReminder',
  'autopayPaymentReminder',
  'futurepayPaymentDueReminder',
  'promiseToPayDueReminder',
  'lateFeeCharged',
  'loanOverdueFirstNotice',
  'loanAccelerated',
]);

const scenarios = fc.record({
  channel: fc.constantFrom<Channel>('voice', 'text', 'text', 'email', 'mail', 'chat'),
  subject: fc.constantFrom(...SUBJECTS),
  isTransactional: fc.boolean(),
  isLegallyRequired: fc.boolean(),
  isReply: fc.boolean(),
  isAutodialed: fc.boolean(),
  home: fc.constantFrom('OH', 'WI', 'DC', 'MA', 'WA', 'WA', 'WA', 'WV'),
  years: fc.constantFrom(null, 0.2, 7),
  servicedBy: fc.constantFrom('creditor', 'thirdPartyServicer'),
  bankruptcy: fc.constantFrom(null, 'open', 'discharged', 'dismissed'),
  eComms: fc.constantFrom('silent', 'given', 'refused'),
  marketing: fc.constantFrom('silent', 'spoken', 'written'),
  stoppedDaysAgo: fc.constantFrom(null, 1, 40, 900),
  talkedDaysAgo: fc.constantFrom(null, 0, 6, 7),
  /** Who spoke in the call: the person called, or a stranger on another number. */
  talkedTo: fc.constantFrom('first', 'calledThird', 'stranger'),
  contacts: fc.array(fc.record({ days: fc.constantFrom(0, 0, 0, 1, 6, 7), loan: fc.boolean() }), { maxLength: 6 }),
});

type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

const A = 'LN-AAAA-1111';
const B = 'LN-BBBB-2222';
const said = (isGiven: boolean, isInWriting = false): Situation['consents']['electronicComms'] => ({ isGiven, isSaid: true, isInWriting });

function planOf({ channel, subject, isTransactional, isLegallyRequired, isReply, isAutodialed }: Scenario): ContactPlan {
  const theme = subject === null ? 'opsCollDebt' : (THEME_OF[subject] ?? 'opsServicing');
  return plan({ at: NOW, channel, subject, theme, isTransactional, isLegallyRequired, isReply, isAutodialed, isPrerecorded: false });
}

function historyOf({ stoppedDaysAgo, talkedDaysAgo, talkedTo, contacts }: Scenario): readonly PastContact[] {
  const ago = (days: number): number => NOW - days * DAY_MS;
  const outcome = talkedTo === 'first' ? 'voiceSpokeWithFirstParty' : 'voiceSpokeWithThirdParty';
  return [
    ...contacts.map(({ days, loan: isFirst }) => call(ago(days), { channel: 'text', loanIds: [isFirst ? A : B] })),
    ...(stoppedDaysAgo === null ? [] : [call(ago(stoppedDaysAgo), { direction: 'inbound', theme: 'inbOptOut' })]),
    ...(talkedDaysAgo === null
      ? []
      : [
          call(ago(talkedDaysAgo), {
            agentOutcome: outcome,
            contactId: talkedTo === 'stranger' ? 'CT-BBBB-2222' : 'CT-AAAA-1111',
            isOfRepresentative: false,
          }),
        ]),
  ];
}

function situationOf(scenario: Scenario): Situation {
  const { channel, home, years, servicedBy, bankruptcy, eComms, marketing } = scenario;
  const overdueSince = years === null ? null : dayOf(2026, 6, 2 - Math.round(years * 366));
  const owed = { servicedBy, isOverdue: years !== null, overdueSince };
  const contact = channel === 'email' ? email() : channel === 'mail' ? letterbox({ state: null }) : phone('+18005550143');
  return situation({
    contact,
    person: { home: homeIn(home) },
    loans: [loan(owed), loan({ ...owed, id: B })],
    consents: {
      ...consents(),
      ...(eComms === 'silent' ? {} : { electronicComms: said(eComms === 'given') }),
      ...(marketing === 'silent' ? {} : { autodialedMarketing: said(true, marketing === 'written') }),
    },
    cases:
      bankruptcy === null
        ? []
        : [
            caseOf('bankruptcy', {
              isOpen: bankruptcy !== 'discharged',
              status: bankruptcy === 'discharged' ? 'completed' : 'processing',
              fields: bankruptcy === 'open' ? {} : { courtCaseDebtorDisposition: bankruptcy },
            }),
          ],
    history: historyOf(scenario),
  });
}

/** The rules of law that prohibit the contact. */
function refusals(scenario: Scenario): readonly string[] {
  const { channel, subject, home, years, servicedBy, bankruptcy, eComms, marketing, stoppedDaysAgo, talkedDaysAgo, talkedTo } = scenario;
  const isPlainCollection = subject === null || subject === 'loanOverdueFirstNotice' || subject === 'loanAccelerated';
  const isReminder = subject?.endsWith('Reminder') === true && subject !== 'promiseToPayDueReminder';
  const isCollection = isPlainCollection || (years !== null && isReminder);
  const isElectronic = channel === 'text' || channel === 'email';
  const texted = [...scenario.contacts.filter(({ days }) => days < 7)];
  const isTalkRecent = talkedDaysAgo !== null && talkedDaysAgo < 7 && talkedTo !== 'stranger';
  // A talk is a call as well, about the first loan and to the borrower or a stranger.
  const talks = talkedDaysAgo !== null && talkedDaysAgo < 7 ? 1 : 0;
  const rows: readonly (readonly [string, boolean])[] = [
    ['US-BANKRUPTCY', (bankruptcy === 'open' || bankruptcy === 'discharged') && (isPlainCollection || ASKS_FOR_MONEY.has(subject))],
    ['US-ECONSENT', isElectronic && (eComms === 'refused' || (eComms === 'silent' && subject === 'statementGenerated'))],
    ['US-TEXT-MARKETING', channel === 'text' && subject === 'marketingMessage' && marketing !== 'written'],
    ['US-AUTODIAL', channel === 'voice' && scenario.isAutodialed && subject === 'marketingMessage' && marketing !== 'written'],
    ['US-INCONVENIENT', channel === 'voice' && isCollection && stoppedDaysAgo !== null && !scenario.isReply],
    ['US-FREQ-AFTERCALL', channel === 'voice' && isCollection && isTalkRecent],
    ['WI-TIMEBARRED', home === 'WI' && isCollection && years === 7],
    [
      'MA-FREQ',
      home === 'MA' && isPlainCollection && channel === 'text' && texted.filter(({ loan: isFirst }) => isFirst).length + talks >= 2,
    ],
    [
      'WA-FREQ',
      home === 'WA' && isCollection && servicedBy !== 'creditor' && channel === 'text' && !scenario.isReply && texted.length + talks >= 3,
    ],
    [
      'WA-CELL-DAY',
      home === 'WA' &&
        isCollection &&
        servicedBy !== 'creditor' &&
        channel === 'text' &&
        !scenario.isReply &&
        texted.filter(({ days }) => days === 0).length + (talkedDaysAgo === 0 ? 1 : 0) >= 2,
    ],
    ['DC-FREQ', home === 'DC' && years !== null && isCollection && isElectronic && eComms !== 'given'],
  ];
  return rows.filter(([, refuses]) => refuses).map(([code]) => code);
}

test('whatever a law forbids is refused by its rule, however the caller describes the contact', async (t) => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const verdict = judge(planOf(scenario), situationOf(scenario));
      const blocking = verdict.rules.filter(({ blocks }) => blocks).map(({ code }) => code);
      for (const code of refusals(scenario)) {
        seen.add(code);
        if (verdict.result || !blocking.includes(code)) throw new Error(`${code} lets it pass; blocking: ${blocking.join(' ')}`);
      }
    }),
    { seed: SEED, numRuns: RUNS },
  );
  t.equal(seen.size, 11, 'each of them was tried');
});
