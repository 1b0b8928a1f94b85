import { test } from 'tap';
import { type ContactPlan, judge, type MessageText, SEED_RULES, type Situation } from '../../../engine/index.js';
import {
  agency,
  type ContentRow,
  FIRST,
  FIRST_ES,
  LATER,
  LATER_ES,
  LAWFUL,
  LAWFUL_ES,
  mail,
  NOTICE,
  notice,
  own,
  said,
  spanish,
} from './messages.js';
import { ROWS_OF_NEW_YORK_CITY } from './rows-of-new-york-city.js';
import { at, call, consents, email, homeIn, letterbox, loan, overdueLoan, phone, plan, situation } from './situations.js';

const selling = (changes: object = {}): Situation =>
  situation({
    contact: email(),
    consents: consents('emailMarketing', 'autodialedMarketing', 'electronicComms'),
    loans: [loan()],
    ...changes,
  });
const sold = { theme: 'marketing', subject: 'marketingMessage' } as const;
const before = { history: [call(at('2026-04-02 12:00'), { channel: 'mail' })] };
const stranger = letterbox({ affiliation: 'sibling', label: 'home' });
const atHome = (state: string): object => ({ person: { home: homeIn(state) } });

const remind = { channel: 'text', theme: 'opsServicing', subject: 'freeForm' } as const;
const textTo = (changes: object): Situation => situation({ contact: phone(), loans: [loan()], ...changes });
const texted = { history: [call(at('2026-05-20 12:00'), { channel: 'text', theme: 'opsServicing' })] };

