import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type Test } from 'tap';
import { type DeliveryAdapter, MessageRefused, Messenger, type OutgoingMessage } from '../../../../actors/index.js';
import { folderAdapters } from '../../../../persistence/index.js';
import { tempFolder } from '../../../temp-folder.js';
import { signatureOf } from '../../../../gateway/routes/communications/callbacks.js';
import { loanBody } from '../../../actors/loan/setting.js';
import { CALLBACK_SECRET, dataOf, idOf, listOf } from '../book-over-http.js';
import { COLLECTING, openWriting, type Writing } from './writing.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Posted extends Writing {
  readonly submitted: readonly OutgoingMessage[];
  /** What the next tries come to; then all are taken. */
  readonly answers: (Error | null)[];
  readonly messenger: Messenger;
}

/** The live mode with an adapter of the test's own. */
async function openPosted(t: Test): Promise<Posted> {
  const writing = await openWriting(t, 'live');
  const submitted: OutgoingMessage[] = [];
  const answers: (Error | null)[] = [];
  const adapter: DeliveryAdapter = {
    submit: async (message) => {
      submitted.push(message);
      const fault = answers.shift() ?? null;
      if (fault) throw fault;
      return { providerMessageId: `p-${submitted.length}` };
    },
  };
  await writing.template();
  return { ...writing, submitted, answers, messenger: messengerOf(writing, adapter) };
}

const messengerOf = ({ h }: Writing, adapter: DeliveryAdapter): Messenger =>
  new Messenger({ engine: h.engine, asked: h.engine, adapters: { email: adapter, text: adapter, mail: adapter }, report: () => undefined });

test('a live message is handed over once, with the id of its interaction as the key', async (t) => {
  const { send, messenger, submitted, interaction, company } = await openPosted(t);
  const id = idOf(await send());
  await messenger.run();
  await messenger.run();
  t.match(submitted, [
    {
      idempotencyKey: id,
      company,
      mode: 'live',
      channel: 'email',
      content: { to: ['annabel.quimby@example.com'], subjectLine: 'Hello Annabel' },
      mailIsCertified: false,
    },
  ]);
  t.equal(submitted.length, 1);
  t.match(await interaction(id), { status: 'attempted', statusDetails: 'emailSent' });
});

test('a way that fails is tried again after 1, 5 and 25 minutes, and then given up', async (t) => {
  const { send, messenger, submitted, answers, interaction, wait } = await openPosted(t);
  answers.push(...Array.from({ length: 4 }, () => new Error('the line is down')));
  const id = idOf(await send());
  await messenger.run();
  for (const minutes of [1, 5, 25]) {
    const before = submitted.length;
    await wait(minutes * MINUTE - SECOND);
    await messenger.run();
    t.equal(submitted.length, before, `not before ${minutes} minutes`);
    await wait(SECOND);
    await messenger.run();
    t.equal(submitted.length, before + 1, `after ${minutes} minutes`);
  }
  t.match(await interaction(id), { status: 'failed', statusDetails: 'emailDropped' });
  await wait(60 * MINUTE);
  await messenger.run();
  t.equal(submitted.length, 4);
});

test('what a provider refuses has failed at once, as it says', async (t) => {
  const { send, messenger, submitted, answers, interaction, ask, personId, contacts } = await openPosted(t);
  answers.push(new MessageRefused('emailBounced', '550'));
  const id = idOf(await send());
  await messenger.run();
  await messenger.run();
  t.equal(submitted.length, 1);
  t.match(await interaction(id), { status: 'failed', statusDetails: 'emailBounced', providerErrorCode: '550' });
  t.match(dataOf(await ask('GET', `/people/${personId}/contacts/${contacts.email}`)), { valid: false });
});

test('a message that waits is screened again before it goes out', async (t) => {
  const { send, messenger, submitted, interaction, wait, ask, personId } = await openPosted(t);
  const id = idOf(await send(COLLECTING));
  const stopped = idOf(await send());
  await wait(12 * 60 * MINUTE);
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'generic' }));
  await ask('POST', `/people/${personId}/cases/${caseId}/do-not-interacts`, {});
  await messenger.run();
  t.equal(submitted.length, 0);
  t.match(await interaction(id), { status: 'failed', statusDetails: 'blockedByComplianceGuard' });
  t.match(await interaction(stopped), { status: 'failed', statusDetails: 'blockedByComplianceGuard' });
});

