import { createHmac } from 'node:crypto';
import { type Test, test } from 'tap';
import { fieldsSignature } from '../../../../gateway/delivery/text-provider.js';
import { TextProvider } from '../../../../gateway/index.js';
import { type TextServer, textServerFor } from '../../delivery-servers.js';
import { ask as askPath, type HttpAnswer } from '../../harness.js';
import { dataOf, idOf, listOf, PUBLIC_URL, TEXT_SECRET } from '../http-lender.js';
import { openPostedBy, type PostedBy } from './posting.js';
import { COLLECTING } from './writing.js';

const MINUTE = 60_000;
const ACCOUNT = 'AC0001';

interface Texted extends PostedBy {
  readonly server: TextServer;
  text(): Promise<string>;
  contact(): Promise<Record<string, unknown>>;
  /** What the provider reports, signed by it unless the test says otherwise. */
  report(id: string, fields: Record<string, string>, signature?: string): Promise<HttpAnswer>;
  /** A text that has come in at the provider. */
  comes(fields: Record<string, string>, signature?: string): Promise<HttpAnswer>;
}

async function openTexted(t: Test, account: string | null): Promise<Texted> {
  const server = await textServerFor(t);
  const text = new TextProvider({ url: server.url, secret: TEXT_SECRET, account, from: '+12025550100', publicUrl: PUBLIC_URL });
  const posted = await openPostedBy(t, { text });
  await posted.template({ channel: 'text' });
  const { ask, personId, contacts, company, port } = posted;
  return {
    ...posted,
    server,
    async text() {
      const id = idOf(await posted.send({ channel: 'text', context: COLLECTING.context }));
      await posted.deliver();
      return id;
    },
    contact: async () => dataOf(await ask('GET', `/people/${personId}/contacts/${contacts.phone}`)),
    report: (id, fields, signature) => postFields(port, `/api/communicator/callbacks/text/${company}/live/${id}`, fields, signature),
    comes: (fields, signature) => postFields(port, `/api/communicator/callbacks/inbound-texts/${company}/live`, fields, signature),
  };
}

function postFields(port: number, path: string, fields: Record<string, string>, signature?: string): Promise<HttpAnswer> {
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'X-Provider-Signature': signature ?? fieldsSignature(`${PUBLIC_URL}${path}`, fields, TEXT_SECRET),
  };
  return askPath(port, path, { method: 'POST', key: false, headers, body: new URLSearchParams(fields).toString() });
}

test('a text is posted as JSON that the receiver can check, under a key that each try repeats', async (t) => {
  const { server, text, interaction, company, wait, deliver } = await openTexted(t, null);
  server.answer = { status: 503, body: {} };
  const id = await text();
  server.answer = null;
  await wait(MINUTE);
  await deliver();
  const [first, second] = server.posted;
  t.match(JSON.parse(second?.body ?? '{}'), {
    interactionId: id,
    company,
    mode: 'live',
    from: '+12025550100',
    to: /^\+1/,
    contentText: 'Good morning, Annabel.',
    statusCallback: `${PUBLIC_URL}/api/communicator/callbacks/text`,
  });
  const { 'webhook-id': key, 'webhook-timestamp': seconds, 'webhook-signature': signature } = second?.headers ?? {};
  t.equal(signature, `v1,${createHmac('sha256', TEXT_SECRET).update(`${key}.${seconds}.${second?.body}`).digest('base64')}`);
  t.equal(key, `${company}/live/${id}`);
  t.equal(first?.headers['idempotency-key'], second?.headers['idempotency-key']);
  t.match(await interaction(id), { status: 'attempted', statusDetails: null });
});

test('a provider that takes a form gets one under the account, with the address of its status reports', async (t) => {
  const { server, text, interaction, company, report } = await openTexted(t, ACCOUNT);
  const id = await text();
  const [posted] = server.posted;
  t.equal(posted?.headers['authorization'], `Basic ${Buffer.from(`${ACCOUNT}:${TEXT_SECRET}`).toString('base64')}`);
  t.match(Object.fromEntries(new URLSearchParams(posted?.body)), {
    To: /^\+1/,
    From: '+12025550100',
    Body: 'Good morning, Annabel.',
    StatusCallback: `${PUBLIC_URL}/api/communicator/callbacks/text/${company}/live/${id}`,
  });
  t.match(await report(id, { MessageSid: 'SM1', MessageStatus: 'sent' }), { status: 204 });
  t.match(await interaction(id), { status: 'attempted' });
  t.match(await report(id, { MessageSid: 'SM1', MessageStatus: 'delivered', 'Unknown Field': 'is signed too' }), { status: 204 });
  t.match(await interaction(id), { status: 'succeeded', statusDetails: null });
});