const ROWS: readonly ContentRow[] = [
  ['US-DISCLOSURE-FIRST', 'an agency writes first, and says nothing', mail, agency(), said(LAWFUL), true],
  ['US-DISCLOSURE-FIRST', 'with half of the words', mail, agency(), said(`${LAWFUL} This is an attempt to collect a debt.`), true],
  ['US-DISCLOSURE-FIRST', 'with both', mail, agency(), said(`${LAWFUL} ${FIRST}`), false],
  ['US-DISCLOSURE-FIRST', 'in the HTML alone', mail, agency(), said('', { readings: [`${LAWFUL} ${FIRST}`, LAWFUL] }), true],
  [
    'US-DISCLOSURE-FIRST',
    'over two lines',
    mail,
    agency(),
    said(`${LAWFUL} This is an attempt\n to collect  a debt. Any information will be used\nfor that purpose.`),
    false,
  ],
  [
    'US-DISCLOSURE-FIRST',
    'the words of the model form',
    mail,
    agency(),
    said(
      `${LAWFUL} We are trying to collect a debt that you owe to Quimby. We will use any information you give us to help collect the debt.`,
    ),
    false,
  ],
  ['US-DISCLOSURE-FIRST', 'the words for later messages do not serve', mail, agency(), said(`${LAWFUL} ${LATER}`), true],
  [
    'US-DISCLOSURE-FIRST',
    'a call came before, nothing in writing',
    mail,
    agency({ history: [call(at('2026-04-02 12:00'))] }),
    said(`${LAWFUL} ${LATER}`),
    true,
  ],
  [
    'US-DISCLOSURE-FIRST',
    'the letter before was about another loan',
    mail,
    agency({ history: [call(at('2026-04-02 12:00'), { channel: 'mail', loanIds: ['LN-BBBB-2222'] })] }),
    said(`${LAWFUL} ${LATER}`),
    true,
  ],
  ['US-DISCLOSURE-FIRST', 'the creditor itself', mail, own(), said(LAWFUL), false],
  [
    'US-DISCLOSURE-FIRST',
    'in Spanish',
    mail,
    agency(),
    spanish(`${FIRST_ES} Quimby Lending. Responda STOP para dejar de recibir estos mensajes.`),
    false,
  ],
  [
    'US-DISCLOSURE-FIRST',
    'in English below a Spanish message',
    mail,
    agency(),
    spanish(`${FIRST} Quimby Lending. Responda STOP para dejar de recibir estos mensajes.`),
    true,
  ],
  [
    'US-DISCLOSURE-FIRST',
    'a language that the rules do not know says it in English',
    mail,
    agency(),
    said(`${LAWFUL} ${FIRST}`, { language: 'fr' }),
    false,
  ],
  ['US-DISCLOSURE-LATER', 'an agency writes again, and says nothing', mail, agency(before), said(LAWFUL), true],
  ['US-DISCLOSURE-LATER', 'and says who it is', mail, agency(before), said(`${LAWFUL} ${LATER}`), false],
  ['US-DISCLOSURE-LATER', 'in Spanish', mail, agency(before), spanish(`${LATER_ES} Quimby Lending. Puede darse de baja.`), false],
  ['US-DISCLOSURE-LATER', 'the creditor itself', mail, own(before), said(LAWFUL), false],
  ['US-OPTOUT-NOTICE', 'an e-mail to collect without one', mail, own(), said('Quimby Lending: please pay.'), true],
  ['US-OPTOUT-NOTICE', 'with a link to unsubscribe', mail, own(), said('Quimby Lending: please pay. Unsubscribe'), false],
  ['US-OPTOUT-NOTICE', 'in Spanish', mail, own(), spanish('Quimby Lending: pague. Para cancelar su suscripción, haga clic aquí.'), false],
  ['US-OPTOUT-NOTICE', 'in English below a Spanish message', mail, own(), spanish('Quimby Lending: pague. Unsubscribe'), true],
  ['US-OPTOUT-NOTICE', 'a text', { channel: 'text' }, own({ contact: phone() }), said('Quimby Lending: please pay.'), true],
  ['US-OPTOUT-NOTICE', 'a text that says STOP', { channel: 'text' }, own({ contact: phone() }), said(LAWFUL), false],
  ['US-OPTOUT-NOTICE', 'a letter', { channel: 'mail' }, own({ contact: letterbox() }), said('Quimby Lending: please pay.'), false],
  [
    'US-OPTOUT-NOTICE',
    'a reminder of a current loan',
    { ...mail, theme: 'opsServicing', subject: 'paymentDueDateReminder' },
    own({ loans: [loan()] }),
    said('Pay soon.'),
    false,
  ],
  [
    'US-OPTOUT-NOTICE',
    'the same of an overdue one',
    { ...mail, theme: 'opsServicing', subject: 'paymentDueDateReminder' },
    own(),
    said('Quimby Lending: pay soon.'),
    true,
  ],
  ['US-VALIDATION-CONTENT', 'a validation notice with all of it', notice, own({ contact: letterbox() }), said(NOTICE), false],
  [
    'US-VALIDATION-CONTENT',
    'without the right to dispute',
    notice,
    own({ contact: letterbox() }),
    said(NOTICE.replace('dispute', 'discuss')),
    true,
  ],
  [
    'US-VALIDATION-CONTENT',
    'without the original creditor',
    notice,
    own({ contact: letterbox() }),
    said(NOTICE.replace('original creditor', 'name')),
    true,
  ],
  [
    'US-VALIDATION-CONTENT',
    'without an itemization',
    notice,
    own({ contact: letterbox() }),
    said(NOTICE.replace('Interest', 'Other')),
    true,
  ],
  ['US-VALIDATION-CONTENT', 'without an address', notice, own({ contact: letterbox() }), said(NOTICE.replace('OH 43215', '')), true],
  ['US-SENDER', 'collection that nobody signs', mail, own(), said('Please pay. Unsubscribe'), true],
  ['US-SENDER', 'marketing that nobody signs', { ...mail, ...sold }, selling(), said('Buy now. Unsubscribe. Columbus, OH 43215'), true],
  [
    'US-SENDER',
    'a confirmation that nobody signs',
    { ...mail, theme: 'opsServicing', subject: 'paymentConfirmation', isTransactional: true },
    own(),
    said('We got it.'),
    false,
  ],
  [
    'US-EMAIL-MARKETING',
    'marketing with all of it',
    { ...mail, ...sold },
    selling(),
    said('Quimby Lending, 1 Main Street, Columbus, OH 43215. Unsubscribe'),
    false,
  ],
  [
    'US-EMAIL-MARKETING',
    'its address on several lines',
    { ...mail, ...sold },
    selling(),
    said('Quimby Lending\n1 Main Street\nColumbus OH\n43215\nUnsubscribe'),
    false,
  ],
  ['US-EMAIL-MARKETING', 'without an address', { ...mail, ...sold }, selling(), said('Quimby Lending. Unsubscribe'), true],
  [
    'US-EMAIL-MARKETING',
    'without a way out',
    { ...mail, ...sold },
    selling(),
    said('Quimby Lending, 1 Main Street, Columbus, OH 43215'),
    true,
  ],
  [
    'US-TEXT-STOP',
    'a marketing text without the word',
    { channel: 'text', ...sold },
    selling({ contact: phone() }),
    said('Quimby Lending: buy now.'),
    true,
  ],
  [
    'US-TEXT-STOP',
    'with it',
    { channel: 'text', ...sold },
    selling({ contact: phone() }),
    said('Quimby Lending: buy now. Reply STOP to end texts'),
    false,
  ],
  ['BIZ-TEXT-STOP', 'a first text without the word', remind, textTo({}), said('Quimby Lending: hello.'), true],
  ['BIZ-TEXT-STOP', 'with it', remind, textTo({}), said('Quimby Lending: hello. Reply STOP to end texts'), false],
  ['BIZ-TEXT-STOP', 'a second text', remind, textTo(texted), said('Quimby Lending: hello.'), false],
  ['BIZ-TEXT-STOP', 'a first one that answers', { ...remind, isTransactional: true }, textTo({}), said('Quimby Lending: hello.'), false],
  [
    'CA-LICENSE',
    'California, and the number is not shown',
    mail,
    own(atHome('CA')),
    said(`${LAWFUL} ${FIRST}`, { licenseNumber: '10123-99' }),
    true,
  ],
  ['CA-LICENSE', 'and it is', mail, own(atHome('CA')), said(`${LAWFUL} ${FIRST} License 10123-99`, { licenseNumber: '10123-99' }), false],
  ['CA-LICENSE', 'a company without one', mail, own(atHome('CA')), said(`${LAWFUL} ${FIRST}`), false],
  ['CA-LICENSE', 'Ohio', mail, own(), said(LAWFUL, { licenseNumber: '10123-99' }), false],
  ['DC-DISCLOSURE', 'a creditor writes to the District', mail, own(atHome('DC')), said(LAWFUL), true],
  ['DC-DISCLOSURE', 'and says what it does', mail, own(atHome('DC')), said(`${LAWFUL} ${FIRST}`), false],
  ['MA-RIGHTS', 'an agency writes to Massachusetts first', mail, agency(atHome('MA')), said(`${LAWFUL} ${FIRST}`), true],
  ['MA-RIGHTS', 'with the notice', mail, agency(atHome('MA')), said(`${LAWFUL} ${FIRST} NOTICE OF IMPORTANT RIGHTS: …`), false],
  ['MA-RIGHTS', 'in Spanish', mail, agency(atHome('MA')), spanish(`${LAWFUL_ES} ${FIRST_ES} Aviso de derechos importantes: …`), false],
  ['MA-RIGHTS', 'later', mail, agency({ ...atHome('MA'), ...before }), said(`${LAWFUL} ${LATER}`), false],
  ['MA-RIGHTS', 'a creditor', mail, own(atHome('MA')), said(LAWFUL), false],
  ['MA-RIGHTS', 'an agency writes to Ohio', mail, agency(), said(`${LAWFUL} ${FIRST}`), false],
  ...ROWS_OF_NEW_YORK_CITY,
  [
    'US-LOCATE-TEXTS',
    'a letter that looks for the borrower and names a debt',
    { channel: 'mail', theme: 'opsCollLocateBorrower' },
    own({ contact: letterbox() }),
    said('Quimby Lending. Where is Ada? She owes us.'),
    true,
  ],
  [
    'US-LOCATE-TEXTS',
    'and does not',
    { channel: 'mail', theme: 'opsCollLocateBorrower' },
    own({ contact: letterbox() }),
    said('Quimby Lending. Do you know where Ada lives?'),
    false,
  ],
];

