import { type Test, test } from 'tap';
import { SHARED_SHARD } from '../../../../actors/index.js';
import { ProcessMetrics } from '../../../../gateway/index.js';
import { listOf } from '../http-lender.js';
import { ANN, type Mailed, openMailbox, type WithMailbox } from './mailbox.js';

interface Said {
  readonly type?: string | null;
  /** Fields of the report beside its type. */
  readonly fields?: readonly string[];
  readonly returned?: 'message/rfc822' | 'text/rfc822-headers';
}

/** A feedback report as mailbox providers write it (RFC 5965). */
const complaint = (
  headers: string,
  { type = 'abuse', fields = [`Original-Rcpt-To: <${ANN}>`], returned = 'message/rfc822' }: Said = {},
): string => `From: <feedback@provider.example>
To: <bounces@operator.example>
Subject: FW: A message
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report;
\tboundary="part1_13d.2e68ed54_boundary"

--part1_13d.2e68ed54_boundary
Content-Type: text/plain; charset="US-ASCII"
Content-Transfer-Encoding: 7bit

This is an email abuse report for an email message.

--part1_13d.2e68ed54_boundary
Content-Type: message/feedback-report

${[...(type === null ? [] : [`Feedback-Type: ${type}`]), 'User-Agent: SomeGenerator/1.0', 'Version: 1', ...fields].join('\n')}
Source-IP: 192.0.2.1

--part1_13d.2e68ed54_boundary
Content-Type: ${returned}
Content-Disposition: inline

${headers}
${returned === 'message/rfc822' ? '\nGood morning\n' : ''}
--part1_13d.2e68ed54_boundary--
`;

/** A consent to marketing that the borrower has neither given nor refused. */
const NOT_SAID = { status: 'revoked', source: null, obtainedAt: null };
const REFUSED = { status: 'revoked', source: 'borrower' };

const UNTOUCHED = { status: 'attempted', statusDetails: 'emailSent' };

/** Headers in which the provider has hidden who got the e-mail (RFC 6590). */
const redacted = (headers: string): string => headers.replaceAll(ANN, 'kT3qkEOg@example.com');

test('a complaint that comes as mail ends the message and marketing by e-mail, and says nothing of the address', async (t) => {
  const { mailed, arrive, left, outcomes, interaction, isValid, marketing } = await openMailbox(t);
  const { id, headers } = await mailed();
  t.match(await marketing(), NOT_SAID);
  await arrive(complaint(headers));
  t.match(await interaction(id), { status: 'failed', statusDetails: 'emailReportedAsSpam' });
  t.match(await marketing(), REFUSED);
  t.equal(await isValid(), true);
  t.same([left(), outcomes], [[0, 0], ['complaint']]);
});

test('after a complaint no e-mail goes out that answers nothing', async (t) => {
  const { mailed, arrive, send } = await openMailbox(t);
  const { headers } = await mailed();
  await arrive(complaint(headers));
  t.match(await send(), { status: 422, json: { blockReason: 'noConsent' } });
  t.match(await send({ isTransactional: true }), { status: 200 });
});

for (const [name, said] of [
  ['as fraud', { type: 'Fraud' }],
  ['as an opt-out', { type: 'opt-out' }],
  ['with the headers alone', { returned: 'text/rfc822-headers' }],
  ['of the recipient in the headers', { fields: [] }],
  ['of one recipient among several', { fields: ['Original-Rcpt-To: bob@example.com', `Original-Rcpt-To: rfc822;${ANN.toUpperCase()}`] }],
] as const satisfies readonly (readonly [string, Said])[]) {
  test(`a complaint ${name} is one`, async (t) => {
    const { mailed, arrive, interaction, marketing } = await openMailbox(t);
    const { id, headers } = await mailed();
    await arrive(complaint(headers, said));
    t.match(await interaction(id), { statusDetails: 'emailReportedAsSpam' });
    t.match(await marketing(), REFUSED);
  });
}

/** Nothing has changed for the borrower, and the mail has come to this. */
async function expectNothing(
  t: Test,
  { interaction, isValid, marketing, left, outcomes }: WithMailbox,
  { id }: Mailed,
  expected: { readonly outcome: string; readonly aside: number },
): Promise<void> {
  t.match(await interaction(id), UNTOUCHED);
  t.equal(await isValid(), true);
  t.match(await marketing(), NOT_SAID);
  t.same(left(), [0, expected.aside]);
  t.equal(outcomes.at(-1), expected.outcome);
}

test('a report that it is no spam changes nothing and is removed', async (t) => {
  const opened = await openMailbox(t);
  const sent = await opened.mailed();
  await opened.arrive(complaint(sent.headers, { type: 'not-spam' }));
  await expectNothing(t, opened, sent, { outcome: 'withoutEffect', aside: 0 });
});

