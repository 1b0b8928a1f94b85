import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type Test } from 'tap';
import { type AttachedFiles, type DeliveryAdapter, MessageRefused, Messenger, type OutgoingMessage } from '../../../../actors/index.js';
import { folderAdapters } from '../../../../persistence/index.js';
import { tempFolder } from '../../../temp-folder.js';
import { signatureOf } from '../../../../gateway/routes/communications/callbacks.js';
import { loanBody } from '../../../actors/loan/setting.js';
import { CALLBACK_SECRET, dataOf, idOf, listOf } from '../http-lender.js';
import { COLLECTING, openWriting, type Writing } from './writing.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Posted extends Writing {
  readonly submitted: readonly OutgoingMessage[];
  /** The results of the next attempts; all later attempts succeed. */
  readonly answers: (Error | null)[];
  readonly messenger: Messenger;
}

/** The live mode with an adapter of the test. */
async function openPosted(t: Test): Promise<Posted> {
  const writing = await openWriting(t, 'live');
  const submitted: OutgoingMessage[] = [];
  const answers: (Error | null)[] = [];
  await writing.template();
  return { ...writing, submitted, answers, messenger: messengerOf(writing, adapterOf(submitted, answers)) };
}

const adapterOf = (submitted: OutgoingMessage[], answers: (Error | null)[]): DeliveryAdapter => ({
  submit: async (message) => {
    submitted.push(message);
    const fault = answers.shift() ?? null;
    if (fault) throw fault;
    return { providerMessageId: `p-${submitted.length}` };
  },
});

const messengerOf = ({ h }: Pick<Writing, 'h'>, adapter: DeliveryAdapter, random = (): number => 0): Messenger =>
  new Messenger({
    engine: h.engine,
    asked: h.engine,
    adapters: { email: adapter, text: adapter, mail: adapter },
    random,
    report: () => undefined,
  });

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

test('a failed delivery is tried again after 1, 5 and 25 minutes, and then given up', async (t) => {
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

test('a message that a provider refuses fails at once, with the reason of the provider', async (t) => {
  const { send, messenger, submitted, answers, interaction, ask, personId, contacts } = await openPosted(t);
  answers.push(new MessageRefused('emailBounced', '550'));
  const id = idOf(await send());
  await messenger.run();
  await messenger.run();
  t.equal(submitted.length, 1);
  t.match(await interaction(id), { status: 'failed', statusDetails: 'emailBounced', providerErrorCode: '550' });
  t.match(dataOf(await ask('GET', `/people/${personId}/contacts/${contacts.email}`)), { valid: false });
});

test('a queued message is screened again before it goes out', async (t) => {
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

test('a message that a borrower or an agent stops within a minute after it was queued does not go out', async (t) => {
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

test('a queued message does not go to a number or address that was corrected meanwhile', async (t) => {
  const { send, messenger, submitted, interaction, ask, personId, contacts } = await openPosted(t);
  const id = idOf(await send());
  await ask('PUT', `/people/${personId}/contacts/${contacts.email}`, { value: 'ann.quimby@example.com' });
  await messenger.run();
  t.same(submitted, []);
  t.match(await interaction(id), { status: 'failed', statusDetails: 'invalidContact' });
});

test('a message of the service is not sent when an agency has taken the loan over meanwhile', async (t) => {
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

test('a scheduled message goes to the address of its contact at the time of sending', async (t) => {
  const { send, messenger, submitted, interaction, wait, ask, personId, contacts } = await openPosted(t);
  const id = idOf(await send({ sendAt: '2026-03-02T17:00:00Z' }));
  await ask('PUT', `/people/${personId}/contacts/${contacts.email}`, { value: 'ann.quimby@example.com' });
  await wait(120 * MINUTE + SECOND);
  await messenger.run();
  t.match(submitted, [{ idempotencyKey: id, content: { to: ['ann.quimby@example.com'], subjectLine: 'Hello Annabel' } }]);
  t.match(await interaction(id), { status: 'attempted', content: { to: ['ann.quimby@example.com'] } });
});

test('after a restart a message that was not handed over is, and one that was is not again', async (t) => {
  const { send, messenger, submitted, h } = await openPosted(t);
  if (h.cluster) return void t.pass('restarts in a cluster have their own tests');
  await send();
  await messenger.run();
  const waiting = idOf(await send());
  await h.restart();
  const seen: OutgoingMessage[] = [];
  const after = messengerOf({ h }, { submit: async (message) => (seen.push(message), { providerMessageId: 'p' }) });
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

test('the folder adapter writes each message to its own file, completely or not at all', async (t) => {
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
    isTransactional: true,
    replyTo: null,
    unsubscribeUrl: null,
  };
  const none: AttachedFiles = () => Promise.resolve([]);
  t.same(await text.submit(message, none), { providerMessageId: 'text/IN-AAAA-AAAA.json' });
  t.same(await text.submit(message, none), { providerMessageId: 'text/IN-AAAA-AAAA.json' }, 'a second submission changes nothing');
  const written = join(folder, 'live', 'CP-AAAA-AAAA', 'text');
  t.ok(existsSync(written));
  t.same(readdirSync(written), ['IN-AAAA-AAAA.json']);
  t.same(JSON.parse(readFileSync(join(written, 'IN-AAAA-AAAA.json'), 'utf8')), message);
});

test('an adapter reports the delivery of a message, and only a signed report is accepted', async (t) => {
  const { send, messenger, interaction, ask, company } = await openPosted(t);
  const interactionId = idOf(await send());
  await messenger.run();
  const at = Math.floor(Date.now() / 1000);
  const report = (signal: 'emailDelivered' | 'textDelivered', changes: object = {}, channel = 'email'): ReturnType<typeof ask> => {
    const body = { company, mode: 'live', interactionId, signal, at, ...changes } as const;
    return ask(
      'POST',
      `/communicator/callbacks/${channel}`,
      { ...body, signature: signatureOf(body, CALLBACK_SECRET), ...changes },
      { key: false },
    );
  };
  t.match(await report('emailDelivered', { signature: '0'.repeat(64) }), { status: 401 });
  t.match(await report('emailDelivered', { at: at - 400 }), { status: 401 });
  t.match(await report('textDelivered'), { status: 400, json: { errors: [{ path: 'signal' }] } });
  t.match(await report('textDelivered', {}, 'text'), { status: 404 });
  t.match(await report('emailDelivered', {}, 'fax'), { status: 404 });
  t.match(await report('emailDelivered', { mode: 'test' }), { status: 404 });
  t.match(await interaction(interactionId), { statusDetails: 'emailSent' });
  t.match(await report('emailDelivered'), {
    status: 200,
    json: { data: { interactionId, status: 'succeeded', statusDetails: 'emailDelivered' } },
  });
  t.match(await report('emailDelivered'), { status: 200 }, 'a repeated report changes nothing');
  t.match(await interaction(interactionId), { status: 'succeeded' });
});
