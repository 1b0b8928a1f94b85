import { test } from 'tap';
import { Renderer } from '../../../../gateway/rendering/renderer.js';
import { longestPause } from '../../../longest-pause.js';
import { dataOf, listOf } from '../http-lender.js';
import { ANN, openMailbox } from './mailbox.js';

interface Said {
  readonly action?: string;
  readonly status?: string;
  readonly recipient?: string;
  readonly returned?: 'message/rfc822' | 'text/rfc822-headers';
}

/** A delivery status notification as mail servers write it (RFC 3464). */
const notification = (
  headers: string,
  { action = 'failed', status = '5.1.1', recipient = ANN, returned = 'text/rfc822-headers' }: Said = {},
): string => `Return-Path: <>
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
To: bounces@operator.example
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="4F0.1/mx.example.com"

--4F0.1/mx.example.com
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.example.com.

--4F0.1/mx.example.com
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com
Arrival-Date: Mon, 2 Mar 2026 10:00:00 -0500

Final-Recipient: rfc822; ${recipient}
Original-Recipient: rfc822;${recipient}
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 ${status} the mailbox
    does not take it

--4F0.1/mx.example.com
Content-Type: ${returned}

${headers}
${returned === 'message/rfc822' ? '\nGood morning\n' : ''}
--4F0.1/mx.example.com--
`;

test('a bounce that comes back as mail ends the message and its address', async (t) => {
  const { server, mailed, arrive, left, interaction, isValid } = await openMailbox(t);
  const { id, headers } = await mailed();
  t.equal(server.mails[0]?.from, 'bounces@operator.example', 'mail servers report to the sender of the envelope');
  t.match(headers, /^From: Loans <loans@operator\.example>/m);
  t.equal(await isValid(), true);
  await arrive(notification(headers));
  t.match(await interaction(id), { status: 'failed', statusDetails: 'emailBounced', providerErrorCode: '5.1.1' });
  t.equal(await isValid(), false);
  t.same(left(), [0, 0], 'what was read is removed');
});

for (const [said, details, code] of [
  [{ status: '5.7.1', returned: 'message/rfc822' }, 'emailBlocked', '5.7.1'],
  [{ status: '4.4.7' }, 'emailBlocked', '4.4.7'],
  [{ status: '5.2.2' }, 'emailBlocked', '5.2.2'],
  [{ status: '5.3.4' }, 'emailDropped', '5.3.4'],
  [{ action: 'delivered', status: '2.0.0' }, 'emailDelivered', '2.0.0'],
] as const satisfies readonly (readonly [Said, string, string])[]) {
  test(`a report with ${said.status} makes the message ${details} and says nothing of the address`, async (t) => {
    const { mailed, arrive, left, interaction, isValid } = await openMailbox(t);
    const { id, headers } = await mailed();
    await arrive(notification(headers, said));
    t.match(await interaction(id), { statusDetails: details, providerErrorCode: code });
    t.equal(await isValid(), true);
    t.same(left(), [0, 0]);
  });
}

test('a delay changes nothing, and a report that comes twice changes nothing the second time', async (t) => {
  const { mailed, arrive, left, interaction } = await openMailbox(t);
  const { id, headers } = await mailed();
  await arrive(notification(headers, { action: 'delayed', status: '4.4.1' }));
  t.match(await interaction(id), { status: 'attempted', statusDetails: 'emailSent' });
  await arrive(notification(headers));
  await arrive(notification(headers, { status: '5.2.1' }));
  t.match(await interaction(id), { statusDetails: 'emailBounced', providerErrorCode: '5.1.1' });
  t.same(left(), [0, 0]);
});

test('a report about another address or about no e-mail of the service, and what is no report, are put aside for people', async (t) => {
  const { mailed, arrive, left, interaction, isValid } = await openMailbox(t);
  const { id, headers } = await mailed();
  await arrive(notification(headers, { recipient: 'mallory@example.com' }));
  await arrive(notification(headers.replaceAll(id, 'IN-AAAA-AAAA')));
  await arrive(notification('Message-ID: <1234@other.example>'));
  await arrive('From: ann@example.com\nSubject: Hello\n\nIs this the lender?\n');
  await arrive('\u0000\u0001');
  t.match(await interaction(id), { status: 'attempted', statusDetails: 'emailSent' });
  t.equal(await isValid(), true);
  t.same(left(), [0, 5]);
});

test('an address that the borrower has replaced since stays valid', async (t) => {
  const { ask, personId, mailed, arrive, interaction, isValid } = await openMailbox(t);
  const { id, headers } = await mailed();
  const contacts = listOf(await ask('GET', `/people/${personId}/contacts`));
  const contactId = String(contacts.find(({ contactType }) => contactType === 'email')?.['id']);
  t.match(dataOf(await ask('PUT', `/people/${personId}/contacts/${contactId}`, { value: 'ann.new@example.com' })), { valid: true });
  await arrive(notification(headers));
  t.match(await interaction(id), { status: 'failed', statusDetails: 'emailBounced' });
  t.equal(await isValid(), true);
});

test('a mail that takes minutes to read holds up nobody, and is put aside for people', async (t) => {
  const { arrive, left, outcomes } = await openMailbox(t, new Renderer({ threads: 1, renderMs: 4_000 }));
  const parts = [`text/plain\n\nHello`, `text/html\n\n${'<!--'.repeat(200_000)}`].map((part) => `--b\nContent-Type: ${part}\n`);
  const mail = `From: mallory@example.com\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n${parts.join('')}--b--\n`;
  const pauseMs = await longestPause(() => arrive(mail));
  t.ok(pauseMs < 1_500, `nothing else ran for ${pauseMs} ms`);
  t.same(outcomes, ['forPeople']);
  t.same(left(), [0, 1]);
});

test('a report whose addresses and ids have no end is read in the time of its length', async (t) => {
  const { mailed, arrive, left, outcomes } = await openMailbox(t);
  const { headers } = await mailed();
  const endless = 'a@'.repeat(100_000);
  await arrive(notification(headers, { recipient: `${endless}< ` }));
  const ids = '<IN-AAAA-AAAA.CP-AAAA-AAAA.live@'.repeat(20_000);
  await arrive(notification(`Message-ID: ${ids}`));
  const complaint = notification(headers)
    .replaceAll('delivery-status', 'feedback-report')
    .replace('Reporting-MTA:', `Feedback-Type: abuse\nOriginal-Rcpt-To: ${'a'.repeat(400_000)}\nReporting-MTA:`);
  await arrive(complaint);
  t.same(outcomes, ['withoutEffect', 'forPeople', 'complaint'], 'none has taken too long');
  t.same(left(), [0, 1]);
});