const outcomeOf = (code: string, asked: Partial<ContactPlan>, around: Situation, message: MessageText): boolean =>
  judge(plan(asked), around, message).rules.some((rule) => rule.code === code && rule.blocks);

for (const [code, what, asked, around, message, isBlocked] of ROWS) {
  test(`${code}: ${what}: ${isBlocked ? 'blocked' : 'allowed'}`, async (t) => {
    t.equal(outcomeOf(code, asked, around, message), isBlocked);
    const [without, verdict] = [judge(plan(asked), around), judge(plan(asked), around, message)];
    t.equal(verdict.result, without.result && !isBlocked, 'its words alone make the difference');
    if (without.result && isBlocked)
      t.match(verdict, { blockReason: 'complianceRule', sendAt: null, description: /(Missing|Not allowed): / });
  });
}

test('each rule about words has a case for both verdicts, or one of its own below', async (t) => {
  for (const { code, kind } of SEED_RULES) {
    if (kind !== 'content' || ['US-THIRD-PARTY-TEXTS', 'US-LIMITED-CONTENT'].includes(code)) continue;
    const cases = ROWS.filter(([rule]) => rule === code);
    t.ok(cases.some(([, , , , , isBlocked]) => isBlocked) && cases.some(([, , , , , isBlocked]) => !isBlocked), code);
  }
});

