import { dayOf, type PastContact, type Situation } from '../../../engine/index.js';
import { agency, FIVE, FOUR, friday, texts } from './exceptions.js';
import { at, call, callsOn, consents, email, in_, loan, on, overdueLoan, phone, plan, type Row } from './situations.js';

const calledTwice = ['2026-06-04 12:00', '2026-06-04 13:00'].map((moment) => call(at(moment), { theme: 'opsServicing' }));
const inDc = (changes: Partial<Situation>): Situation => in_('DC', '20001', changes);
type WorkHistory = readonly [dates: readonly string[], contactLabel?: PastContact['contactLabel']];

const atWorkIn = (state: string, zip: string, dates: readonly string[], changes: Partial<PastContact>): Situation =>
  in_(state, zip, {
    consents: consents('contactPersonWork'),
    contact: phone('+18005550143', { label: 'work' }),
    loans: [overdueLoan(), overdueLoan({ id: 'LN-BBBB-2222' })],
    history: callsOn(dates, changes),
  });

const atWorkInOregon = (...[dates, contactLabel = 'work']: WorkHistory): Situation => atWorkIn('OR', '97201', dates, { contactLabel });
const atWorkInWashington = (...[dates, contactLabel = 'work']: WorkHistory): Situation => atWorkIn('WA', '98101', dates, { contactLabel });

const talks = (count: number): Situation =>
  in_('WV', '25301', {
    loans: [loan()],
    history: Array.from({ length: count }, () =>
      call(at('2026-06-01'), { agentOutcome: 'voiceSpokeWithFirstParty', theme: 'opsServicing' }),
    ),
  });

/** Exceptions from the rules of states and the District of Columbia, and their limits. */
export const EXCEPTIONS_OF_STATES: readonly Row[] = [
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
    'MA-FREQ',
    'two calls of which one rang out',
    plan(on('2026-06-05 12:30')),
    in_('MA', '02108', { history: [...callsOn(['2026-06-01']), ...callsOn(['2026-06-03'], { agentOutcome: 'voiceRangNoPickup' })] }),
    false,
  ],
  [
    'MA-FREQ',
    'two calls of which one met a busy line',
    plan(on('2026-06-05 12:30')),
    in_('MA', '02108', { history: [...callsOn(['2026-06-01']), ...callsOn(['2026-06-03'], { agentOutcome: 'voiceLineBusyNoRing' })] }),
    false,
  ],
  [
    'MA-FREQ',
    'two calls of which one met a voicemail that nobody spoke to',
    plan(on('2026-06-05 12:30')),
    in_('MA', '02108', {
      history: [...callsOn(['2026-06-01']), ...callsOn(['2026-06-03'], { agentOutcome: 'voiceReachedVoicemailNoMessageLeft' })],
    }),
    true,
  ],
  [
    'MA-FREQ',
    'a call and two texts of which one is recorded with the outcome of a call',
    plan(on('2026-06-05 12:30')),
    in_('MA', '02108', {
      history: [...callsOn(['2026-06-01']), ...callsOn(['2026-06-03'], { ...texts, agentOutcome: 'voiceRangNoPickup' })],
    }),
    true,
  ],
  [
    'MA-FREQ',
    'two calls before a move from Texas',
    plan(on('2026-06-05 12:30')),
    in_('MA', '02108', { history: callsOn(['2026-06-01', '2026-06-03'], { contactId: null, contactLabel: null }) }),
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
  ['OR-WORK', 'a second call to work in a week', plan(on('2026-06-05 15:00')), atWorkInOregon(['2026-06-01']), true],
  [
    'OR-WORK',
    'the same about another debt',
    plan({ loanIds: ['LN-BBBB-2222'], ...on('2026-06-05 15:00') }),
    atWorkInOregon(['2026-06-01']),
    true,
  ],
  ['OR-WORK', 'a week later', plan(on('2026-06-08 15:00')), atWorkInOregon(['2026-06-01']), false],
  [
    'OR-WORK',
    'a call to a personal phone, then one to work',
    plan(on('2026-06-05 15:00')),
    atWorkInOregon(['2026-06-01'], 'personal'),
    false,
  ],
  ['OR-WORK', 'a call to nobody knows where, then one to work', plan(on('2026-06-05 15:00')), atWorkInOregon(['2026-06-01'], null), true],
  [
    'OR-WORK',
    'a call to work, then one to a personal phone',
    plan(on('2026-06-05 15:00')),
    in_('OR', '97201', { history: callsOn(['2026-06-01'], { contactLabel: 'work' }) }),
    false,
  ],
  ['WA-FREQ', 'a second call to work in a week', plan(on('2026-06-05 15:30')), atWorkInWashington(['2026-06-01']), true],
  ['WA-FREQ', 'to work a week later', plan(on('2026-06-08 15:30')), atWorkInWashington(['2026-06-01']), false],
  [
    'WA-FREQ',
    'a call to a personal phone, then one to work',
    plan(on('2026-06-05 15:30')),
    atWorkInWashington(['2026-06-01'], 'personal'),
    false,
  ],
  [
    'WA-FREQ',
    'a call to nobody knows where, then one to work',
    plan(on('2026-06-05 15:30')),
    atWorkInWashington(['2026-06-01'], null),
    true,
  ],
  [
    'WA-FREQ',
    'a letter of a creditor to work, then a call',
    plan(on('2026-06-05 15:30')),
    atWorkIn('WA', '98101', ['2026-06-01'], { contactLabel: 'work', channel: 'mail' }),
    false,
  ],
  ['WV-FREQ', 'ten conversations in a week', plan({ theme: 'opsServicing', ...on('2026-06-02 15:30') }), talks(10), true],
  ['WV-FREQ', 'nine conversations in a week', plan({ theme: 'opsServicing', ...on('2026-06-02 15:30') }), talks(9), false],
  [
    'WA-FREQ',
    'three calls, then the one that was asked for',
    plan(on('2026-06-05 11:30')),
    in_('WA', '98101', { history: [...callsOn(FOUR.slice(1)), friday()] }),
    false,
  ],
  [
    'DC-FREQ',
    'four calls, then the one that was asked for',
    plan(on('2026-06-05 10:00')),
    inDc({ history: [...callsOn(FOUR), friday()] }),
    false,
  ],
];