test('what a borrower or an agent stops within the minute after it was queued does not go out', async (t) => {
  const { send, messenger, submitted, interaction, template, ask, personId, contacts } = await openPosted(t);
  await template({ channel: 'text' });
  const text = idOf(await send({ channel: 'text', context: COLLECTING.context }));
  const mail = idOf(await send());
  await ask('POST', '/communicator/receive', { channel: 'text', personId, contactId: contacts.phone, content: { contentText: 'STOP' } });
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'generic' }));
  await ask('POST', `/people/${personId}/cases/${caseId}/do-not-interacts`, { channels: ['email'] });
  await messenger.run();
  t.same(submitted, []);
  for (const id of [text, mail]) t.match(await interaction(id), { status: 'failed', statusDetails: 'blockedByComplianceGuard' });
});

test('the evening stops what was queued a moment before it', async (t) => {
  const { send, messenger, submitted, interaction, wait } = await openPosted(t);
  await wait(11 * 60 * MINUTE - 20 * SECOND);
  const id = idOf(await send(COLLECTING));
  await wait(30 * SECOND);
  await messenger.run();
  t.same(submitted, []);
  t.match(await interaction(id), { status: 'failed', statusDetails: 'blockedByComplianceGuard' });
});

test('a queued message does not go to a number or address that was put right meanwhile', async (t) => {
  const { send, messenger, submitted, interaction, ask, personId, contacts } = await openPosted(t);
  const id = idOf(await send());
  await ask('PUT', `/people/${personId}/contacts/${contacts.email}`, { value: 'ann.quimby@example.com' });
  await messenger.run();
  t.same(submitted, []);
  t.match(await interaction(id), { status: 'failed', statusDetails: 'invalidContact' });
});

test('what the service has queued by itself stops where an agency has taken the loan over meanwhile', async (t) => {
  const { messenger, submitted, ask, template, personId, company, h } = await openPosted(t);
  const descriptor = await template({ subject: 'freeFormBranded' });
  const { id: loanTypeId } = await h.data(
    'loanType.create',
    company,
    { type: 'installment', name: 'Personal loan' },
    { mode: 'live', permissions: ['*'] },
  );
  const loan = `/people/${personId}/loans/${idOf(await ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId, {})))}`;
  await ask('POST', `${loan}/activate`, {});
  const caseTypeId = idOf(await ask('POST', '/case-types', { caseType: 'legalAction', name: 'Small claim', status: 'active' }));
  await ask('POST', '/notification-types', {
    name: 'Letter',
    status: 'active',
    channel: 'email',
    theme: 'opsServicing',
    templateId: descriptor,
    caseTypeIds: [caseTypeId],
    onStatus: 'processing',
  });
  const made = `/people/${personId}/cases/${idOf(await ask('POST', `/people/${personId}/cases`, { caseTypeId }))}`;
  await ask('POST', `${made}/associations`, { loanId: loan.split('/').at(-1) });
  await ask('PUT', made, { status: 'processing' });
  const interactions = async (): Promise<readonly unknown[]> => listOf(await ask('GET', `/people/${personId}/interactions`));
  t.match(await interactions(), [{ status: 'attempted', loanIds: [loan.split('/').at(-1)] }]);
  t.match(await ask('PUT', loan, { servicedBy: 'debtCollectionAgency' }), { status: 200 });
  await messenger.run();
  t.same(submitted, []);
  t.match(await interactions(), [{ status: 'failed', statusDetails: 'blockedByComplianceGuard' }]);
});

