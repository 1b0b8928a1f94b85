import { test } from 'tap';
import { type ContactPlan, dayOf, judge, type Situation } from '../../../engine/index.js';
import { at, block, caseOf, consents, email, letterbox, loan, overdueLoan, phone, plan, situation } from './situations.js';

type Row = readonly [name: string, plan: ContactPlan, situation: Situation, blockReason: string | null, ruleCode?: string | null];

/** The order of decision and the preferences, one case per line. */
const ROWS: readonly Row[] = [
  ['nothing stands against a call to collect in the morning', plan(), situation(), null],
  [
    '1: what is meant for an agent is not screened',
    plan({ theme: 'agentNotification', at: at('2026-06-02 03:00') }),
    situation({ contact: null }),
    null,
  ],
  [
    '1: inbound is allowed',
    plan({ direction: 'inbound', at: at('2026-06-02 03:00') }),
    situation({ contact: null, blocks: [block()] }),
    null,
  ],
  ['2: no contact', plan(), situation({ contact: null }), 'noContact', null],
  ['2: an invalid contact', plan(), situation({ contact: phone(undefined, { valid: false }) }), 'noContact', null],
  [
    '2: a disconnected phone',
    plan(),
    situation({ contact: phone(undefined, { phoneDisconnectionDetails: { disconnectionStatus: 'disconnected' } }) }),
    'noContact',
    null,
  ],
  ['2: a third party without authority', plan(), situation({ contact: phone(undefined, { affiliation: 'spouse' }) }), 'noContact', null],
  [
    '2: a third party who is asked where the borrower is',
    plan({ theme: 'opsCollLocateBorrower' }),
    situation({ contact: phone(undefined, { affiliation: 'neighbor' }) }),
    null,
  ],
  [
    '2: by a text',
    plan({ theme: 'opsCollLocateBorrower', channel: 'text' }),
    situation({ contact: phone(undefined, { affiliation: 'neighbor' }) }),
    'noContact',
    null,
  ],
  [
    '2: by a channel that is not said',
    plan({ theme: 'opsCollLocateBorrower', channel: null }),
    situation({ contact: phone(undefined, { affiliation: 'neighbor' }) }),
    'noContact',
    null,
  ],
  [
    '2: at a number that is not valid',
    plan({ theme: 'opsCollLocateBorrower' }),
    situation({ contact: phone(undefined, { affiliation: 'neighbor', valid: false }) }),
    'noContact',
    null,
  ],
  [
    '2: of a borrower with an attorney (15 USC 1692b(6))',
    plan({ theme: 'opsCollLocateBorrower' }),
    situation({ contact: phone(undefined, { affiliation: 'neighbor' }), hasActiveRepresentative: true }),
    'complianceRule',
    'US-ATTORNEY',
  ],
  ['2: one with authority', plan(), situation({ contact: phone(undefined, { affiliation: 'spouse', authorizedThirdParty: true }) }), null],
  ['2: a chat needs no contact', plan({ channel: 'chat' }), situation({ contact: null }), null],
  ['2: nobody to reach where no channel is said', plan({ channel: null }), situation({ contact: null }), 'noContact', null],
  ['3: death, reported by monitoring', plan(), situation({ person: { hits: new Set(['deceased']) } }), 'personStatus', 'US-DECEASED'],
  ['3: death, by a case', plan({ theme: 'opsServicing' }), situation({ cases: [caseOf('deceased')] }), 'personStatus', 'US-DECEASED'],
  [
    '3: also for credentials',
    plan({ theme: 'opsAccountCredentials' }),
    situation({ cases: [caseOf('deceased')] }),
    'personStatus',
    'US-DECEASED',
  ],
  [
    '3: the executor is spoken to',
    plan({ theme: 'opsServicing', isTransactional: true }),
    situation({ cases: [caseOf('deceased')], contact: phone(undefined, { affiliation: 'executor', authorizedThirdParty: true }) }),
    null,
  ],
  [
    '3: a report that turned out wrong',
    plan(),
    situation({
      person: { hits: new Set(['deceased']) },
      cases: [caseOf('deceased', { isOpen: false, status: 'completed', outcome: 'denied' })],
    }),
    null,
  ],
  [
    '3: one that turned out right stays',
    plan(),
    situation({ cases: [caseOf('deceased', { isOpen: false, status: 'completed', outcome: 'approved' })] }),
    'personStatus',
    'US-DECEASED',
  ],
  ['3: an inactive borrower', plan(), situation({ person: { status: 'inactive' } }), 'personStatus', null],
  ['3 goes before 4', plan(), situation({ person: { status: 'inactive' }, blocks: [block()] }), 'personStatus', null],
  ['2 goes before 3', plan(), situation({ person: { status: 'inactive' }, contact: null }), 'noContact', null],
  ['4: a Do Not Interact', plan(), situation({ blocks: [block()] }), 'doNotInteract', null],
  ['4 goes before 5', plan(), situation({ blocks: [block()], loans: [loan({ status: 'canceled' })] }), 'doNotInteract', null],
  ['5: a canceled loan', plan(), situation({ loans: [loan({ status: 'canceled' })] }), 'complianceRule', null],
  ['5: a declined loan', plan(), situation({ loans: [loan({ status: 'declined' })] }), 'complianceRule', null],
  [
    '5: the notice of it passes',
    plan({ channel: 'email', subject: 'loanDeclined', theme: 'opsOrigination', isTransactional: true }),
    situation({ contact: email(), consents: consents('electronicComms'), loans: [loan({ status: 'declined' })] }),
    null,
  ],
  [
    '5: a frozen loan',
    plan({ channel: 'email', subject: 'paymentFailed', theme: 'opsServicing', isTransactional: true }),
    situation({ contact: email(), loans: [loan({ status: 'frozen' })] }),
    'complianceRule',
    null,
  ],
  [
    '5: its statements pass',
    plan({ channel: 'email', subject: 'statementGenerated', theme: 'opsServicingStatement', isTransactional: true }),
    situation({ contact: email(), consents: consents('electronicComms'), loans: [loan({ status: 'frozen' })] }),
    null,
  ],
  [
    '5: what is said about cases passes',
    plan({ channel: 'email', subject: 'militaryDutyAcknowledgement', theme: 'opsServicing' }),
    situation({ contact: email(), loans: [loan({ status: 'frozen' })] }),
    null,
  ],
  [
    '5: privacy passes',
    plan({ channel: 'email', subject: 'annualPrivacyPolicyNotice', theme: 'opsServicingPrivacy' }),
    situation({ contact: email(), consents: consents('electronicComms'), loans: [loan({ status: 'frozen' })] }),
    null,
  ],
  [
    '5: charged off, with an agency',
    plan(),
    situation({ loans: [overdueLoan({ status: 'chargedOff', servicedBy: 'debtCollectionAgency' })] }),
    'complianceRule',
    null,
  ],
  ['5: charged off, with the creditor', plan(), situation({ loans: [overdueLoan({ status: 'chargedOff' })] }), null],
  [
    '5: an agency has the loan: nothing automatic',
    plan({ origin: 'automatic', theme: 'opsServicing', isTransactional: true }),
    situation({ loans: [loan({ servicedBy: 'debtCollectionAgency' })] }),
    'complianceRule',
    null,
  ],
  ['5: a paid-off loan is not collected', plan(), situation({ loans: [loan({ status: 'paidOff' })] }), 'complianceRule', null],
  [
    '2: one whose authority the borrower has taken back',
    plan(),
    situation({
      contact: phone(undefined, { affiliation: 'spouse', authorizedThirdParty: true }),
      consents: { ...consents(), thirdPartyDisclosure: { isGiven: false, isSaid: true, isInWriting: false } },
    }),
    'noConsent',
    null,
  ],
  [
    '2: a legal representative of the borrower is informed in any case',
    plan(),
    situation({
      contact: phone(undefined, { affiliation: 'guardian', authorizedThirdParty: true }),
      consents: { ...consents(), thirdPartyDisclosure: { isGiven: false, isSaid: true, isInWriting: false } },
    }),
    null,
  ],
  ['5: charged off, and paid since', plan(), situation({ loans: [loan({ status: 'chargedOff', isOwed: false })] }), 'complianceRule', null],
  ['5: an authorized user owes nothing', plan(), situation({ loans: [overdueLoan({ isLiable: false })] }), 'complianceRule', null],
  [
    '5: nor is reminded of what others owe',
    plan({ channel: 'email', subject: 'paymentDueDateReminder', theme: 'opsServicing' }),
    situation({ contact: email(), loans: [overdueLoan({ isLiable: false })] }),
    'complianceRule',
    null,
  ],
  [
    '5: collection that names no loan, of who has none left to collect',
    plan({ loanIds: [] }),
    situation({ loans: [loan({ status: 'paidOff' }), loan({ id: 'LN-BBBB-2222', status: 'canceled' })] }),
    'complianceRule',
    null,
  ],
  [
    '5: collection that names no loan, of who has one',
    plan({ loanIds: [] }),
    situation({ loans: [loan({ status: 'paidOff' }), overdueLoan({ id: 'LN-BBBB-2222' })] }),
    null,
  ],
  [
    'preferences: muted notices',
    plan({ channel: 'email', subject: 'paymentFailed', theme: 'opsServicing', isTransactional: true }),
    situation({ contact: email(), loans: [loan({ areNoticesMuted: true })] }),
    'muted',
    null,
  ],
  [
    'preferences: muted notices stop no plain words',
    plan({ channel: 'email', subject: 'freeForm', theme: 'opsServicing' }),
    situation({ contact: email(), loans: [loan({ areNoticesMuted: true })] }),
    null,
  ],
  [
    'preferences: muted notices stop no credentials',
    plan({ channel: 'email', subject: 'confirmationCode', theme: 'opsAccountCredentials', isTransactional: true }),
    situation({ contact: email(), loans: [loan({ areNoticesMuted: true })] }),
    null,
  ],
  [
    'preferences: no reminders while current',
    plan({ origin: 'reminder', channel: 'email', subject: 'paymentDueDateReminder', theme: 'opsServicing' }),
    situation({ contact: email(), loans: [loan()], person: { sendRemindersWhenCurrent: false } }),
    'muted',
    null,
  ],
  [
    'preferences: reminders while overdue',
    plan({ origin: 'reminder', channel: 'email', subject: 'paymentDueDateReminder', theme: 'opsServicing' }),
    situation({ contact: email(), person: { sendRemindersWhenCurrent: false } }),
    null,
  ],
  ['6: collection without a home', plan(), situation({ person: { home: null } }), 'noAddress', null],
  [
    '6: anything else without a home',
    plan({ theme: 'opsServicing', isTransactional: true, at: at('2026-06-02 16:00') }),
    situation({ person: { home: null }, loans: [loan()] }),
    null,
  ],
  [
    '6: without a home the whole country has to be awake',
    plan({ theme: 'opsServicing', at: at('2026-06-02 13:59') }),
    situation({ person: { home: null }, contact: phone('+18005550143'), loans: [loan()] }),
    'complianceRule',
    'US-TIME-TCPA',
  ],
  [
    '6: from 8:00 in Hawaii it is',
    plan({ theme: 'opsServicing', at: at('2026-06-02 14:00') }),
    situation({ person: { home: null }, contact: phone('+18005550143'), loans: [loan()] }),
    null,
  ],
  [
    'status goes before consent',
    plan({ isAutodialed: true }),
    situation({ cases: [caseOf('bankruptcy')] }),
    'complianceRule',
    'US-BANKRUPTCY',
  ],
  ['consent goes before time', plan({ isAutodialed: true, at: at('2026-06-02 23:00') }), situation(), 'noConsent', 'US-AUTODIAL'],
  [
    'a channel that is not said has to be allowed whatever it is',
    plan({ channel: null }),
    situation({ contact: phone(undefined, { receiveTextMessages: false }) }),
    'noConsent',
    'US-TEXT-CONSENT',
  ],
  [
    'an agent writes freely about an overdue loan: it is collection',
    plan({ channel: 'email', subject: 'freeForm', theme: 'opsServicing', at: at('2026-06-02 22:00') }),
    situation({ contact: email() }),
    'complianceRule',
    'US-TIME-COLL',
  ],
  [
    'the same about a current one is not',
    plan({ channel: 'email', subject: 'freeForm', theme: 'opsServicing', at: at('2026-06-02 22:00') }),
    situation({ contact: email(), loans: [loan()] }),
    null,
  ],
  [
    'a confirmation of a payment at night',
    plan({ channel: 'text', subject: 'paymentConfirmation', theme: 'opsServicing', isTransactional: true, at: at('2026-06-02 22:30') }),
    situation(),
    null,
  ],
  ['a letter needs an address', plan({ channel: 'mail' }), situation(), 'noContact', null],
  ['a letter at night', plan({ channel: 'mail', at: at('2026-06-02 23:00') }), situation({ contact: letterbox() }), null],
];