test('a person who may not know of a debt reads nothing of one, be it of the borrower or of anybody', async (t) => {
  const around = own({ contact: stranger });
  const asked = { channel: 'mail', theme: 'opsServicing', subject: 'freeForm' } as const;
  t.ok(outcomeOf('US-THIRD-PARTY-TEXTS', asked, around, said('Your brother has not paid his loan.')));
  t.notOk(outcomeOf('US-THIRD-PARTY-TEXTS', asked, around, said('Please ask Ada to write to us.')));
  const spouse = own({ contact: { ...stranger, affiliation: 'spouse' } });
  t.notOk(outcomeOf('US-THIRD-PARTY-TEXTS', asked, spouse, said('Your husband has not paid his loan.')));
});

test('a voicemail names the sender, asks to be called and says nothing of a debt', async (t) => {
  const around = own({ contact: phone() });
  const code = 'US-LIMITED-CONTENT';
  t.notOk(outcomeOf(code, {}, around, said('This is Robin Smith calling from Quimby Lending. Please call me at 614-555-0143.')));
  t.ok(outcomeOf(code, {}, around, said('This is Quimby Lending about your overdue payment. Please call 614-555-0143.')));
  t.ok(outcomeOf(code, {}, around, said('This is Quimby Lending. Goodbye.')));
  t.ok(outcomeOf(code, {}, around, said('Please call 614-555-0143.')));
});

test('a code for one use passes whatever it says, and without its words a message is judged as before', async (t) => {
  const asked = { channel: 'text', theme: 'opsAccountCredentials', subject: 'confirmationCode', isTransactional: true } as const;
  for (const loans of [[loan()], [overdueLoan()], [overdueLoan({ servicedBy: 'thirdPartyServicer' })]])
    t.match(judge(plan(asked), situation({ contact: phone(), loans }), said('123456')), { result: true });
  t.match(judge(plan({ channel: 'mail' }), agency({ contact: letterbox() })), { result: true });
  t.match(judge(plan({ channel: 'mail' }), agency({ contact: letterbox() }), said('')), { result: false });
});

test('the objection names the rule and words that satisfy it, in the language of the message', async (t) => {
  const english = judge(plan({ channel: 'mail' }), agency({ contact: letterbox() }), said('Quimby Lending'));
  t.match(english, { ruleCode: 'US-DISCLOSURE-FIRST', ruleId: 'CR-USMM-FRST', description: /"This is an attempt to collect a debt"/ });
  t.match(judge(plan({ channel: 'mail' }), agency({ contact: letterbox() }), spanish('Quimby Lending')), {
    description: /"Este es un intento de cobrar una deuda"/,
  });
});

test('a call about a debt to Massachusetts or New York City has a warning about what to say', async (t) => {
  const warned = (
    home: ReturnType<typeof homeIn> | null,
    asked: Partial<ContactPlan> = {},
    person: object = {},
    contact = phone(),
  ): string => judge(plan(asked), own({ contact, person: { home, ...person } })).warnings.join(' ');
  t.match(warned(homeIn('MA')), /Massachusetts: say the name of the company and your own/);
  t.notMatch(warned(homeIn('MA'), {}, {}, phone(undefined, { affiliation: 'sibling' })), /Massachusetts: say/, 'others learn no company');
  t.notMatch(warned(homeIn('MA'), { channel: 'text' }), /Massachusetts: say/);
  t.match(warned(homeIn('NY', '10001')), /New York City: ask which language the borrower prefers/);
  t.notMatch(warned(homeIn('NY', '10001'), {}, { language: 'es' }), /which language/);
  t.notMatch(warned(homeIn('NY', '12207', 'Albany')), /which language/);
  t.notMatch(warned(homeIn('OH')), /Massachusetts: say|which language/);
  t.notMatch(warned(null), /Massachusetts: say|which language/);
});
