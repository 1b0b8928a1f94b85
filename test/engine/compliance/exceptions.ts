import { dayOf, type Situation } from '../../../engine/index.js';
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

/** What the rules spare, and where they stop again. */
const texts = { channel: 'text' } as const;
const no = (requestChannel: string): ReturnType<typeof caseOf> =>
  caseOf('ceaseCommunication', { fields: { scope: 'channels', requestChannel } });
const stopped = call(at('2026-05-01'), { direction: 'inbound', theme: 'inbOptOut' });
const agency = overdueLoan({ servicedBy: 'thirdPartyServicer' });
const calledTwice = ['2026-06-04 12:00', '2026-06-04 13:00'].map((moment) => call(at(moment), { theme: 'opsServicing' }));
const inDc = (changes: Partial<Situation>): Situation => in_('DC', '20001', changes);
const FIVE = ['2026-05-30', '2026-05-31', '2026-06-01', '2026-06-02', '2026-06-03'];
const FOUR = FIVE.slice(1);
const inbound = { direction: 'inbound', theme: 'inbGeneral' } as const;

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
    'WA-CELL-DAY',
    'an answer of an agency, the third of the day',
    plan({ ...texts, isReply: true, ...on('2026-06-04 15:30') }),
    in_('WA', '98101', { loans: [agency], history: calledTwice }),
    false,
  ],
  [
    'WA-CELL-DAY',
    'answers are not counted',
    plan(on('2026-06-04 15:30')),
    in_('WA', '98101', { loans: [agency], history: [...calledTwice.slice(1), call(at('2026-06-04 13:30'), { ...texts, isReply: true })] }),
    false,
  ],
  [
    'WA-CELL-DAY',
    'a phone at home is no mobile',
    plan(on('2026-06-04 15:30')),
    in_('WA', '98101', { loans: [agency], contact: phone('+18005550143', { label: 'home' }), history: calledTwice }),
    false,
  ],
  [
    'WA-CELL-DAY',
    'calls to a phone at home are none to a mobile',
    plan(on('2026-06-04 15:30')),
    in_('WA', '98101', { loans: [agency], history: calledTwice.map((past) => ({ ...past, contactLabel: 'home' as const })) }),
    false,
  ],
  [
    'WA-CELL-DAY',
    'calls to phones of no label may be',
    plan(on('2026-06-04 15:30')),
    in_('WA', '98101', { loans: [agency], history: calledTwice.map((past) => ({ ...past, contactLabel: null })) }),
    true,
  ],
  [
    'MA-FREQ',
    'two calls to a mobile, one to work',
    plan(on('2026-06-05 12:30')),
    in_('MA', '02108', {
      consents: consents('contactPersonWork'),
      contact: phone('+18005550143', { label: 'work' }),
      history: callsOn(['2026-06-01', '2026-06-03']),
    }),
    false,
  ],
  [
    'MA-FREQ',
    'two calls to work, one to a mobile',
    plan(on('2026-06-05 12:30')),
    in_('MA', '02108', { history: callsOn(['2026-06-01', '2026-06-03'], { contactLabel: 'work' }) }),
    false,
  ],
  [
    'MA-FREQ',
    'two calls of which nobody knows where they went, one to work',
    plan(on('2026-06-29 12:30')),
    in_('MA', '02108', {
      consents: consents('contactPersonWork'),
      contact: phone('+18005550143', { label: 'work' }),
      history: callsOn(['2026-06-01', '2026-06-20'], { contactLabel: null }),
    }),
    true,
  ],
  [
    'DC-FREQ',
    'four calls about a debt thirty days past due',
    plan(on('2026-06-05 15:00')),
    inDc({ loans: [overdueLoan({ overdueSince: dayOf(2026, 5, 6) })], history: callsOn(FOUR) }),
    false,
  ],
  [
    'DC-FREQ',
    'four calls about a debt thirty-one days past due',
    plan(on('2026-06-05 15:00')),
    inDc({ loans: [overdueLoan({ overdueSince: dayOf(2026, 5, 5) })], history: callsOn(FOUR) }),
    true,
  ],
  [
    'DC-FREQ',
    'an e-mail about a debt ten days past due',
    plan({ channel: 'email', ...on('2026-06-05 15:00') }),
    inDc({ contact: email(), loans: [overdueLoan({ overdueSince: dayOf(2026, 5, 26) })] }),
    false,
  ],
  [
    'DC-FREQ',
    'four calls about a debt that a home secures',
    plan(on('2026-06-05 15:00')),
    inDc({ loans: [overdueLoan({ isOnHome: true })], history: callsOn(FOUR) }),
    false,
  ],
  [
    'DC-FREQ',
    'four calls of which one rang out',
    plan(on('2026-06-05 15:00')),
    inDc({ history: [...callsOn(FOUR.slice(1)), ...callsOn(FOUR.slice(0, 1), { agentOutcome: 'voiceRangNoPickup' })] }),
    false,
  ],
  [
    'DC-FREQ',
    'four calls of which one met a voicemail',
    plan(on('2026-06-05 15:00')),
    inDc({ history: [...callsOn(FOUR.slice(1)), ...callsOn(FOUR.slice(0, 1), { agentOutcome: 'voiceReachedVoicemailNoMessageLeft' })] }),
    true,
  ],
  [
    'DC-FREQ',
    'four calls of which one was asked for',
    plan(on('2026-06-05 15:00')),
    inDc({ history: [...callsOn(FOUR.slice(1)), ...callsOn(FOUR.slice(0, 1), { isReply: true })] }),
    false,
  ],
  [
    'DC-FREQ',
    'five texts to who agreed, then a text',
    plan({ ...texts, ...on('2026-06-05 15:00') }),
    inDc({ consents: consents('electronicComms'), history: callsOn(FIVE, texts) }),
    true,
  ],
  [
    'DC-FREQ',
    'five texts to who agreed, then an answer',
    plan({ ...texts, isReply: true, ...on('2026-06-05 15:00') }),
    inDc({ consents: consents('electronicComms'), history: callsOn(FIVE, texts) }),
    false,
  ],
  ['DC-FREQ', 'an answer to who has not agreed', plan({ ...texts, isReply: true, ...on('2026-06-05 15:00') }), inDc({}), true],
  [
    'DC-FREQ',
    'five texts of which one is an answer',
    plan({ ...texts, ...on('2026-06-05 15:00') }),
    inDc({
      consents: consents('electronicComms'),
      history: [...callsOn(FIVE.slice(1), texts), ...callsOn(FIVE.slice(0, 1), { ...texts, isReply: true })],
    }),
    false,
  ],
  [
    'DC-FREQ',
    'a charged-off debt without a date',
    plan({ ...texts, ...on('2026-06-05 15:00') }),
    inDc({ loans: [loan({ status: 'chargedOff' })] }),
    true,
  ],
];