test('a form that is not signed, or for another text, changes nothing', async (t) => {
  const { text, interaction, report } = await openTexted(t, ACCOUNT);
  const [id, other] = [await text(), await text()];
  const fields = { MessageStatus: 'failed', ErrorCode: '30007' };
  t.match(await report(id, fields, 'none'), { status: 401 });
  t.match(await report(id, fields, fieldsSignature(`${PUBLIC_URL}/api/communicator/callbacks/text/x`, fields, TEXT_SECRET)), {
    status: 401,
  });
  t.match(await interaction(id), { status: 'attempted' });
  t.match(await interaction(other), { status: 'attempted' });
});

test('what a provider says of a number comes back to the contact', async (t) => {
  const { text, interaction, report, contact } = await openTexted(t, ACCOUNT);
  const id = await text();
  await report(id, { MessageStatus: 'undelivered', ErrorCode: '30006' });
  t.match(await interaction(id), { status: 'failed', statusDetails: 'textLandlineOrUnreachableCarrier', providerErrorCode: '30006' });
  t.match(await contact(), { receiveTextMessages: false });
});

test('a number that is no longer in service is marked as disconnected', async (t) => {
  const { text, report, contact } = await openTexted(t, ACCOUNT);
  await report(await text(), { MessageStatus: 'failed', ErrorCode: '30005' });
  t.match(await contact(), { phoneDisconnectionDetails: { disconnectionStatus: 'disconnected' } });
});

test('a recipient who has said STOP to the provider gets no more texts', async (t) => {
  const { server, text, interaction, contact, send } = await openTexted(t, ACCOUNT);
  server.answer = { status: 400, body: { code: 21610, message: 'Attempt to send to +12025550143, who has unsubscribed' } };
  const id = await text();
  t.match(await interaction(id), { status: 'failed', statusDetails: 'textUnsubscribedRecipient', providerErrorCode: '21610' });
  t.match(await contact(), { receiveTextMessages: false });
  t.match(await send({ channel: 'text' }), { status: 422 });
});

test('a code that nobody knows has failed, and wrong credentials are tried again', async (t) => {
  const { server, text, interaction, reports } = await openTexted(t, ACCOUNT);
  server.answer = { status: 400, body: { code: 99999 } };
  t.match(await interaction(await text()), { status: 'failed', statusDetails: 'textUnknownError', providerErrorCode: '99999' });
  server.answer = { status: 401, body: { code: 20003, message: `not ${TEXT_SECRET}` } };
  t.match(await interaction(await text()), { status: 'attempted' });
  t.match(reports.join(), 'the provider of texts answered 401 (20003)');
  t.notMatch(reports.join(), TEXT_SECRET);
});

const NUMBERS = { From: '+12025550143', To: '+12025550100' };

test('a borrower who answers STOP to the provider gets no more texts, and one confirmation', async (t) => {
  const { comes, contact, ask, personId, send } = await openTexted(t, ACCOUNT);
  const stop = { ...NUMBERS, Body: 'Stop.', MessageSid: 'SM-in-1' };
  t.match(await comes(stop), { status: 204 });
  t.match(await contact(), { receiveTextMessages: false });
  t.match(await comes(stop), { status: 204 }, 'the provider posts it again');
  const inbound = listOf(await ask('GET', `/people/${personId}/interactions?direction=inbound`));
  t.match(inbound, [{ channel: 'text', direction: 'inbound', content: { contentText: 'Stop.', from: '+12025550143' } }]);
  t.equal(inbound.length, 1);
  t.match(await send({ channel: 'text' }), { status: 422 });
  t.match(await comes({ ...NUMBERS, Body: 'START', MessageSid: 'SM-in-2' }), { status: 204 });
  t.match(await contact(), { receiveTextMessages: true });
});

test('a text that nobody has signed, or of no sender, is refused with all that is wrong', async (t) => {
  const { comes, contact } = await openTexted(t, ACCOUNT);
  t.match(await comes({ ...NUMBERS, Body: 'STOP', MessageSid: 'SM-in-3' }, 'none'), { status: 401 });
  t.match(await contact(), { receiveTextMessages: true });
  t.match(await comes({ Body: 'STOP' }), { status: 400, json: { errors: [{ path: 'From' }, { path: 'MessageSid' }] } });
});

test('a text of an unknown number is for the agents', async (t) => {
  const { comes, ask } = await openTexted(t, ACCOUNT);
  t.match(await comes({ ...NUMBERS, From: '+12025550199', Body: 'Who is this?', MessageSid: 'SM-in-4' }), { status: 204 });
  t.match(listOf(await ask('GET', '/interactions?personId=null')), [{ personId: null, channel: 'text', direction: 'inbound' }]);
});