for (const [name, asked, found, blockReason, ruleCode] of ROWS) {
  test(`guard: ${name}`, async (t) => {
    const verdict = judge(asked, found);
    t.equal(verdict.blockReason, blockReason, verdict.description ?? '');
    t.equal(verdict.result, blockReason === null);
    if (ruleCode !== undefined) t.equal(verdict.ruleCode, ruleCode);
    t.equal(verdict.ruleId === null, verdict.ruleCode === null);
    t.strictSame(judge(asked, found), verdict, 'asked twice it says the same');
  });
}

test('an objection that does not depend on time has no sendAt', async (t) => {
  t.equal(judge(plan(), situation({ contact: null })).sendAt, null);
  t.equal(
    judge(plan({ at: at('2026-06-02 23:00') }), situation({ cases: [caseOf('bankruptcy')] })).sendAt,
    null,
    'not even where a time is wrong as well',
  );
  t.equal(judge(plan({ at: at('2026-06-02 23:00') }), situation()).sendAt, at('2026-06-03 08:00'));
});

test('Do Not Interact: channel, theme, label and time all have to match', async (t) => {
  const blocked = (against: Parameters<typeof block>[0], asked = plan(), found: Partial<Situation> = {}): boolean =>
    judge(asked, situation({ ...found, blocks: [block(against)] })).blockReason === 'doNotInteract';
  t.ok(blocked({ channels: ['voice'] }));
  t.notOk(blocked({ channels: ['email', 'text'] }));
  t.ok(blocked({ themes: ['opsCollDebt'] }));
  t.notOk(blocked({ themes: ['opsServicing'] }));
  t.ok(
    blocked({ themes: ['opsServicing'] }, plan({ theme: 'opsServicingStatement', isTransactional: true })),
    'servicing covers statements',
  );
  t.ok(blocked({ themes: ['opsServicing'] }, plan({ theme: 'opsOrigination', isTransactional: true })));
  t.notOk(blocked({ themes: ['all'] }, plan({ theme: 'opsAccountCredentials', isTransactional: true })), 'all never covers credentials');
  t.ok(
    blocked({ themes: ['opsCollDebt'] }, plan({ theme: 'opsServicing' })),
    'what is not transactional about an overdue loan is collection',
  );
  t.ok(blocked({ contactLabels: ['personal'] }));
  t.notOk(blocked({ contactLabels: ['work'] }));
  t.ok(blocked({ timesOfDay: [{ fromHour: 9, toHour: 11 }] }));
  t.notOk(blocked({ timesOfDay: [{ fromHour: 11, toHour: 12 }] }));
  t.ok(blocked({ daysOfWeek: [1] }), 'Tuesday is 1');
  t.notOk(blocked({ daysOfWeek: [0] }));
  t.notOk(blocked({ startDate: dayOf(2026, 6, 3) }), 'it begins tomorrow');
  t.notOk(blocked({ endsAt: at('2026-06-02 00:00') }), 'it has ended');
  const required = plan({ channel: 'mail', isLegallyRequired: true, theme: 'opsServicingPrivacy' });
  t.notOk(blocked({}, required, { contact: letterbox() }), 'mail that the law asks for passes');
  t.ok(blocked({}, { ...required, isLegallyRequired: false }, { contact: letterbox() }));
});

