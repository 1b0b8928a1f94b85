import { type Test, test } from 'tap';
import { SmtpMessages } from '../../../../gateway/index.js';
import { type MailServer, mailServerFor } from '../../delivery-servers.js';
import { ask as askPath, type HttpAnswer } from '../../harness.js';
import { dataOf, idOf, PUBLIC_URL } from '../http-lender.js';
import { bareId } from '../make-template.js';
import { openPostedBy, type PostedBy } from './posting.js';

const MINUTE = 60_000;

interface Mailed extends PostedBy {
  readonly server: MailServer;
  /** Without a credential. */
  open(method: string, url: string, body?: string): Promise<HttpAnswer>;
  consent(name: string): Promise<string>;
}

const CONTENT = {
  subjectLineTemplate: 'Hello {{ person.name.firstName }}',
  contentHtmlTemplate: '<p>{{ greeting }}</p>{% if unsubscribeUrl != "" %}<a href="{{ unsubscribeUrl }}">unsubscribe</a>{% endif %}',
  contentTextTemplate: '{{ greeting }} {{ unsubscribeUrl }}',
};

async function openMailed(t: Test): Promise<Mailed> {
  const server = await mailServerFor(t);
  const posted = await openPostedBy(t, { email: new SmtpMessages({ url: server.url, from: 'Loans <loans@operator.example>' }) });
  await posted.template({}, CONTENT);
  return {
    ...posted,
    server,
    open: (method, url, body) =>
      askPath(posted.port, url.replace(PUBLIC_URL, ''), {
        method,
        key: false,
        ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
      }),
    async consent(name) {
      const { json } = await posted.ask('GET', `/people/${posted.personId}/consents`);
      const all = (Array.isArray(json) ? json : json['data']) as readonly { readonly name: string; readonly obtainedAt: unknown }[];
      return JSON.stringify(all.find((one) => one.name === name));
    },
  };
}

const linkIn = (text: string): string => /List-Unsubscribe: <([^>]+)>/.exec(text)?.[1] ?? '';

test('an e-mail goes out by SMTP with both of its parts, under an id that each try repeats', async (t) => {
  const { server, send, deliver, interaction, company } = await openMailed(t);
  const id = idOf(await send());
  await deliver();
  t.match(server.mails, [{ from: 'loans@operator.example', to: ['annabel.quimby@example.com'] }]);
  const { text } = server.mails[0] ?? { text: '' };
  t.match(text, `Message-ID: <${id}.${company}.live@operator.example>`);
  t.match(text, 'Subject: Hello Annabel');
  t.match(text, /Content-Type: text\/plain[^]*Good morning[^]*Content-Type: text\/html[^]*<p>Good morning<\/p>/);
  t.match(await interaction(id), { status: 'attempted', statusDetails: 'emailSent' });
});

test('the sender and where answers go are those of the verified mail domain', async (t) => {
  const { server, send, deliver, ask, company, h } = await openMailed(t);
  const body = {
    domain: 'mail.northwind.example',
    fromLocalPart: 'hello',
    fromDisplayName: 'Northwind',
    replyTo: 'office@northwind.example',
  };
  const domain = idOf(await ask('POST', `/companies/${company}/sending-domains`, body));
  const found = {
    '_sending.mail.northwind.example': [`sending-domain=${domain}`],
    '_dmarc.mail.northwind.example': ['v=DMARC1; p=reject'],
  };
  await h.data('sendingDomain.verify', company, { found }, { mode: 'live', permissions: ['*'], params: { sendingDomainId: domain } });
  await send();
  await deliver();
  const { text } = server.mails[0] ?? { text: '' };
  t.match(text, 'From: Northwind <hello@mail.northwind.example>');
  t.match(text, 'Reply-To: office@northwind.example');
});

test('the documents of a message go with it', async (t) => {
  const { server, send, deliver, ask, personId } = await openMailed(t);
  const documentId = bareId(await ask('POST', `/people/${personId}/documents`, { type: 'evidence', fileName: 'notes.txt' }));
  const head = { headers: { 'Content-Type': 'text/plain' }, method: 'POST', body: 'what was agreed' };
  t.match(await ask('POST', `/people/${personId}/documents/${documentId}/content`, undefined, head), { status: 200 });
  await send({ attachments: [documentId] });
  await deliver();
  t.match(server.mails[0]?.text, /filename=notes\.txt/);
  t.match(server.mails[0]?.text, Buffer.from('what was agreed').toString('base64'));
});

test('a recipient that the mail server refuses for good is a bounce at once', async (t) => {
  const { server, send, deliver, interaction, ask, personId, contacts, reports } = await openMailed(t);
  server.refusal = { at: 'RCPT', code: 550, text: '5.1.1 <annabel.quimby@example.com> is not here' };
  const id = idOf(await send());
  await deliver();
  t.match(await interaction(id), { status: 'failed', statusDetails: 'emailBounced', providerErrorCode: '550 5.1.1' });
  t.match(dataOf(await ask('GET', `/people/${personId}/contacts/${contacts.email}`)), { valid: false });
  t.same(reports, []);
});

