import { test } from 'tap';
import { FAILURE_DESCRIPTIONS } from '../../../../actors/borrower/index.js';
import { STANDARD_FRAMES, type StandardFrame } from '../../../../actors/company/templates/standard-frames.js';
import { CODE_LANGUAGES, CODE_TEXTS, withCodeTexts } from '../../../../actors/contact/notices/code-texts.js';
import { LOAN_STATUSES } from '../../../../actors/loan/machine.js';
import { namesOf, type Subject } from '../../../../engine/index.js';

/** What the standard templates print that is no code of the service: amounts, dates, names, addresses, and what a lender has written. */
const NO_CODES: ReadonlySet<string> = new Set([
  ...[
    'company.brandName',
    'company.name',
    'company.phone',
    'company.licenseNumber',
    'company.mailingAddress',
    'bureauNames',
    'case.id',
    'code',
  ],
  ...[
    'person.name.firstName',
    'person.businessDetails.businessName',
    'loan.displayId',
    'portalUrl',
    'loginUrl',
    'unsubscribeUrl',
    'today',
    'closeReasonDescription',
  ],
  ...['amount', 'apr', 'creditLimitAmount', 'extraCharge', 'minimumDueAmount', 'overdueAmount', 'paymentAmount', 'row.amount'],
  ...['cureByDate', 'daysOverdue', 'expirationMonth', 'expirationYear', 'newPaymentDate', 'paymentDate', 'paymentDueDate', 'row.date'],
  ...['cardLastFour', 'paymentMethodLastFour'],
]);

/** The variables that a standard template prints. */
function printed({ texts, greeting, debtCollection, optOut, help }: StandardFrame, subject: Subject): readonly string[] {
  const { title = '', paragraphs = [], text = '' } = texts[subject] ?? {};
  const all = [title, ...paragraphs, text, greeting, debtCollection, optOut, help].join('\n');
  const found = [...all.matchAll(/\{\{\s*([A-Za-z.]+)|\bdefault: ([A-Za-z][A-Za-z.]*)/g)];
  return [...new Set(found.flatMap(([, name, other]) => name ?? other ?? []))].sort();
}

test('each code that a standard template prints has a text in the language of the template', async (t) => {
  const seen = new Set<string>();
  for (const frame of STANDARD_FRAMES)
    for (const subject of namesOf(frame.texts))
      for (const name of printed(frame, subject)) {
        if (NO_CODES.has(name)) continue;
        seen.add(name);
        t.ok(Object.hasOwn(CODE_TEXTS, name), `${name} in ${subject} (${frame.language}) is a code, or belongs to what is none`);
      }
  t.same([...seen].sort(), ['cancelReason', 'closeReason', 'failureReason', 'paymentMethod']);
  t.same(STANDARD_FRAMES.map(({ language }) => language).sort(), [...CODE_LANGUAGES].sort());
});

test('each code has a text in each language, of its own', async (t) => {
  for (const [name, texts] of Object.entries(CODE_TEXTS))
    for (const language of CODE_LANGUAGES) {
      const all = Object.entries(texts).map(([code, text]) => {
        t.match(text[language], /^\S.*\S$/, `${name}: ${code} in ${language}`);
        return text[language];
      });
      t.equal(new Set(all).size, all.length, `no two codes of ${name} are the same in ${language}`);
    }
  t.same(Object.keys(CODE_TEXTS['failureReason'] ?? {}).sort(), Object.keys(FAILURE_DESCRIPTIONS).sort());
  t.same(Object.keys(CODE_TEXTS['loanStatus'] ?? {}).sort(), [...LOAN_STATUSES].sort());
});

test('a template in another language prints whatever the English one prints', async (t) => {
  const [english, ...others] = STANDARD_FRAMES;
  for (const other of others)
    for (const subject of namesOf(other.texts)) {
      const prints = printed(other, subject);
      const lacking = english === undefined ? [] : printed(english, subject).filter((name) => !prints.includes(name));
      t.same(lacking, [], `${subject} in ${other.language}`);
    }
});

test('codes come in the language of the template, else in English, and stay beside it for conditions', async (t) => {
  const variables = { failureReason: 'accountClosed', paymentMethod: 'card', paymentAmount: 25, note: 'card' };
  const said = (language: string): object => withCodeTexts(variables, language);
  const codes = { failureReasonCode: 'accountClosed', paymentMethodCode: 'card', paymentAmount: 25, note: 'card' };
  t.same(said('es'), { ...codes, failureReason: 'La cuenta está cerrada.', paymentMethod: 'tarjeta' });
  for (const language of ['en', 'fr', 'constructor'])
    t.same(said(language), { ...codes, failureReason: 'The account has been closed.', paymentMethod: 'card' }, language);
});

test('a text in place of a code, as earlier releases have planned it, and no value stay as they are', async (t) => {
  for (const failureReason of ['The account has been closed.', 'constructor', '', null, 7])
    t.same(withCodeTexts({ failureReason }, 'es'), { failureReason });
  t.same(withCodeTexts({}, 'es'), {});
});