test('Do Not Interact: a match in time gives the moment after it', async (t) => {
  const sendAt = (against: Parameters<typeof block>[0], asked = plan()): number | null =>
    judge(asked, situation({ blocks: [block(against)] })).sendAt;
  t.equal(sendAt({ timesOfDay: [{ fromHour: 9, toHour: 12 }] }), at('2026-06-02 12:00'));
  t.equal(sendAt({ daysOfWeek: [1] }), at('2026-06-03 08:00'), 'the next day, when the hours allow it');
  t.equal(sendAt({ endsAt: at('2026-06-10 00:00') }), at('2026-06-10 08:00'));
  t.equal(
    sendAt({ timesOfDay: [{ fromHour: 20, toHour: 9 }] }, plan({ at: at('2026-06-02 20:30') })),
    at('2026-06-03 09:00'),
    'hours may wrap midnight',
  );
  t.equal(sendAt({}), null, 'without an end there is none');
  t.equal(sendAt({ endsAt: at('2026-09-01 00:00') }), null, 'nor beyond thirty days');
});

test('at noon of the company only the hours are judged', async (t) => {
  const early = plan({ at: at('2026-06-02 05:00'), checkAtCompanyNoon: true });
  t.equal(judge(early, situation()).result, true);
  t.equal(judge({ ...early, checkAtCompanyNoon: false }, situation()).result, false);
  t.equal(
    judge(early, situation({ blocks: [block({ timesOfDay: [{ fromHour: 4, toHour: 6 }] })] })).blockReason,
    'doNotInteract',
    'a block counts as it stands',
  );
});
