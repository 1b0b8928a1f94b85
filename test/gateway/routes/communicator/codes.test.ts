import { type Test, test } from 'tap';
import { SmtpMessages, TextProvider } from '../../../../gateway/index.js';
import { ANN, EMAIL, PHONE } from '../../../actors/borrower/lender.js';
import { type MailServer, mailServerFor, type TextServer, textServerFor } from '../../delivery-servers.js';
import { type HttpLender, dataOf, idOf, openHttpLender, PUBLIC_URL, TEXT_SECRET } from '../http-lender.js';

const PASSWORD = 'correct horse battery';
const CONTACTS = '/people/ext-ann-1/contacts';

interface Coded extends HttpLender {
  readonly mail: MailServer;
  readonly texts: TextServer;
  readonly reports: string[];
}

/** The live mode, whose codes go out by real servers. */
async function openCoded(t: Test, withTemplates = true): Promise<Coded> {
  const [mail, texts] = [await mailServerFor(t), await textServerFor(t)];
  const email = new SmtpMessages({ url: mail.url, from: 'Loans <loans@operator.example>' });
  const text = new TextProvider({ url: texts.url, secret: TEXT_SECRET, account: 'AC1', from: '+12025550100', publicUrl: PUBLIC_URL });
  t.teardown(() => email.close());
  const reports: string[] = [];
  const codes = { adapters: { email, text }, reports };
  const lender = await openHttpLender(t, undefined, { company: { withTemplates }, codes });
  return {
    ...lender,
    mail,
    texts,
    reports,
    ask: (method, path, body, question = {}) => lender.ask(method, path, body, { key: lender.keys.live, ...question }),
  };
}

const codeIn = (text: string): string => /code is (\d{6})/.exec(text)?.[1] ?? '';
const textOf = ({ texts }: Coded): string => new URLSearchParams(texts.posted.at(-1)?.body).get('Body') ?? '';

async function until(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('a code for a contact goes out at once by the company’s template, and is recorded nowhere', async (t) => {
  const coded = await openCoded(t);
  const { ask, mail, h, reports } = coded;
  const { personId } = { personId: idOf(await ask('POST', '/people', ANN)) };
  const [email, phone] = [idOf(await ask('POST', CONTACTS, EMAIL)), idOf(await ask('POST', CONTACTS, PHONE))];
  t.match(await ask('POST', `${CONTACTS}/${email}/confirmation-codes`), { status: 200 });
  t.match(mail.mails, [{ to: ['annabel.quimby@example.com'], text: /Subject: Your confirmation code/ }]);
  const code = codeIn(mail.mails[0]?.text ?? '');
  t.match(await ask('PUT', `${CONTACTS}/${email}?confirmationCode=${code}`, {}), { status: 200, json: { data: { verified: true } } });
  t.match(await ask('POST', `${CONTACTS}/${phone}/confirmation-codes`), { status: 200 });
  t.match(textOf(coded), /your confirmation code is \d{6}/);
  t.notOk(new URLSearchParams(coded.texts.posted[0]?.body).has('StatusCallback'), 'there is no record of which a status could be reported');
  t.match((await ask('GET', `/people/${personId}/interactions`)).json['data'], []);
  for (const each of [code, codeIn(textOf(coded))]) t.notOk(h.written().includes(each));
  t.same(reports, []);
});

test('no guard, no stop and no consent holds up a second factor', async (t) => {
  const coded = await openCoded(t);
  const { ask, company, mail } = coded;
  await ask('PUT', `/companies/${company}`, { config: { auth: { requireSecondFactor: true } } });
  const auths = [{ authType: 'basic', authValueType: 'phone', value: '+12025550143' }];
  await ask('POST', '/people', ANN);
  const phone = idOf(await ask('POST', CONTACTS, PHONE));
  await ask('PUT', `${CONTACTS}/${phone}`, { receiveTextMessages: false });
  t.match(await ask('POST', '/users', { type: 'agent', userName: 'ada', auths, roleIds: [], password: PASSWORD }), { status: 200 });
  const signIn = (more: object = {}): ReturnType<typeof ask> =>
    ask('POST', '/auth/token?mode=live', { username: 'ada', password: PASSWORD, ...more }, { key: false });
  const asked = await signIn();
  t.match(asked, { status: 401, json: { errorType: 'secondFactorRequired', factor: 'text' } });
  t.match(await signIn({ challengeId: asked.json['challengeId'], code: codeIn(textOf(coded)) }), { status: 200 });
  t.same(mail.mails, []);
});

test('a forgotten password is set with what came by e-mail', async (t) => {
  const { ask, mail } = await openCoded(t);
  const auths = [{ authType: 'basic', authValueType: 'email', value: 'ada@northwind.example' }];
  await ask('POST', '/users', { type: 'agent', userName: 'ada', auths, roleIds: [], password: PASSWORD });
  t.match(await ask('POST', '/auth/password-reset', { username: 'ada' }, { key: false }), { status: 200 });
  await until(() => mail.mails.length > 0);
  t.match(mail.mails, [{ to: ['ada@northwind.example'], text: /Subject: Set a new password/ }]);
  const token = /Use the code (\S+) to/.exec(mail.mails[0]?.text ?? '')?.[1];
  const set = await ask('PUT', '/auth/password-reset', { token, password: 'another horse battery' }, { key: false });
  t.match(set, { status: 200 });
});

test('a company without a template sends its codes in plain words', async (t) => {
  const { ask, mail } = await openCoded(t, false);
  await ask('POST', '/people', ANN);
  const email = idOf(await ask('POST', CONTACTS, EMAIL));
  t.match(await ask('POST', `${CONTACTS}/${email}/confirmation-codes`), { status: 200 });
  t.match(mail.mails[0]?.text, /: your code is \d{6}\. Nobody will ask you for it\./);
});

test('a code that cannot be sent is an error for its caller, and named nowhere', async (t) => {
  const { ask, mail, reports } = await openCoded(t);
  await ask('POST', '/people', ANN);
  const email = idOf(await ask('POST', CONTACTS, EMAIL));
  mail.refusal = { at: 'RCPT', code: 451, text: '4.7.1 later' };
  t.match(await ask('POST', `${CONTACTS}/${email}/confirmation-codes`), { status: 503, headers: { 'retry-after': '30' } });
  t.match(reports.join(), 'the mail server answered 451');
  t.notMatch(reports.join(), /\d{6}|annabel/);
  t.match(dataOf(await ask('GET', `${CONTACTS}/${email}`)), { valid: true });
});
