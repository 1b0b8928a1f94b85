import { test } from 'tap';
import { addDays, dayOf, judge, SEED_RULES, type Situation } from '../../../engine/index.js';
import { EXCEPTIONS } from './exceptions.js';
import { EXCEPTIONS_OF_STATES } from './exceptions-of-states.js';
import {
  at,
  call,
  callsOn,
  caseOf,
  consents,
  email,
  homeIn,
  in_,
  letterbox,
  loan,
  on,
  overdueLoan,
  phone,
  plan,
  type Row,
  situation,
} from './situations.js';

/**
 * What each rule of the seed set says to the situations of its law; null: the contact is allowed. Plans are calls to collect on Tuesday, 2
 * June 2026, unless said.
 */
const JUNE = ['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04', '2026-06-05', '2026-06-06', '2026-06-07'];
const texts = { channel: 'text' } as const;
const mails = { channel: 'email' } as const;
const B = 'LN-BBBB-2222';
const bothLoans = [overdueLoan(), overdueLoan({ id: B })];
const bankrupt = (fields: object, changes: object = {}): Situation =>
  situation({ cases: [caseOf('bankruptcy', { fields: { ...fields }, ...changes })] });
const agency = overdueLoan({ servicedBy: 'thirdPartyServicer' });

/** What the national list said of a number, so many days before the contacts of these rows. */
const listed = (isListed: boolean, daysAgo: number): Partial<NonNullable<Situation['contact']>> => ({
  doNotCall: { isOnInternal: false, national: { isListed, checkedOn: addDays(dayOf(2026, 6, 2), -daysAgo) } },
});

const ON_INTERNAL = { doNotCall: { isOnInternal: true, national: null } };

const sale = plan({ theme: 'marketing', loanIds: [] });

const called = (contact: Partial<NonNullable<Situation['contact']>>, changes: object = {}): Situation =>
  situation({ loans: [], contact: phone(undefined, contact), ...changes });