test('what is refused by policy, or as a whole, says nothing of the contact', async (t) => {
  const { server, send, deliver, interaction, ask, personId, contacts } = await openMailed(t);
  server.refusal = { at: 'RCPT', code: 550, text: '5.7.1 not from you' };
  const blocked = idOf(await send());
  await deliver();
  server.refusal = { at: 'DATA', code: 554, text: '5.6.0 looks odd' };
  const dropped = idOf(await send());
  await deliver();
  t.match(await interaction(blocked), { status: 'failed', statusDetails: 'emailBlocked' });
  t.match(await interaction(dropped), { status: 'failed', statusDetails: 'emailDropped', providerErrorCode: '554 5.6.0' });
  t.match(dataOf(await ask('GET', `/people/${personId}/contacts/${contacts.email}`)), { valid: true });
});

test('a refusal for the moment is tried again, and names nobody in the log', async (t) => {
  const { server, send, deliver, interaction, wait, reports } = await openMailed(t);
  server.refusal = { at: 'RCPT', code: 451, text: '4.7.1 <annabel.quimby@example.com> comes later' };
  const id = idOf(await send());
  await deliver();
  t.match(await interaction(id), { status: 'attempted', statusDetails: null });
  t.match(reports.join(), 'the mail server answered 451 to RCPT TO');
  t.notMatch(reports.join(), 'annabel');
  server.refusal = null;
  await wait(MINUTE);
  await deliver();
  t.equal(server.mails.length, 1);
  t.match(await interaction(id), { status: 'attempted', statusDetails: 'emailSent' });
});

test('a wrong password is a failure of the way there, and the log does not have it', async (t) => {
  const server = await mailServerFor(t);
  const url = server.url.replace(/:[^:@]+@/, ':another-secret@');
  const { template, send, deliver, interaction, reports } = await openPostedBy(t, {
    email: new SmtpMessages({ url, from: 'a@b.example' }),
  });
  await template();
  const id = idOf(await send());
  await deliver();
  t.match(await interaction(id), { status: 'attempted', statusDetails: null });
  t.match(reports.join(), 'EAUTH');
  t.notMatch(reports.join(), 'another-secret');
});

test('a recipient who follows the link of an e-mail is asked, and refuses marketing by the button or by the mail program', async (t) => {
  const { server, send, deliver, open, consent } = await openMailed(t);
  await send();
  await deliver();
  const { text } = server.mails[0] ?? { text: '' };
  t.match(text, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const link = linkIn(text);
  t.match(link, /^https:\/\/loans\.example\.com\/api\/communicator\/unsubscribe\/CP-/);
  t.match(text, `<a href="${link}">unsubscribe</a>`);
  const before = await consent('emailMarketing');
  const page = await open('GET', link);
  t.match(page, { status: 200, headers: { 'content-type': /^text\/html/ }, text: /<form method="post">/ });
  t.notMatch(page.text, /annabel|quimby/i);
  t.equal(await consent('emailMarketing'), before, 'looking changes nothing');
  t.match(await open('POST', link, 'List-Unsubscribe=One-Click'), { status: 200, text: /You are unsubscribed/ });
  t.match(await consent('emailMarketing'), /"status":"revoked".*"source":"borrower"/);
  t.not(await consent('emailMarketing'), before);
  t.match(await open('POST', link), { status: 200 }, 'a second time is the same');
});

test('a link that somebody has changed or made up leads nowhere', async (t) => {
  const { server, send, deliver, open, consent, personId, company } = await openMailed(t);
  const [first, second] = [idOf(await send()), idOf(await send())];
  await deliver();
  const mail = server.mails.find(({ text }) => text.includes(`<${first}.`));
  const link = linkIn(mail?.text ?? '');
  const wrong = [
    link.replace(first, second),
    link.replace('/live/', '/test/'),
    link.replace('/live/', '/both/'),
    `${link}x`,
    `${link.slice(0, -2)}__`,
    link.replace(/[^/]+$/, 'x'),
    link.replace(company, 'CP-AAAA-AAAA'),
  ];
  const before = await consent('emailMarketing');
  for (const one of wrong) for (const method of ['GET', 'POST']) t.match(await open(method, one), { status: 404 }, `${method} ${one}`);
  t.equal(await consent('emailMarketing'), before);
  t.match(personId, /^BO-/);
});

test('links of one network are followed so fast, and no faster', async (t) => {
  const { server, send, deliver, open } = await openMailed(t);
  await send();
  await deliver();
  const link = linkIn(server.mails[0]?.text ?? '');
  const answers = await Promise.all(Array.from({ length: 100 }, () => open('GET', link)));
  t.match(
    answers.find(({ status }) => status === 429),
    { headers: { 'retry-after': /^\d+$/ } },
  );
});

test('what is not marketing has no header by which a mail program would refuse it', async (t) => {
  const { server, send, deliver } = await openMailed(t);
  await send({ isTransactional: true });
  await deliver();
  t.notMatch(server.mails[0]?.text, 'List-Unsubscribe');
});

test('an e-mail to agents has no link by which somebody would unsubscribe the borrower', async (t) => {
  const { server, send, deliver, ask, personId } = await openMailed(t);
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'deceased' }));
  const auths = [{ authType: 'basic', authValueType: 'username', value: 'eve' }];
  const userId = idOf(await ask('POST', '/users', { type: 'agent', userName: 'eve', auths }));
  const eve = idOf(await ask('POST', '/employees', { userId, firstName: 'Eve', email: 'eve@lender.example' }));
  await ask('PUT', `/people/${personId}/cases/${caseId}`, { owningEmployeeId: eve });
  t.match(await send({ theme: 'agentNotification', caseId, isTransactional: false }), { status: 200 });
  await deliver();
  t.match(server.mails, [{ to: ['eve@lender.example'] }]);
  t.notMatch(server.mails[0]?.text, /unsubscribe/i);
});