for (const type of ['virus', 'auth-failure', 'other', 'constructor', null]) {
  test(`a report of the type ${String(type)} changes nothing and is for people`, async (t) => {
    const opened = await openMailbox(t);
    const sent = await opened.mailed();
    await opened.arrive(complaint(sent.headers, { type }));
    await expectNothing(t, opened, sent, { outcome: 'forPeople', aside: 1 });
  });
}

test('a report whose type nobody knows is for people', async (t) => {
  const opened = await openMailbox(t);
  const sent = await opened.mailed();
  await opened.arrive(complaint(sent.headers).replace('report-type=feedback-report', 'report-type=constructor'));
  await expectNothing(t, opened, sent, { outcome: 'forPeople', aside: 1 });
});

test('a complaint about no e-mail of the service, of another company, or of somebody who did not get it, is not believed', async (t) => {
  const opened = await openMailbox(t);
  const { h, company, arrive, outcomes } = opened;
  const sent = await opened.mailed();
  const { id, headers } = sent;
  const other = h.engine.world.ids.encode('CP', SHARED_SHARD, 2);
  for (const mode of ['test', 'live'] as const) {
    const body = { name: 'Southwind Lending', timezone: 'America/New_York' };
    await h.command('company.create', null, body, { system: true, mode, company: other, params: { newId: other } });
  }
  const mallory = headers.replaceAll(ANN, 'mallory@example.com').replace(/^List-Unsubscribe:.*(\r\n[ \t].*)*\r\n/m, '');
  for (const forged of [
    complaint(headers.replaceAll(id, 'IN-AAAA-AAAA')),
    complaint(headers.replaceAll(company, other)),
    complaint(headers.replaceAll(company, 'CP-AAAA-AAAA')),
    complaint(headers.replaceAll('.live@', '.test@')),
    complaint(mallory, { fields: ['Original-Rcpt-To: mallory@example.com'] }),
    complaint(mallory, { fields: [] }),
  ]) {
    await arrive(forged);
    t.equal(outcomes.at(-1), 'notBelieved');
  }
  await expectNothing(t, opened, sent, { outcome: 'notBelieved', aside: 6 });
  await arrive(complaint('Message-ID: <1234@other.example>'));
  await expectNothing(t, opened, sent, { outcome: 'forPeople', aside: 7 });
});

test('where the provider hides the recipient, the link of the e-mail proves it, and no other link does', async (t) => {
  const opened = await openMailbox(t);
  const [first, second] = [await opened.mailed(), await opened.mailed()];
  const hidden = { fields: ['Original-Rcpt-To: <kT3qkEOg@example.com>'] };
  const code = (headers: string): string => /\/unsubscribe\/[^>]*\/([A-Za-z0-9_-]+)>/.exec(headers)?.[1] ?? '';
  t.ok(code(first.headers).length > 20);
  await opened.arrive(complaint(redacted(first.headers).replace(code(first.headers), code(second.headers)), hidden));
  await expectNothing(t, opened, first, { outcome: 'notBelieved', aside: 1 });
  await opened.arrive(complaint(redacted(first.headers), hidden));
  t.match(await opened.interaction(first.id), { statusDetails: 'emailReportedAsSpam' });
  t.match(await opened.interaction(second.id), UNTOUCHED);
  t.match(await opened.marketing(), REFUSED);
});

test('a complaint counts whichever address the borrower has by now, and a second one changes nothing', async (t) => {
  const { ask, personId, mailed, arrive, interaction, isValid, marketing, outcomes } = await openMailbox(t);
  const { id, headers } = await mailed();
  const contacts = listOf(await ask('GET', `/people/${personId}/contacts`));
  const contactId = String(contacts.find(({ contactType }) => contactType === 'email')?.['id']);
  await ask('PUT', `/people/${personId}/contacts/${contactId}`, { value: 'ann.new@example.com' });
  await arrive(complaint(headers));
  t.match(await interaction(id), { statusDetails: 'emailReportedAsSpam' });
  const refused = await marketing();
  t.match(refused, REFUSED);
  await arrive(complaint(headers));
  t.same(await marketing(), refused);
  t.equal(await isValid(), true);
  t.same(outcomes, ['complaint', 'complaint']);
});

test('mails that report are counted by what they have come to', async (t) => {
  const metrics = new ProcessMetrics();
  const { reported } = metrics.messages();
  for (const outcome of ['complaint', 'notBelieved', 'notBelieved'] as const) reported(outcome);
  const text = await metrics.registry.metrics();
  t.match(text, /tenor_mail_reports_total\{outcome="complaint"\} 1\n/);
  t.match(text, /tenor_mail_reports_total\{outcome="notBelieved"\} 2\n/);
});