// biome-ignore format: a table, one row a rule
const ROWS: readonly Row[] = [
  ['US-TIME-COLL', '20:30 Central at home in Chicago', plan(on('2026-06-02 20:30', 'America/Chicago')), in_('IL', '60601'), false],
  ['US-TIME-COLL', 'a New York number and a home in California, 9:00 Eastern', plan(on('2026-06-02 09:00')), situation({ contact: phone('+12125550143'), person: { home: homeIn('CA', '90001') } }), true],
  ['US-TIME-COLL', '8:00 sharp', plan(on('2026-06-02 08:00')), situation(), false],
  ['US-TIME-COLL', '7:59', plan(on('2026-06-02 07:59')), situation(), true],
  ['US-TIME-COLL', '20:59', plan(on('2026-06-02 20:59')), situation(), false],
  ['US-TIME-COLL', '21:00 sharp, by the stricter reading', plan(on('2026-06-02 21:00')), situation(), true],
  ['US-TIME-COLL', 'an e-mail at night', plan({ ...mails, ...on('2026-06-02 23:00') }), situation({ contact: email() }), true],
  ['US-TIME-COLL', 'Arizona in July, 8:30 Pacific', plan(on('2026-07-07 08:30', 'America/Los_Angeles')), in_('AZ', '85001'), false],
  ['US-TIME-COLL', 'a home in Chattanooga, a phone of Nashville, 20:30 Central', plan(on('2026-06-02 20:30', 'America/Chicago')), situation({ contact: phone('+16155550143'), person: { home: homeIn('TN', '37402') } }), true],
  ['US-TIME-COLL', 'Pensacola at 8:15 Eastern', plan(on('2026-06-02 08:15')), in_('FL', '32501'), true],
  ['US-TIME-COLL', 'a toll-free number and Hawaii, 13:30 Eastern in January', plan(on('2026-01-06 13:30')), in_('HI', '96813'), false],
  ['US-TIME-COLL', 'the autumn night in which 1:30 comes twice', plan({ at: Date.UTC(2026, 10, 1, 6, 30) }), situation(), true],
  ['US-TIME-COLL', 'a text in Florida at 21:05', plan({ ...texts, ...on('2026-06-02 21:05') }), in_('FL', '33101'), true],
  ['US-TIME-COLL', 'a second home in California, 9:00 Eastern', plan(on('2026-06-02 09:00')), situation({ person: { otherAreas: [homeIn('CA', '90001')] } }), true],
  ['US-TIME-COLL', 'the same at 11:00', plan(on('2026-06-02 11:00')), situation({ person: { otherAreas: [homeIn('CA', '90001')] } }), false],
  ['US-TIME-COLL', 'a home abroad and a New York number, 13:59 Eastern', plan(on('2026-07-07 13:59')), situation({ contact: phone('+12125550143'), person: { home: { state: null, city: 'Lisbon', postalCode: '1100', zones: [] } } }), true],
  ['US-TIME-COLL', 'a post of the armed forces, 13:59 Eastern', plan(on('2026-07-07 13:59')), situation({ contact: phone('+12125550143'), person: { home: homeIn('AE', '09012') } }), true],
  ['US-TIME-COLL', 'a ZIP code of California and the letters of New York, 9:00 Eastern', plan(on('2026-06-02 09:00')), situation({ person: { home: homeIn('NY', '90001') } }), true],
  ['US-TIME-COLL', 'a number of northwestern Indiana, part of which keeps Eastern time, at 20:30 Central', plan(on('2026-06-02 20:30', 'America/Chicago')), in_('IL', '60601', { contact: phone('+12195550143') }), true],
  ['US-TIME-TCPA', 'marketing is never transactional, whatever the caller says', plan({ ...texts, theme: 'marketing', isTransactional: true, ...on('2026-06-02 07:55') }), situation({ loans: [loan()] }), true],
  ['US-TIME-TCPA', 'a reminder is not transactional because somebody says so', plan({ ...texts, subject: 'paymentDueDateReminder', theme: 'opsServicing', isTransactional: true, ...on('2026-06-02 07:55') }), situation({ loans: [loan()] }), true],
  ['US-TIME-TCPA', 'marketing by text at 7:55', plan({ ...texts, theme: 'marketing', ...on('2026-06-02 07:55') }), situation({ loans: [loan()] }), true],
  ['US-TIME-TCPA', 'an alert that answers an event at 7:55', plan({ ...texts, theme: 'opsServicing', isTransactional: true, ...on('2026-06-02 07:55') }), situation({ loans: [loan()] }), false],
  ['US-INCONVENIENT', 'a call to work', plan(), situation({ contact: phone(undefined, { label: 'work' }) }), true],
  ['US-INCONVENIENT', 'a call to work that was agreed to', plan(), situation({ contact: phone(undefined, { label: 'work' }), consents: consents('contactPersonWork') }), false],
  ['US-INCONVENIENT', 'a call to the employer who is authorized', plan(), situation({ contact: phone(undefined, { affiliation: 'employer', authorizedThirdParty: true }) }), true],
  ['US-INCONVENIENT', 'a call to the unit of a servicemember', plan(), situation({ contact: phone(undefined, { label: 'military' }) }), true],
  ['US-INCONVENIENT', 'a letter to it', plan({ channel: 'mail' }), situation({ contact: letterbox({ label: 'military' }) }), false],
  ['US-INCONVENIENT', '"stop texting me": a text', plan(texts), situation({ cases: [caseOf('ceaseCommunication', { fields: { scope: 'channels', requestChannel: 'text' } })] }), true],
  ['US-INCONVENIENT', '"stop texting me": a call', plan(), situation({ cases: [caseOf('ceaseCommunication', { fields: { scope: 'channels', requestChannel: 'text' } })] }), false],
  ['US-FREQ-7IN7', 'seven calls from 1 to 7 June, the next on the 7th', plan(on('2026-06-07 15:00')), situation({ history: callsOn(JUNE) }), true],
  ['US-FREQ-7IN7', 'the same, the next on the 8th', plan(on('2026-06-08 15:00')), situation({ history: callsOn(JUNE) }), false],
  ['US-FREQ-7IN7', 'six made and three failed', plan(on('2026-06-07 15:00')), situation({ history: [...callsOn(JUNE.slice(1)), ...callsOn(JUNE.slice(0, 3), { status: 'failed' })] }), false],
  ['US-FREQ-7IN7', 'canceled and planned ones count as little', plan(on('2026-06-07 15:00')), situation({ history: [...callsOn(JUNE.slice(1)), ...callsOn(JUNE, { status: 'canceled' }), ...callsOn(JUNE, { status: 'scheduled' })] }), false],
  ['US-FREQ-7IN7', 'seven about one loan, a call about the other', plan({ loanIds: [B], ...on('2026-06-07 15:00') }), situation({ loans: bothLoans, history: callsOn(JUNE) }), false],
  ['US-FREQ-7IN7', 'a call that does not say about which', plan({ loanIds: [], ...on('2026-06-07 15:00') }), situation({ loans: bothLoans, history: callsOn(JUNE) }), true],
  ['US-FREQ-7IN7', 'past calls that do not say count for each', plan({ loanIds: [B], ...on('2026-06-07 15:00') }), situation({ loans: bothLoans, history: callsOn(JUNE, { loanIds: [] }) }), true],
  ['US-FREQ-7IN7', 'inbound calls are free', plan(on('2026-06-07 15:00')), situation({ history: callsOn(JUNE, { direction: 'inbound' }) }), false],
  ['US-FREQ-7IN7', 'e-mails are free', plan(on('2026-06-07 15:00')), situation({ history: callsOn(JUNE, mails) }), false],
  ['US-FREQ-AFTERCALL', 'spoken to on 2 June, inbound; a call on the 8th', plan(on('2026-06-08 10:00')), situation({ history: callsOn(['2026-06-02'], { direction: 'inbound', agentOutcome: 'voiceSpokeWithFirstParty' }) }), true],
  ['US-FREQ-AFTERCALL', 'a call on the 9th', plan(on('2026-06-09 10:00')), situation({ history: callsOn(['2026-06-02'], { direction: 'inbound', agentOutcome: 'voiceSpokeWithFirstParty' }) }), false],
  ['US-FREQ-AFTERCALL', 'a voicemail is no conversation', plan(on('2026-06-03 10:00')), situation({ history: callsOn(['2026-06-02'], { agentOutcome: 'voiceLeftVoicemail' }) }), false],
  ['US-FREQ-7IN7', 'calls that rang out count, whatever status their records have', plan(on('2026-06-07 15:00')), situation({ history: callsOn(JUNE, { status: 'failed', agentOutcome: 'voiceRangNoPickup' }) }), true],
  ['US-FREQ-7IN7', 'a number that is disconnected was not reached', plan(on('2026-06-07 15:00')), situation({ history: callsOn(JUNE, { status: 'failed', agentOutcome: 'voiceNumberDisconnected' }) }), false],
  ['US-FREQ-AFTERCALL', 'a conversation whose call is recorded as failed', plan(on('2026-06-08 10:00')), situation({ history: callsOn(['2026-06-02'], { status: 'failed', agentOutcome: 'voiceSpokeWithFirstParty' }) }), true],
  ['US-FREQ-AFTERCALL', 'about the other loan', plan({ loanIds: [B], ...on('2026-06-03 10:00') }), situation({ loans: bothLoans, history: callsOn(['2026-06-02'], { agentOutcome: 'voiceSpokeWithFirstParty' }) }), false],
  ['US-AUTODIAL', 'a recording without consent', plan({ isAutodialed: true }), situation(), true],
  ['US-AUTODIAL', 'an agent dials', plan(), situation(), false],
  ['US-AUTODIAL', 'consent to both', plan({ isAutodialed: true }), situation({ consents: consents('autodialedColl', 'prerecordedColl') }), false],
  ['US-AUTODIAL', 'consent to dialing, and nobody says that no recording is played', plan({ isAutodialed: true }), situation({ consents: consents('autodialedColl') }), true],
  ['US-AUTODIAL', 'consent to dialing, and a person speaks', plan({ isAutodialed: true, isPrerecorded: false }), situation({ consents: consents('autodialedColl') }), false],
  ['US-AUTODIAL', 'a number that was given to somebody else since the consent', plan({ isAutodialed: true }), situation({ contact: phone(undefined, { mayBeReassigned: true }), consents: consents('autodialedColl', 'prerecordedColl') }), true],
  ['US-AUTODIAL', 'marketing needs a consent of its own', plan({ isAutodialed: true, isPrerecorded: false, theme: 'marketing' }), situation({ loans: [loan()], consents: consents('autodialedColl') }), true],
  ['US-TEXT-CONSENT', 'the number receives no texts', plan(texts), situation({ contact: phone(undefined, { receiveTextMessages: false }) }), true],
  ['US-TEXT-CONSENT', 'a number that was given to somebody else', plan(texts), situation({ contact: phone(undefined, { mayBeReassigned: true }) }), true],
  ['US-TEXT-CONSENT', 'one confirmation of a stop', plan({ ...texts, subject: 'electronicConsentOptOut', theme: 'opsServicingPrivacy', isTransactional: true }), situation({ contact: phone(undefined, { receiveTextMessages: false }) }), false],
  ['US-TEXT-CONSENT', 'no second one', plan({ ...texts, subject: 'electronicConsentOptOut', theme: 'opsServicingPrivacy', isTransactional: true }), situation({ contact: phone(undefined, { receiveTextMessages: false }), history: [call(at('2026-06-02 10:00'), { ...texts, subject: 'electronicConsentOptOut' })] }), true],
  ['US-EMAIL-OPTOUT', 'marketing without consent', plan({ ...mails, theme: 'marketing' }), situation({ contact: email(), loans: [loan()] }), true],
  ['US-DNC', 'a call that sells, and the number was never looked up', sale, called({}), true],
  ['US-DNC', 'looked up 31 days ago', sale, called(listed(false, 31)), false],
  ['US-DNC', 'looked up 32 days ago', sale, called(listed(false, 32)), true],
  ['US-DNC', 'on the national list', sale, called(listed(true, 1)), true],
  ['US-DNC', 'on it, and agreed in writing', sale, called(listed(true, 1), { consents: consents('autodialedMarketing') }), false],
  ['US-DNC', 'on it, and a loan is owed', sale, called(listed(true, 1), { loans: [loan()] }), false],
  ['US-DNC', 'a loan is owed, and the company was asked for no calls', sale, called(ON_INTERNAL, { loans: [loan()] }), true],
  ['US-DNC', 'the same number, to collect', plan(), called(ON_INTERNAL, { loans: [overdueLoan()] }), false],
  ['US-EMAIL-OPTOUT', 'who opted out', plan({ ...mails, theme: 'opsServicing' }), situation({ contact: email(), loans: [loan()], consents: { ...consents(), emailMarketing: { isGiven: false, isSaid: true, isInWriting: false } } }), true],
  ['US-EMAIL-OPTOUT', 'a confirmation to the same', plan({ ...mails, theme: 'opsServicing', isTransactional: true }), situation({ contact: email(), consents: { ...consents(), emailMarketing: { isGiven: false, isSaid: true, isInWriting: false } } }), false],
  ['US-EMAIL-OPTOUT', 'collection to who opted out, though it tells of an event', plan({ ...mails, subject: 'loanAccelerated', isTransactional: true }), situation({ contact: email(), consents: { ...consents(), emailMarketing: { isGiven: false, isSaid: true, isInWriting: false } } }), true],
  ['US-EMAIL-OPTOUT', 'marketing to who opted out, called transactional', plan({ ...mails, theme: 'marketing', isTransactional: true }), situation({ contact: email(), loans: [loan()], consents: { ...consents(), emailMarketing: { isGiven: false, isSaid: true, isInWriting: false } } }), true],
  ['US-EMAIL-OPTOUT', 'who said nothing is reminded', plan({ ...mails, theme: 'opsServicing' }), situation({ contact: email(), loans: [loan()] }), false],
  ['US-ECONSENT', 'a statement after the consent was withdrawn', plan({ ...mails, subject: 'statementGenerated', theme: 'opsServicingStatement', isTransactional: true }), situation({ contact: email(), consents: { ...consents(), electronicComms: { isGiven: false, isSaid: true, isInWriting: false } } }), true],
  ['US-ECONSENT', 'a code that was asked for', plan({ ...mails, theme: 'opsAccountCredentials', isTransactional: true }), situation({ contact: email(), consents: { ...consents(), electronicComms: { isGiven: false, isSaid: true, isInWriting: false } } }), false],
  ['US-CEASE', 'a reminder the day after', plan(mails), situation({ contact: email(), cases: [caseOf('ceaseCommunication')] }), true],
  ['US-CEASE', 'the answer to it, once', plan({ subject: 'ceaseCommunicationAcknowledgement' }), situation({ cases: [caseOf('ceaseCommunication')] }), false],
  ['US-CEASE', 'not twice', plan({ subject: 'ceaseCommunicationAcknowledgement' }), situation({ cases: [caseOf('ceaseCommunication')], history: [call(at('2026-05-06'), { subject: 'ceaseCommunicationAcknowledgement' })] }), true],
  ['US-CEASE', 'a request that was granted holds on', plan(), situation({ cases: [caseOf('ceaseCommunication', { isOpen: false, status: 'completed', outcome: 'approved' })] }), true],
  ['US-CEASE', 'one that was withdrawn does not', plan(), situation({ cases: [caseOf('ceaseCommunication', { isOpen: false, status: 'completed', outcome: 'withdrawn' })] }), false],
  ['US-CEASE', 'a confirmation of a payment', plan({ theme: 'opsServicing', isTransactional: true }), situation({ cases: [caseOf('ceaseCommunication')] }), false],
  ['US-ATTORNEY', 'represented', plan(), situation({ hasActiveRepresentative: true }), true],
  ['US-ATTORNEY', 'the attorney allowed it', plan(), situation({ hasActiveRepresentative: true, consents: consents('contactPersonRepByAttorney') }), false],
  ['US-ATTORNEY', 'a call to the attorney', plan(), situation({ hasActiveRepresentative: true, contact: phone(undefined, { affiliation: 'attorney', authorizedThirdParty: true }) }), false],
  ['US-BANKRUPTCY', 'chapter 7, a reminder about an overdue loan', plan({ ...texts, subject: 'paymentDueDateReminder', theme: 'opsServicing' }), bankrupt({ courtCaseChapter: 'chapter7' }), true],
  ['US-BANKRUPTCY', 'chapter 13 of the borrower, a call to the co-borrower', plan(), bankrupt({ courtCaseChapter: 'chapter13' }, { isOfAnother: true }), true],
  ['US-BANKRUPTCY', 'chapter 7 of the borrower, a call to the co-borrower', plan(), bankrupt({ courtCaseChapter: 'chapter7' }, { isOfAnother: true }), false],
  ['US-BANKRUPTCY', 'a reminder that is called transactional', plan({ ...texts, subject: 'paymentDueDateReminder', theme: 'opsServicing', isTransactional: true }), bankrupt({}), true],
  ['US-BANKRUPTCY', 'free words about an overdue loan under the theme of privacy', plan({ ...mails, subject: 'freeForm', theme: 'opsServicingPrivacy' }), situation({ contact: email(), cases: [caseOf('bankruptcy')] }), true],
  ['US-BANKRUPTCY', 'the yearly privacy notice', plan({ ...mails, subject: 'annualPrivacyPolicyNotice', theme: 'opsServicingPrivacy' }), situation({ contact: email(), consents: consents('electronicComms'), cases: [caseOf('bankruptcy')] }), false],
  ['US-BANKRUPTCY', 'dismissed, then reinstated', plan(), bankrupt({ courtCaseDebtorDisposition: 'dismissed', courtCaseLastStatus: 'reinstated' }), true],
  ['US-BANKRUPTCY', 'chapter 7 filed jointly, a call to the co-borrower', plan(), bankrupt({ courtCaseChapter: 'chapter7', isJointFiling: true }, { isOfAnother: true }), true],
  ['US-BANKRUPTCY', 'discharged jointly, a call to the co-borrower', plan(), bankrupt({ courtCaseChapter: 'chapter7', isJointFiling: true, courtCaseDebtorDisposition: 'discharged' }, { isOfAnother: true, isOpen: false, status: 'completed' }), true],
  ['US-BANKRUPTCY', 'a letter that was asked for', plan({ theme: 'opsServicing', isTransactional: true }), bankrupt({}), false],
  ['US-BANKRUPTCY', 'dismissed', plan(), bankrupt({ courtCaseDebtorDisposition: 'dismissed' }), false],
  ['US-BANKRUPTCY', 'discharged, and the case is done', plan(), bankrupt({ courtCaseDebtorDisposition: 'discharged' }, { isOpen: false, status: 'completed', outcome: 'approved' }), true],
  ['US-BANKRUPTCY', 'reaffirmed sixty days ago', plan(), bankrupt({ courtCaseDebtorDisposition: 'discharged', reaffirmationDate: '2026-04-03' }), false],
  ['US-BANKRUPTCY', 'reaffirmed fifty-nine days ago', plan(), bankrupt({ courtCaseDebtorDisposition: 'discharged', reaffirmationDate: '2026-04-04' }), true],
  ['US-BANKRUPTCY', 'about a loan that is not in it', plan({ loanIds: [B] }), situation({ loans: bothLoans, cases: [caseOf('bankruptcy', { loanIds: ['LN-AAAA-1111'] })] }), false],
  ['US-BANKRUPTCY', 'a hit of monitoring alone', plan(), situation({ person: { hits: new Set(['bankruptcy']) } }), true],
  ['US-BANKRUPTCY', 'a hit whose case was canceled', plan(), situation({ person: { hits: new Set(['bankruptcy']) }, cases: [caseOf('bankruptcy', { isOpen: false, status: 'canceled' })] }), false],
  ['US-IDTHEFT', 'reported', plan(), situation({ cases: [caseOf('identityTheft')] }), true],
  ['US-IDTHEFT', 'about the other loan', plan({ loanIds: [B] }), situation({ loans: bothLoans, cases: [caseOf('identityTheft', { loanIds: ['LN-AAAA-1111'] })] }), false],
  ['US-IDTHEFT', 'it was no theft', plan(), situation({ cases: [caseOf('identityTheft', { fields: { fraudConfirmed: false } })] }), false],
  ['US-IDTHEFT', 'confirmed and done', plan(), situation({ cases: [caseOf('identityTheft', { isOpen: false, status: 'completed', outcome: 'approved' })] }), true],
  ['US-DISPUTE', 'disputed', plan(), situation({ cases: [caseOf('disputeOfDebt')] }), true],
  ['US-DISPUTE', 'answered', plan(), situation({ cases: [caseOf('disputeOfDebt', { fields: { responseSentDate: '2026-05-20' } })] }), false],
  ['US-DISPUTE', 'validation asked for in its period', plan(), situation({ cases: [caseOf('debtValidation', { fields: { requestDate: '2026-05-12', validationPeriodEndDate: '2026-05-31' } })] }), true],
  ['US-DISPUTE', 'asked for after it', plan(), situation({ cases: [caseOf('debtValidation', { fields: { requestDate: '2026-06-01', validationPeriodEndDate: '2026-05-31' } })] }), false],
  ['US-SCRA', 'acceleration on active duty', plan({ subject: 'loanAccelerated', isTransactional: true }), situation({ cases: [caseOf('militaryDuty', { fields: { dutyStartDate: '2026-01-01' } })] }), true],
  ['US-SCRA', 'a reminder', plan(), situation({ cases: [caseOf('militaryDuty', { fields: { dutyStartDate: '2026-01-01' } })] }), false],
  ['US-SCRA', 'a loan of the time of service', plan({ subject: 'loanAccelerated', isTransactional: true }), situation({ loans: [overdueLoan({ originatedOn: dayOf(2026, 2, 1) })], cases: [caseOf('militaryDuty', { fields: { dutyStartDate: '2026-01-01' } })] }), false],
  ['US-DISASTER', 'in a disaster area', plan(), situation({ cases: [caseOf('federalEmergency')] }), true],
  ['US-DISASTER', 'what answers something', plan({ theme: 'opsServicing', isTransactional: true }), situation({ cases: [caseOf('federalEmergency')] }), false],
  ['US-DISASTER', 'help is over', plan(), situation({ cases: [caseOf('federalEmergency', { fields: { assistanceEndDate: '2026-06-01' } })] }), false],
  ['US-DISASTER', 'the policy is off', plan(), situation({ isDisasterPolicyOn: false, cases: [caseOf('federalEmergency')] }), false],
  ['US-TIMEBARRED', 'eight years in a state of six', plan(), situation({ loans: [overdueLoan({ overdueSince: dayOf(2018, 6, 1) })] }), true],
  ['US-TIMEBARRED', 'the notice went out', plan(), situation({ loans: [overdueLoan({ overdueSince: dayOf(2018, 6, 1) })], history: [call(at('2026-04-01'), { channel: 'mail', subject: 'timeBarredNotice', theme: 'opsServicingTimeBarredNotice' })] }), false],
  ['US-TIMEBARRED', 'four years, the borrower lives abroad', plan({ at: at('2026-06-02 15:00') }), situation({ contact: phone('+18005550143'), person: { home: { state: null, city: 'Lisbon', postalCode: '1100', zones: [] } }, loans: [overdueLoan({ overdueSince: dayOf(2022, 6, 1) })] }), true],
  ['US-TIMEBARRED', 'five years', plan(), situation({ loans: [overdueLoan({ overdueSince: dayOf(2021, 6, 1) })] }), false],
  ['US-VALIDATION', 'a collector, six days after the first contact', plan(), situation({ loans: [agency], history: callsOn(['2026-05-27']) }), true],
  ['US-VALIDATION', 'five days after it', plan(), situation({ loans: [agency], history: callsOn(['2026-05-28']) }), false],
  ['US-VALIDATION', 'the notice went out', plan(), situation({ loans: [agency], history: [...callsOn(['2026-05-20']), call(at('2026-05-22'), { channel: 'mail', theme: 'opsServicingDebtValidation' })] }), false],
  ['US-VALIDATION', 'a collector who has told of payments so far', plan(), situation({ loans: [agency], history: callsOn(['2026-05-20'], { theme: 'opsServicing' }) }), false],
  ['US-VALIDATION', 'the creditor', plan(), situation({ history: callsOn(['2026-05-20']) }), false],
  ['MA-FREQ', 'calls on 1 and 3 June, the third on the 7th', plan(on('2026-06-07 12:30')), in_('MA', '02108', { history: callsOn(['2026-06-01', '2026-06-03']) }), true],
  ['MA-FREQ', 'the third on the 8th', plan(on('2026-06-08 12:30')), in_('MA', '02108', { history: callsOn(['2026-06-01', '2026-06-03']) }), false],
  ['MA-FREQ', 'a call and a text, then a call', plan(on('2026-06-05 12:30')), in_('MA', '02108', { history: [...callsOn(['2026-06-01']), ...callsOn(['2026-06-03'], texts)] }), true],
  ['MA-FREQ', 'a phone of Massachusetts, a home elsewhere', plan(on('2026-06-05 12:30')), situation({ contact: phone('+16175550143'), history: callsOn(['2026-06-01', '2026-06-03']) }), true],
  ['MA-FREQ', 'work on 1 and 20 June, again on the 29th', plan(on('2026-06-29 12:30')), in_('MA', '02108', { consents: consents('contactPersonWork'), contact: phone('+18005550143', { label: 'work' }), history: callsOn(['2026-06-01', '2026-06-20'], { contactLabel: 'work' }) }), true],
  ['MA-FREQ', 'collection counts though it tells of an event', plan({ ...texts, subject: 'promiseToPayBroken', isTransactional: true, ...on('2026-06-07 12:30') }), in_('MA', '02108', { history: callsOn(['2026-06-01', '2026-06-03']) }), true],
  ['MA-FREQ', 'a second home in Massachusetts', plan(on('2026-06-05 12:30')), situation({ person: { otherAreas: [homeIn('MA', '02108')] }, history: callsOn(['2026-06-01', '2026-06-03']) }), true],
  ['MA-FREQ', 'another state', plan(on('2026-06-07 12:30')), in_('OH', '43215', { history: callsOn(['2026-06-01', '2026-06-03']) }), false],
  ['US-BANKRUPTCY', 'a reminder about a loan that is current', plan({ ...texts, subject: 'paymentDueDateReminder', theme: 'opsServicing' }), situation({ loans: [loan()], cases: [caseOf('bankruptcy')] }), true],
  ['US-BANKRUPTCY', 'autopay is about to take a payment, on a current loan', plan({ ...mails, subject: 'autopayPaymentReminder', theme: 'opsServicing' }), situation({ contact: email(), loans: [loan()], cases: [caseOf('bankruptcy')] }), true],
  ['US-BANKRUPTCY', 'a planned payment falls due after a discharge, on a current loan', plan({ ...mails, subject: 'futurepayPaymentDueReminder', theme: 'opsServicing' }), situation({ contact: email(), loans: [loan()], cases: [caseOf('bankruptcy', { isOpen: false, status: 'completed', outcome: 'approved', fields: { courtCaseDebtorDisposition: 'discharged' } })] }), true],
  ['US-BANKRUPTCY', 'a call without a subject, on a current loan', plan({ theme: 'opsServicing' }), situation({ loans: [loan()], cases: [caseOf('bankruptcy')] }), true],
  ['US-BANKRUPTCY', 'marketing, on a current loan', plan({ theme: 'marketing' }), situation({ loans: [loan()], cases: [caseOf('bankruptcy')] }), true],
  [
    'US-BANKRUPTCY',
    'the confirmation of a payment is for information',
    plan({ ...mails, subject: 'paymentConfirmation', theme: 'opsServicing', isTransactional: true }),
    situation({ contact: email(), loans: [loan()], cases: [caseOf('bankruptcy')] }),
    false,
  ],
  ['US-BANKRUPTCY', 'so is what is said about the case', plan({ ...mails, subject: 'bankruptcyAcknowledgement', theme: 'opsServicing' }), situation({ contact: email(), loans: [loan()], cases: [caseOf('bankruptcy')] }), false],
  ['US-BANKRUPTCY', 'so is a statement', plan({ channel: 'mail', subject: 'statementGenerated', theme: 'opsServicingStatement', isTransactional: true }), situation({ contact: letterbox(), loans: [loan()], cases: [caseOf('bankruptcy')] }), false],
  ['US-TEXT-MARKETING', 'a number that receives texts, and nobody agreed to marketing', plan({ ...texts, theme: 'marketing' }), situation({ loans: [loan()] }), true],
  ['US-TEXT-MARKETING', 'called transactional', plan({ ...texts, theme: 'marketing', isTransactional: true }), situation({ loans: [loan()] }), true],
  ['US-TEXT-MARKETING', 'agreed to in writing', plan({ ...texts, theme: 'marketing' }), situation({ loans: [loan()], consents: consents('autodialedMarketing') }), false],
  ['US-TEXT-MARKETING', 'agreed to for a number that was given to somebody else', plan({ ...texts, theme: 'marketing' }), situation({ loans: [loan()], contact: phone(undefined, { mayBeReassigned: true }), consents: consents('autodialedMarketing') }), true],
  ['US-TEXT-MARKETING', 'a text about the loan', plan({ ...texts, theme: 'opsServicing' }), situation({ loans: [loan()] }), false],
  ['US-ECONSENT', 'a statement to who never said a word', plan({ ...mails, subject: 'statementGenerated', theme: 'opsServicingStatement', isTransactional: true }), situation({ contact: email() }), true],
  ['US-ECONSENT', 'the same to who agreed', plan({ ...mails, subject: 'statementGenerated', theme: 'opsServicingStatement', isTransactional: true }), situation({ contact: email(), consents: consents('electronicComms') }), false],
  ['US-ECONSENT', 'the same by mail', plan({ channel: 'mail', subject: 'statementGenerated', theme: 'opsServicingStatement', isTransactional: true }), situation({ contact: letterbox() }), false],
  ['US-ECONSENT', 'a validation notice to who never said a word', plan({ ...mails, subject: 'debtValidationNotice', theme: 'opsServicingDebtValidation' }), situation({ contact: email() }), true],
  ['US-ECONSENT', 'a template that the law asks for', plan({ ...mails, subject: 'custom1', theme: 'opsServicing', isLegallyRequired: true }), situation({ contact: email(), loans: [loan()] }), true],
  ['US-ECONSENT', 'the yearly privacy notice to who never said a word', plan({ ...mails, subject: 'annualPrivacyPolicyNotice', theme: 'opsServicingPrivacy' }), situation({ contact: email() }), true],
  ['US-ECONSENT', 'what nobody has to write, to who never said a word', plan({ ...mails, subject: 'paymentConfirmation', theme: 'opsServicing', isTransactional: true }), situation({ contact: email() }), false],
  ['US-ECONSENT', 'the same after a no', plan({ ...mails, subject: 'paymentConfirmation', theme: 'opsServicing', isTransactional: true }), situation({ contact: email(), consents: { ...consents(), electronicComms: { isGiven: false, isSaid: true, isInWriting: false } } }), true],
  ['US-INCONVENIENT', '"stop calling" said on the phone: a call by hand', plan(), situation({ history: [call(at('2026-05-01'), { direction: 'inbound', theme: 'inbOptOut' })] }), true],
  ['US-INCONVENIENT', '"stop calling": a call that does not collect', plan({ theme: 'opsServicing', isTransactional: true }), situation({ history: [call(at('2026-05-01'), { direction: 'inbound', theme: 'inbOptOut' })] }), false],
  ['US-INCONVENIENT', '"stop calling": a letter', plan({ channel: 'mail' }), situation({ contact: letterbox(), history: [call(at('2026-05-01'), { direction: 'inbound', theme: 'inbOptOut' })] }), false],
  ['US-INCONVENIENT', '"stop calling", and calls agreed to since', plan(), situation({ consents: consents('autodialedColl'), history: [call(at('2026-05-01'), { direction: 'inbound', theme: 'inbOptOut' })] }), false],
  ['US-INCONVENIENT', '"stop calling", then the borrower calls and is called back', plan({ isReply: true }), situation({ history: [call(at('2026-05-01'), { direction: 'inbound', theme: 'inbOptOut' }), call(at('2026-06-02 09:30'), { direction: 'inbound', theme: null })] }), false],
  ['US-INCONVENIENT', 'called back once', plan({ isReply: true }), situation({ history: [call(at('2026-05-01'), { direction: 'inbound', theme: 'inbOptOut' }), call(at('2026-06-02 09:30'), { direction: 'inbound', theme: null }), call(at('2026-06-02 10:00'), { isReply: true })] }), true],
  ['US-FREQ-AFTERCALL', 'the executor was spoken to', plan(on('2026-06-08 10:00')), situation({ history: callsOn(['2026-06-02'], { agentOutcome: 'voiceSpokeWithThirdParty', isOfRepresentative: true }) }), true],
  ['US-FREQ-AFTERCALL', 'somebody was, nobody knows who', plan(on('2026-06-08 10:00')), situation({ history: callsOn(['2026-06-02'], { agentOutcome: 'voiceSpokeWithThirdParty', contactId: null, isOfRepresentative: null }) }), true],
  [
    'US-FREQ-AFTERCALL',
    'a neighbor was',
    plan(on('2026-06-08 10:00')),
    situation({ history: callsOn(['2026-06-02'], { agentOutcome: 'voiceSpokeWithThirdParty', contactId: 'CT-BBBB-2222', isOfRepresentative: false }) }),
    false,
  ],
  [
    'US-FREQ-AFTERCALL',
    'a brother was, who would be called again',
    plan(on('2026-06-03 10:00')),
    situation({ contact: phone(undefined, { affiliation: 'other', authorizedThirdParty: true }), history: callsOn(['2026-06-02'], { agentOutcome: 'voiceSpokeWithThirdParty', isOfRepresentative: false }) }),
    true,
  ],
  [
    'US-BANKRUPTCY',
    'the reminder of a promise',
    plan({ ...texts, subject: 'promiseToPayDueReminder', theme: 'opsServicing', isTransactional: true }),
    bankrupt({}),
    true,
  ],
  [
    'US-BANKRUPTCY',
    'a late fee of a loan that is current',
    plan({ channel: 'mail', subject: 'lateFeeCharged', theme: 'opsServicing', isTransactional: true }),
    situation({ contact: letterbox(), loans: [loan()], cases: [caseOf('bankruptcy')] }),
    true,
  ],
  [
    'US-BANKRUPTCY',
    'the confirmation of a payment',
    plan({ channel: 'mail', subject: 'paymentConfirmation', theme: 'opsServicing', isTransactional: true }),
    situation({ contact: letterbox(), cases: [caseOf('bankruptcy')] }),
    false,
  ],
  [
    'US-CEASE',
    'an overdue notice whose template says that a law asks for it',
    plan({ channel: 'mail', subject: 'loanOverdueFirstNotice', isLegallyRequired: true }),
    situation({ contact: letterbox(), cases: [caseOf('ceaseCommunication')] }),
    true,
  ],
  [
    'US-CEASE',
    'the right to cure, which a law asks for',
    plan({ channel: 'mail', subject: 'loanRightToCurePersonalUnsecured', isLegallyRequired: true }),
    situation({ contact: letterbox(), cases: [caseOf('ceaseCommunication')] }),
    false,
  ],
  [
    'US-TEXT-MARKETING',
    'agreed to in a call',
    plan({ ...texts, theme: 'marketing' }),
    situation({ loans: [loan()], consents: { ...consents(), autodialedMarketing: { isGiven: true, isSaid: true, isInWriting: false } } }),
    true,
  ],
  [
    'US-AUTODIAL',
    'marketing that was agreed to in a call',
    plan({ theme: 'marketing', isAutodialed: true, isPrerecorded: false }),
    situation({ loans: [loan()], consents: { ...consents(), autodialedMarketing: { isGiven: true, isSaid: true, isInWriting: false } } }),
    true,
  ],
  ['US-SCRA', 'a mortgage, eleven months after the duty, its case done', plan({ subject: 'loanAccelerated', isTransactional: true }), situation({ loans: [overdueLoan({ isMortgage: true })], cases: [caseOf('militaryDuty', { isOpen: false, status: 'completed', outcome: 'approved', fields: { dutyStartDate: '2025-03-01', dutyEndDate: '2025-07-01' } })] }), true],
  ['US-SCRA', 'the same to the day', plan({ subject: 'loanAccelerated', isTransactional: true }), situation({ loans: [overdueLoan({ isMortgage: true })], cases: [caseOf('militaryDuty', { fields: { dutyStartDate: '2025-03-01', dutyEndDate: '2025-06-02' } })] }), true],
  ['US-SCRA', 'a year and a day after it', plan({ subject: 'loanAccelerated', isTransactional: true }), situation({ loans: [overdueLoan({ isMortgage: true })], cases: [caseOf('militaryDuty', { fields: { dutyStartDate: '2025-03-01', dutyEndDate: '2025-06-01' } })] }), false],
  ['US-SCRA', 'no mortgage, a day after it', plan({ subject: 'loanAccelerated', isTransactional: true }), situation({ cases: [caseOf('militaryDuty', { fields: { dutyStartDate: '2025-03-01', dutyEndDate: '2026-06-01' } })] }), false],
  ['WI-TIMEBARRED', 'eight years, and the notice went out', plan(), in_('WI', '53202', { loans: [overdueLoan({ overdueSince: dayOf(2018, 6, 1) })], history: [call(at('2026-04-01'), { channel: 'mail', subject: 'timeBarredNotice', theme: 'opsServicingTimeBarredNotice' })] }), true],
  ['WI-TIMEBARRED', 'five years', plan(), in_('WI', '53202', { loans: [overdueLoan({ overdueSince: dayOf(2021, 6, 1) })] }), false],
  ['MA-VALIDATION', 'the creditor, six business days after the first call', plan(on('2026-06-10 10:30')), in_('MA', '02108', { loans: [overdueLoan({ overdueSince: dayOf(2026, 4, 1) })], history: callsOn(['2026-06-02']) }), true],
  ['MA-VALIDATION', 'five business days after it', plan(on('2026-06-09 10:30')), in_('MA', '02108', { loans: [overdueLoan({ overdueSince: dayOf(2026, 4, 1) })], history: callsOn(['2026-06-02']) }), false],
  ['MA-VALIDATION', 'the notice went out', plan(on('2026-06-10 10:30')), in_('MA', '02108', { loans: [overdueLoan({ overdueSince: dayOf(2026, 4, 1) })], history: [...callsOn(['2026-06-02']), call(at('2026-06-03'), { channel: 'mail', theme: 'opsServicingDebtValidation' })] }), false],
  ['MA-VALIDATION', 'a call of the first thirty days past due begins nothing', plan(on('2026-06-10 10:30')), in_('MA', '02108', { history: callsOn(['2026-05-31']) }), false],
  ['NYC-SHIELD', 'three attempts from 2027 on', plan(on('2027-03-05 12:30')), in_('NY', '10001', { history: callsOn(['2027-03-01', '2027-03-02', '2027-03-03'], mails) }), true],
  ['NYC-SHIELD', 'letters are none', plan(on('2027-03-05 12:30')), in_('NY', '10001', { history: callsOn(['2027-03-01', '2027-03-02', '2027-03-03'], { channel: 'mail' }) }), false],
  ['NYC-SHIELD', 'before it', plan(on('2026-12-31 12:30')), in_('NY', '10001', { history: callsOn(['2026-12-25', '2026-12-26'], { ...mails, isReply: true }) }), false],
  ['NYC-FREQ', 'two contacts, then a third from 2027 on', plan(on('2027-03-05 12:30')), in_('NY', '10001', { history: callsOn(['2027-03-01', '2027-03-02'], mails) }), false],
  ['WA-FREQ', 'two calls about one debt, one about another', plan(on('2026-06-04 15:30')), in_('WA', '98101', { loans: bothLoans, history: [...callsOn(['2026-06-01', '2026-06-02']), ...callsOn(['2026-06-03'], { loanIds: [B] })] }), true],
  ['WA-FREQ', 'answers are free', plan(on('2026-06-04 15:30')), in_('WA', '98101', { history: [...callsOn(['2026-06-01', '2026-06-02']), ...callsOn(['2026-06-03'], { isReply: true })] }), false],
  ['WA-CELL-DAY', 'a call and a text of an agency, then a call', plan(on('2026-06-04 15:30')), in_('WA', '98101', { loans: [agency], history: [call(at('2026-06-04 12:00'), { theme: 'opsServicing' }), call(at('2026-06-04 13:00'), { ...texts, theme: 'opsServicing' })] }), true],
  ['WA-CELL-DAY', 'of a creditor', plan(on('2026-06-04 15:30')), in_('WA', '98101', { history: [call(at('2026-06-04 12:00')), call(at('2026-06-04 13:00'), texts)] }), false],
  ['WV-FREQ', 'thirty calls about two debts', plan(on('2026-06-02 15:30')), in_('WV', '25301', { loans: bothLoans, history: [...Array.from({ length: 15 }, () => call(at('2026-06-01'), { theme: 'opsServicing' })), ...Array.from({ length: 15 }, () => call(at('2026-06-01'), { loanIds: [B], theme: 'opsServicing' }))] }), true],
  ['DC-FREQ', 'a first e-mail of collection without consent', plan({ ...mails, ...on('2026-06-06 15:00') }), situation({ contact: email(), person: { home: homeIn('DC', '20001') } }), true],
  ['DC-FREQ', 'consent in general, and no word of theirs by e-mail', plan({ ...mails, ...on('2026-06-06 15:00') }), situation({ contact: email(), person: { home: homeIn('DC', '20001') }, consents: consents('electronicComms') }), true],
  ['DC-FREQ', 'consent, and they have written by e-mail', plan({ ...mails, ...on('2026-06-06 15:00') }), situation({ contact: email(), person: { home: homeIn('DC', '20001') }, consents: consents('electronicComms'), history: [call(at('2026-03-01'), { ...mails, direction: 'inbound' })] }), false],
  ['DC-FREQ', 'consent, and a number that receives texts', plan({ ...texts, ...on('2026-06-06 15:00') }), in_('DC', '20001', { consents: consents('electronicComms') }), false],
  ['NYC-FREQ', 'a letter and an e-mail, then a call', plan(on('2026-06-05 12:30')), in_('NY', '10001', { history: [...callsOn(['2026-06-01'], { channel: 'mail' }), ...callsOn(['2026-06-03'], mails)] }), true],
  ['NYC-FREQ', 'answers are free', plan(on('2026-06-05 12:30')), in_('NY', '10001', { history: [...callsOn(['2026-06-01'], { channel: 'mail' }), ...callsOn(['2026-06-03'], { ...mails, isReply: true })] }), false],
  ['NYC-FREQ', 'an answer itself', plan({ isReply: true, ...on('2026-06-05 12:30') }), in_('NY', '10001', { history: callsOn(['2026-06-01', '2026-06-03'], mails) }), false],
  ['NYC-FREQ', 'Buffalo', plan(on('2026-06-05 12:30')), situation({ contact: phone('+18005550143'), history: callsOn(['2026-06-01', '2026-06-03'], mails), person: { home: homeIn('NY', '14201', 'Buffalo') } }), false],
  ['WA-FREQ', 'three calls, then a call', plan(on('2026-06-04 15:30')), in_('WA', '98101', { history: callsOn(['2026-06-01', '2026-06-02', '2026-06-03']) }), true],
  ['WA-FREQ', 'of a creditor letters are free', plan(on('2026-06-04 15:30')), in_('WA', '98101', { history: callsOn(['2026-06-01', '2026-06-02', '2026-06-03'], { channel: 'mail' }) }), false],
  ['WA-FREQ', 'of an agency all forms count', plan(on('2026-06-04 15:30')), in_('WA', '98101', { loans: [agency], history: callsOn(['2026-06-01', '2026-06-02', '2026-06-03'], { channel: 'mail', theme: 'opsServicingDebtValidation' }) }), true],
  ['WV-FREQ', 'thirty calls a week', plan({ theme: 'opsServicing', ...on('2026-06-02 15:30') }), in_('WV', '25301', { loans: [loan()], history: Array.from({ length: 30 }, () => call(at('2026-06-01'), { theme: 'opsServicing' })) }), true],
  ['DC-FREQ', 'four calls about one account', plan(on('2026-06-05 15:00')), in_('DC', '20001', { history: callsOn(['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04']) }), true],
  ['DC-FREQ', 'a call about another', plan({ loanIds: [B], ...on('2026-06-05 15:00') }), in_('DC', '20001', { loans: bothLoans, history: callsOn(['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04']) }), false],
  ['DC-FREQ', 'five texts, then an e-mail', plan({ ...mails, ...on('2026-06-06 15:00') }), situation({ contact: email(), person: { home: homeIn('DC', '20001') }, history: callsOn(JUNE.slice(0, 5), texts) }), true],
  ['DC-FREQ', 'a second e-mail of collection in the week without consent to it', plan({ ...mails, ...on('2026-06-06 15:00') }), situation({ contact: email(), person: { home: homeIn('DC', '20001') }, history: callsOn(['2026-06-05'], mails) }), true],
  ['DC-FREQ', 'the same with consent to the method', plan({ ...mails, ...on('2026-06-06 15:00') }), situation({ contact: email(), person: { home: homeIn('DC', '20001') }, consents: consents('electronicComms'), history: [...callsOn(['2026-06-05'], mails), call(at('2026-03-01'), { ...mails, direction: 'inbound' })] }), false],
  ['TX-SOLICIT', 'marketing at 8:30 on a Monday', plan({ theme: 'marketing', ...on('2026-06-08 08:30', 'America/Chicago') }), in_('TX', '75201', { loans: [loan()] }), true],
  ['TX-SOLICIT', 'the same at 9:00', plan({ theme: 'marketing', ...on('2026-06-08 09:00', 'America/Chicago') }), in_('TX', '75201', { loans: [loan()] }), false],
  ['TX-SOLICIT', 'a text of it on a Sunday at 11:30', plan({ ...texts, theme: 'marketing', ...on('2026-06-07 11:30', 'America/Chicago') }), in_('TX', '75201', { loans: [loan()] }), true],
  ['FL-SOLICIT', 'marketing at 20:00', plan({ theme: 'marketing', ...on('2026-06-02 20:00') }), in_('FL', '33101', { loans: [loan()] }), true],
  ['FL-SOLICIT', 'marketing at 19:59', plan({ theme: 'marketing', ...on('2026-06-02 19:59') }), in_('FL', '33101', { loans: [loan()] }), false],
  ['FL-SOLICIT', 'a fourth within twenty-four hours', plan({ theme: 'marketing', ...on('2026-06-02 14:59') }), in_('FL', '33101', { loans: [loan()], history: [call(at('2026-06-01 15:00'), { theme: 'marketing' }), call(at('2026-06-01 17:00'), { theme: 'marketing' }), call(at('2026-06-02 09:00'), { theme: 'marketing' })] }), true],
  ['FL-SOLICIT', 'a fourth after twenty-four hours', plan({ theme: 'marketing', ...on('2026-06-02 15:00') }), in_('FL', '33101', { loans: [loan()], history: [call(at('2026-06-01 15:00'), { theme: 'marketing' }), call(at('2026-06-01 17:00'), { theme: 'marketing' }), call(at('2026-06-02 09:00'), { theme: 'marketing' })] }), false],
  ['US-HOLIDAY', 'Labor Day', plan(on('2026-09-07 12:00')), situation(), true],
  ['US-HOLIDAY', 'Independence Day on a Saturday', plan(on('2026-07-04 12:00')), situation(), true],
  ['US-HOLIDAY', 'an e-mail then', plan({ ...mails, ...on('2026-09-07 12:00') }), situation({ contact: email() }), false],
  ['BIZ-MAXDAY', 'a fourth contact of a day', plan(on('2026-06-02 15:00')), situation({ history: [call(at('2026-06-02 09:00'), mails), call(at('2026-06-02 10:00'), mails), call(at('2026-06-02 11:00'), mails)] }), true],
  ['BIZ-MAXDAY', 'what answered something does not count', plan(on('2026-06-02 15:00')), situation({ history: [call(at('2026-06-02 09:00'), { ...mails, isTransactional: true }), call(at('2026-06-02 10:00'), mails), call(at('2026-06-02 11:00'), mails)] }), false],
  ['BIZ-QUIET', 'a text at 8:30', plan({ ...texts, ...on('2026-06-02 08:30') }), situation(), true],
  ['BIZ-QUIET', 'a text at 9:00', plan({ ...texts, ...on('2026-06-02 09:00') }), situation(), false],
  ['BIZ-QUIET', 'a text at 20:00', plan({ ...texts, ...on('2026-06-02 20:00') }), situation(), true],
  ['BIZ-INTENSITY-LIGHT', 'two contacts in seven days', plan(on('2026-06-07 15:00')), situation({ person: { collectionsIntensity: 'light' }, history: callsOn(['2026-06-01', '2026-06-03'], mails) }), true],
  ['BIZ-INTENSITY-LIGHT', 'the same of a borrower who is normal', plan(on('2026-06-07 15:00')), situation({ history: callsOn(['2026-06-01', '2026-06-03'], mails) }), false],
  ['BIZ-INTENSITY-LIGHT', 'on the eighth day', plan(on('2026-06-08 15:00')), situation({ person: { collectionsIntensity: 'light' }, history: callsOn(['2026-06-01', '2026-06-03'], mails) }), false],
];

