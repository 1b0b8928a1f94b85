import type { PastContact } from '../../../engine/index.js';
import {
  at,
  call,
  callsOn,
  caseOf,
  consents,
  email,
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

export const texts = { channel: 'text' } as const;
const no = (requestChannel: string): ReturnType<typeof caseOf> =>
  caseOf('ceaseCommunication', { fields: { scope: 'channels', requestChannel } });
export const agency = overdueLoan({ servicedBy: 'thirdPartyServicer' });
export const FIVE = ['2026-05-30', '2026-05-31', '2026-06-01', '2026-06-02', '2026-06-03'];
export const FOUR = FIVE.slice(1);
const neighbor = phone(undefined, { id: 'CT-DDDD-4444', affiliation: 'neighbor' });
const locate = { theme: 'opsCollLocateBorrower' } as const;
const asked = (date: string, changes: Partial<PastContact> = {}): PastContact =>
  call(at(date), { ...locate, contactId: neighbor.id, isOfRepresentative: false, agentOutcome: 'voiceSpokeWithThirdParty', ...changes });
const talk = call(at('2026-06-02 10:00'), { direction: 'inbound', theme: 'inbGeneral', agentOutcome: 'voiceSpokeWithFirstParty' });
export const friday = (changes: Partial<PastContact> = {}): PastContact =>
  call(at('2026-06-02 10:05'), {
    status: 'scheduled',
    isReply: true,
    askedFor: { saidAt: talk.startedAt, from: at('2026-06-05 09:00'), to: at('2026-06-05 12:00') },
    ...changes,
  });
const inbound = { direction: 'inbound', theme: 'inbGeneral' } as const;
const stopped = call(at('2026-05-01'), { direction: 'inbound', theme: 'inbOptOut' });
const WEEK = [...FIVE.slice(2), '2026-06-04', '2026-06-05', '2026-06-06', '2026-06-07'];
const brother = phone(undefined, { id: 'CT-BBBB-2222', affiliation: 'sibling', authorizedThirdParty: true });
const attorney = phone(undefined, { id: 'CT-CCCC-3333', affiliation: 'attorney', authorizedThirdParty: true });
const toBrother = { contactId: brother.id, isOfRepresentative: false } as const;
const ceased = situation({ contact: letterbox(), cases: [caseOf('ceaseCommunication')] });
const required = { channel: 'mail', isLegallyRequired: true } as const;
const SEVEN = ['2026-06-02', '2026-06-03', '2026-06-03', '2026-06-04', '2026-06-05', '2026-06-06', '2026-06-07'];
const monday = (said: string): PastContact => friday({ askedFor: { saidAt: at(said), from: at('2026-06-08 09:00'), to: null } });
const declined = { subject: 'loanDeclined', theme: 'opsOrigination', isTransactional: true } as const;
const wroteBack = { ...inbound, channel: 'text', agentOutcome: null } as const;

/** Exceptions from the rules of federal law, and their limits. */
export const EXCEPTIONS: readonly Row[] = [
  [
    'US-INCONVENIENT',
    '"stop calling", then a call that nobody took, is called back by who cannot say so',
    plan(),
    situation({ history: [stopped, call(at('2026-06-01 09:30'), { ...inbound, status: 'attempted' })] }),
    false,
  ],
  [
    'US-INCONVENIENT',
    'not after eight days',
    plan(),
    situation({ history: [stopped, call(at('2026-05-25 09:30'), { ...inbound, status: 'attempted' })] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    'nor one in which an agent was spoken to',
    plan(),
    situation({ history: [stopped, call(at('2026-06-01 09:30'), { ...inbound, agentOutcome: 'voiceSpokeWithFirstParty' })] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    '"stop texting me", then a text of theirs is answered',
    plan({ ...texts, isReply: true }),
    situation({ cases: [no('text')], history: [call(at('2026-06-01'), { ...texts, ...inbound })] }),
    false,
  ],
  [
    'US-INCONVENIENT',
    'a text that answers nothing',
    plan(texts),
    situation({ cases: [no('text')], history: [call(at('2026-06-01'), { ...texts, ...inbound })] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    'answered once by text',
    plan({ ...texts, isReply: true }),
    situation({ cases: [no('text')], history: [call(at('2026-06-01'), { ...texts, ...inbound }), call(at('2026-06-01 13:00'), texts)] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    'the text that asked for it is answered by none',
    plan({ ...texts, isReply: true }),
    situation({ cases: [no('text')], history: [call(at('2026-05-04'), { ...texts, ...inbound })] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    'no letters: one to collect',
    plan({ channel: 'mail' }),
    situation({ contact: letterbox(), cases: [no('mail')] }),
    true,
  ],
  [
    'US-INCONVENIENT',
    'no letters: the right to cure',
    plan({ channel: 'mail', subject: 'loanRightToCurePersonalUnsecured', isLegallyRequired: true }),
    situation({ contact: letterbox(), cases: [no('mail')] }),
    false,
  ],
  [
    'US-FREQ-7IN7',
    'seven calls to the borrower, then one to a brother',
    plan(on('2026-06-07 15:00')),
    situation({ contact: brother, history: callsOn(WEEK) }),
    false,
  ],
  [
    'US-FREQ-7IN7',
    'seven calls to a brother, then one to the borrower',
    plan(on('2026-06-07 15:00')),
    situation({ history: callsOn(WEEK, toBrother) }),
    false,
  ],
  [
    'US-FREQ-7IN7',
    'seven calls to a brother, then one more',
    plan(on('2026-06-07 15:00')),
    situation({ contact: brother, history: callsOn(WEEK, toBrother) }),
    true,
  ],
  [
    'US-FREQ-7IN7',
    'seven calls to nobody knows who, then one to a brother',
    plan(on('2026-06-07 15:00')),
    situation({ contact: brother, history: callsOn(WEEK, { contactId: null, isOfRepresentative: null }) }),
    true,
  ],
  [
    'US-FREQ-7IN7',
    'seven calls to the borrower, then one to their attorney',
    plan(on('2026-06-07 15:00')),
    situation({ contact: attorney, history: callsOn(WEEK) }),
    false,
  ],
  [
    'US-FREQ-7IN7',
    'seven calls to their attorney, then one to the borrower',
    plan(on('2026-06-07 15:00')),
    situation({ history: callsOn(WEEK, { contactId: attorney.id, isOfAttorney: true }) }),
    false,
  ],
  [
    'US-FREQ-AFTERCALL',
    'the borrower was spoken to, then a brother is called',
    plan(on('2026-06-05 10:00')),
    situation({ contact: brother, history: callsOn(['2026-06-02'], { agentOutcome: 'voiceSpokeWithFirstParty' }) }),
    false,
  ],
  [
    'US-FREQ-AFTERCALL',
    'a brother was, then the borrower is called',
    plan(on('2026-06-05 10:00')),
    situation({ history: callsOn(['2026-06-02'], { ...toBrother, agentOutcome: 'voiceSpokeWithThirdParty' }) }),
    false,
  ],
  [
    'US-FREQ-AFTERCALL',
    'the spouse was, then the borrower is called',
    plan(on('2026-06-05 10:00')),
    situation({ history: callsOn(['2026-06-02'], { contactId: 'CT-CCCC-3333', agentOutcome: 'voiceSpokeWithThirdParty' }) }),
    true,
  ],
  [
    'US-FREQ-AFTERCALL',
    'the attorney was, and is called again',
    plan(on('2026-06-05 10:00')),
    situation({
      contact: attorney,
      history: callsOn(['2026-06-02'], { contactId: attorney.id, isOfAttorney: true, agentOutcome: 'voiceSpokeWithThirdParty' }),
    }),
    false,
  ],
  [
    'US-TIME-COLL',
    'a call at 22:00 to who agreed to unusual times',
    plan(on('2026-06-02 22:00')),
    situation({ consents: consents('contactPersonUnusualTime') }),
    false,
  ],
  ['US-TIME-TCPA', 'the same', plan(on('2026-06-02 22:00')), situation({ consents: consents('contactPersonUnusualTime') }), false],
  [
    'US-TIME-TCPA',
    'marketing at 22:00 to who agreed to unusual times',
    plan({ theme: 'marketing', ...on('2026-06-02 22:00') }),
    situation({ loans: [loan()], consents: consents('contactPersonUnusualTime') }),
    true,
  ],
  [
    'US-TIME-COLL',
    'a collector in Washington at 22:00, agreed to',
    plan(on('2026-06-02 22:00', 'America/Los_Angeles')),
    in_('WA', '98101', { loans: [agency], consents: consents('contactPersonUnusualTime') }),
    true,
  ],
  [
    'US-TIME-COLL',
    'a collector in Washington at 7:45, agreed to',
    plan(on('2026-06-02 07:45', 'America/Los_Angeles')),
    in_('WA', '98101', { loans: [agency], consents: consents('contactPersonUnusualTime') }),
    false,
  ],
  [
    'US-TIME-COLL',
    'a creditor in Washington at 22:00, agreed to',
    plan(on('2026-06-02 22:00', 'America/Los_Angeles')),
    in_('WA', '98101', { consents: consents('contactPersonUnusualTime') }),
    false,
  ],
  [
    'US-CEASE',
    'a reminder whose template says that a law asks for it',
    plan({ ...required, subject: 'paymentDueDateReminder', theme: 'opsServicing' }),
    ceased,
    true,
  ],
  ['US-CEASE', 'words that sell, whose template says so', plan({ ...required, subject: 'custom3', theme: 'marketing' }), ceased, true],
  [
    'US-CEASE',
    'a notice of a remedy, which has no subject of its own',
    plan({ ...required, subject: 'custom3', theme: 'opsCollDebt' }),
    ceased,
    false,
  ],
  [
    'US-CEASE',
    'the same without a mark',
    plan({ ...required, isLegallyRequired: false, subject: 'custom3', theme: 'opsCollDebt' }),
    ceased,
    true,
  ],
  [
    'US-CEASE',
    'a notice of acceleration that a law asks for',
    plan({ ...required, subject: 'loanAccelerated', isTransactional: true }),
    ceased,
    false,
  ],
  ['US-LOCATE', 'a neighbor is asked where the borrower is', plan(locate), situation({ contact: neighbor }), false],
  ['US-LOCATE', 'a second time', plan(locate), situation({ contact: neighbor, history: [asked('2024-02-01')] }), true],
  [
    'US-LOCATE',
    'a brother who is authorized, a second time',
    plan(locate),
    situation({ contact: brother, history: [asked('2026-02-01', { contactId: brother.id })] }),
    true,
  ],
  [
    'US-LOCATE',
    'another neighbor',
    plan(locate),
    situation({ contact: neighbor, history: [asked('2026-02-01', { contactId: 'CT-EEEE-5555' })] }),
    false,
  ],
  [
    'US-LOCATE',
    'the first call rang out',
    plan(locate),
    situation({ contact: neighbor, history: [asked('2026-02-01', { agentOutcome: 'voiceRangNoPickup' })] }),
    false,
  ],
  [
    'US-LOCATE',
    'the neighbor has asked to be called again',
    plan(locate),
    situation({ contact: neighbor, history: [asked('2026-02-01'), asked('2026-06-01', wroteBack)] }),
    false,
  ],
  [
    'US-LOCATE',
    'the neighbor has called long ago',
    plan(locate),
    situation({ contact: neighbor, history: [asked('2026-02-01'), asked('2026-02-03', wroteBack)] }),
    true,
  ],
  [
    'US-LOCATE',
    'the neighbor has asked, and was called since',
    plan(locate),
    situation({ contact: neighbor, history: [asked('2026-02-01'), asked('2026-05-31', wroteBack), asked('2026-06-01')] }),
    true,
  ],
  [
    'US-LOCATE',
    'the borrower is no other person',
    plan(locate),
    situation({ history: [asked('2026-02-01', { contactId: 'CT-AAAA-1111', isOfRepresentative: true })] }),
    false,
  ],
  [
    'US-FREQ-AFTERCALL',
    '"call me back on Friday", on Friday',
    plan(on('2026-06-05 10:00')),
    situation({ history: [talk, friday()] }),
    false,
  ],
  ['US-FREQ-AFTERCALL', 'on Thursday', plan(on('2026-06-04 10:00')), situation({ history: [talk, friday()] }), true],
  [
    'US-FREQ-AFTERCALL',
    'on Friday, after what was asked for',
    plan(on('2026-06-05 14:00')),
    situation({ history: [talk, friday()] }),
    true,
  ],
  [
    'US-FREQ-AFTERCALL',
    'on Friday, a second time',
    plan(on('2026-06-05 11:00')),
    situation({ history: [talk, friday(), call(at('2026-06-05 10:00'))] }),
    true,
  ],
  [
    'US-FREQ-AFTERCALL',
    'on Friday, spoken to on Wednesday',
    plan(on('2026-06-05 10:00')),
    situation({ history: [talk, friday(), call(at('2026-06-03'), { agentOutcome: 'voiceSpokeWithFirstParty' })] }),
    true,
  ],
  [
    'US-FREQ-AFTERCALL',
    'on Friday, about another debt',
    plan({ loanIds: ['LN-BBBB-2222'], ...on('2026-06-05 10:00') }),
    situation({ loans: [overdueLoan(), overdueLoan({ id: 'LN-BBBB-2222' })], history: [{ ...talk, loanIds: [] }, friday()] }),
    true,
  ],
  [
    'US-FREQ-AFTERCALL',
    'on Friday, at another phone',
    plan(on('2026-06-05 10:00')),
    situation({ history: [talk, friday({ contactId: 'CT-BBBB-2222' })] }),
    true,
  ],
  [
    'US-FREQ-7IN7',
    'seven calls, on the seventh day after a call was asked for',
    plan(on('2026-06-08 10:00')),
    situation({ history: [...callsOn(SEVEN), monday('2026-06-02')] }),
    false,
  ],
  ['US-FREQ-7IN7', 'on the eighth', plan(on('2026-06-08 10:00')), situation({ history: [...callsOn(SEVEN), monday('2026-06-01')] }), true],
  [
    'MA-FREQ',
    'two calls, then the one that was asked for',
    plan(on('2026-06-05 10:00')),
    in_('MA', '02108', { history: [...callsOn(FOUR.slice(2)), friday()] }),
    true,
  ],
  [
    'US-FREQ-7IN7',
    'seven calls, then the one that was asked for',
    plan(on('2026-06-05 10:00')),
    situation({
      history: [...callsOn(['2026-05-30', '2026-05-31', '2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04', '2026-06-04']), friday()],
    }),
    false,
  ],
  [
    'US-ECONSENT',
    'a loan was declined, to who never said a word',
    plan({ ...declined, channel: 'email' }),
    situation({ contact: email() }),
    true,
  ],
  [
    'US-ECONSENT',
    'the same to who agreed',
    plan({ ...declined, channel: 'email' }),
    situation({ contact: email(), consents: consents('electronicComms') }),
    false,
  ],
  ['US-ECONSENT', 'the same by mail', plan({ ...declined, channel: 'mail' }), situation({ contact: letterbox() }), false],
  [
    'US-ECONSENT',
    'terms have changed, to who never said a word',
    plan({ channel: 'email', subject: 'loanTermsChanged', theme: 'opsServicing', isTransactional: true }),
    situation({ contact: email() }),
    true,
  ],
  [
    'US-ECONSENT',
    'a promise was recorded, which no law has in writing',
    plan({ channel: 'email', subject: 'promiseToPayCreated', theme: 'opsServicing', isTransactional: true }),
    situation({ contact: email() }),
    false,
  ],
];