test('a message that was planned goes to where its contact lies at its moment', async (t) => {
  const { send, messenger, submitted, interaction, wait, ask, personId, contacts } = await openPosted(t);
  const id = idOf(await send({ sendAt: '2026-03-02T17:00:00Z' }));
  await ask('PUT', `/people/${personId}/contacts/${contacts.email}`, { value: 'ann.quimby@example.com' });
  await wait(120 * MINUTE + SECOND);
  await messenger.run();
  t.match(submitted, [{ idempotencyKey: id, content: { to: ['ann.quimby@example.com'], subjectLine: 'Hello Annabel' } }]);
  t.match(await interaction(id), { status: 'attempted', content: { to: ['ann.quimby@example.com'] } });
});

test('a message that was not handed over before the end of the process is handed over after the start, and one that was is not', async (t) => {
  const { send, messenger, submitted, h, ...writing } = await openPosted(t);
  if (h.cluster) return void t.pass('what begins again in a cluster is for its own tests');
  await send();
  await messenger.run();
  const waiting = idOf(await send());
  await h.restart();
  const seen: OutgoingMessage[] = [];
  const after = messengerOf({ ...writing, h, send }, { submit: async (message) => (seen.push(message), { providerMessageId: 'p' }) });
  await after.run();
  t.equal(submitted.length, 1);
  t.same(
    seen.map(({ idempotencyKey }) => idempotencyKey),
    [waiting],
  );
});

test('the test mode hands nothing over', async (t) => {
  const writing = await openWriting(t);
  await writing.template();
  await writing.send();
  const seen: OutgoingMessage[] = [];
  await messengerOf(writing, { submit: async (message) => (seen.push(message), { providerMessageId: 'p' }) }).run();
  t.same(seen, []);
});

test('without another part a message becomes a file of its own, which is there as a whole or not at all', async (t) => {
  const folder = join(tempFolder(t), 'out');
  const { text } = folderAdapters(folder);
  const message: OutgoingMessage = {
    idempotencyKey: 'IN-AAAA-AAAA',
    company: 'CP-AAAA-AAAA',
    mode: 'live',
    personId: 'BO-AAAA-AAAA',
    channel: 'text',
    content: { to: '+12025550143', contentText: 'Hello' },
    mailIsCertified: false,
  };
  t.same(await text.submit(message), { providerMessageId: 'text/IN-AAAA-AAAA.json' });
  t.same(await text.submit(message), { providerMessageId: 'text/IN-AAAA-AAAA.json' }, 'twice is once');
  const place = join(folder, 'live', 'CP-AAAA-AAAA', 'text');
  t.ok(existsSync(place));
  t.same(readdirSync(place), ['IN-AAAA-AAAA.json']);
  t.same(JSON.parse(readFileSync(join(place, 'IN-AAAA-AAAA.json'), 'utf8')), message);
});

test('an adapter tells what became of a message, and is believed by its signature alone', async (t) => {
  const { send, messenger, interaction, ask, company } = await openPosted(t);
  const interactionId = idOf(await send());
  await messenger.run();
  const at = Math.floor(Date.now() / 1000);
  const tell = (signal: 'emailDelivered' | 'textDelivered', changes: object = {}, channel = 'email'): ReturnType<typeof ask> => {
    const body = { company, mode: 'live', interactionId, signal, at, ...changes } as const;
    return ask(
      'POST',
      `/communicator/callbacks/${channel}`,
      { ...body, signature: signatureOf(body, CALLBACK_SECRET), ...changes },
      { key: false },
    );
  };
  t.match(await tell('emailDelivered', { signature: '0'.repeat(64) }), { status: 401 });
  t.match(await tell('emailDelivered', { at: at - 400 }), { status: 401 });
  t.match(await tell('textDelivered'), { status: 400, json: { errors: [{ path: 'signal' }] } });
  t.match(await tell('textDelivered', {}, 'text'), { status: 404 });
  t.match(await tell('emailDelivered', {}, 'fax'), { status: 404 });
  t.match(await tell('emailDelivered', { mode: 'test' }), { status: 404 });
  t.match(await interaction(interactionId), { statusDetails: 'emailSent' });
  t.match(await tell('emailDelivered'), {
    status: 200,
    json: { data: { interactionId, status: 'succeeded', statusDetails: 'emailDelivered' } },
  });
  t.match(await tell('emailDelivered'), { status: 200 }, 'told twice it counts once');
  t.match(await interaction(interactionId), { status: 'succeeded' });
});