const ALL = [...ROWS, ...EXCEPTIONS, ...EXCEPTIONS_OF_STATES];

for (const [code, name, asked, found, blocked] of ALL) {
  test(`${code}: ${name} is ${blocked ? 'blocked' : 'allowed'}`, async (t) => {
    const verdict = judge(asked, found);
    const own = verdict.rules.find((rule) => rule.code === code);
    t.equal(own?.blocks ?? false, blocked, verdict.description ?? '');
    if (blocked) t.notOk(verdict.result);
    else t.ok(verdict.result, `${verdict.ruleCode ?? ''} ${verdict.description ?? ''}`);
  });
}

test('every rule of the seed set has a row that blocks and one that allows, or a test of its step', async (t) => {
  for (const { code, kind } of SEED_RULES) {
    if (code === 'US-DECEASED' || kind === 'content') continue; // of words: content.test.ts
    const rows = ALL.filter(([rule]) => rule === code);
    t.ok(
      rows.some(([, , , , blocked]) => blocked),
      `${code} blocks`,
    );
    if (!code.endsWith('-FREQ'))
      t.ok(
        rows.some(([, , , , blocked]) => !blocked),
        `${code} allows`,
      );
  }
});

test('ids and codes of the seed rules are stable and apart', async (t) => {
  t.equal(new Set(SEED_RULES.map(({ id }) => id)).size, SEED_RULES.length);
  t.equal(new Set(SEED_RULES.map(({ code }) => code)).size, SEED_RULES.length);
  for (const { id } of SEED_RULES) t.match(id, /^CR-[A-Z1-9]{4}-[A-Z1-9]{4}$/);
  t.strictSame(
    SEED_RULES.filter(({ mutable }) => mutable).map(({ code }) => code),
    ['US-DISASTER', 'US-HOLIDAY', 'BIZ-TEXT-STOP', 'BIZ-MAXDAY', 'BIZ-QUIET', 'BIZ-INTENSITY-LIGHT'],
  );
});
