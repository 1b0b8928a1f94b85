import { test, type Test } from 'tap';
import { actorModules, contactHistory, type PastContact, type SendMoved, type SentMessage } from '../../../../actors/index.js';
import type { FeedbackSignal } from '../../../../engine/index.js';
import { type Data, Harness } from '../../harness.js';

const DAY = 86_400_000;

interface Post {
  readonly h: Harness;
  readonly personId: string;
  readonly emailId: string;
  readonly phoneId: string;
  record(message?: Partial<SentMessage>): Promise<string>;
  move(id: string, moved: SendMoved): Promise<void>;
  report(id: string, signal: FeedbackSignal): Promise<void>;
  get(id: string): Promise<Data>;
  contact(id: string): Promise<Data>;
  history(): readonly PastContact[];
  events(): Promise<readonly Data[]>;
}

async function openPost(t: Test): Promise<Post> {
  const h = await Harness.open(() => actorModules());
  t.teardown(() => h.close());
  await h.makeCompany();
  const { id: personId } = await h.data('person.create', null, { name: { firstName: 'Ada', lastName: 'Green' } });
  const contact = async (contactType: string, value: string): Promise<string> =>
    (
      await h.data('contact.create', personId, {
        contactType,
        label: 'personal',
        affiliation: 'self',
        status: 'primary',
        value,
        receiveTextMessages: contactType === 'phone',
      })
    ).id;
  const message: SentMessage = {
    personId,
    channel: 'email',
    subject: 'paymentFailed',
    theme: 'opsServicing',
    status: 'attempted',
    isTransactional: true,
  };
  return {
    h,
    personId,
    emailId: await contact('email', 'ada@quimby.example'),
    phoneId: await contact('phone', '+12025550143'),
    record: async (changes = {}) =>
      String((await h.data('interaction.recordSend', personId, { ...message, ...changes }, { system: true }))['interactionId']),
    move: async (id, moved) => {
      await h.command('interaction.moveSend', id, moved, { system: true });
    },
    report: async (id, signal) => {
      await h.command('interaction.feedback', id, { signal }, { system: true });
    },
    get: (id) => h.query('interaction.get', id, {}, { permissions: ['*'] }),
    contact: (contactId) => h.query('contact.get', personId, {}, { params: { contactId }, permissions: ['*'] }),
    history: () => contactHistory(h.scope(personId), personId),
    events: async () => (await h.query('event.list', null, { limit: 100 }, { permissions: ['*'] }))['items'] as readonly Data[],
  };
}

test('a send is recorded as made by the service, and emits an event', async (t) => {
  const { record, get, events } = await openPost(t);
  const id = await record({ content: { subjectLine: 'A payment has failed' }, templateVersionId: 'TV-AAAA-AAAA' });
  t.match(await get(id), {
    isExternal: false,
    direction: 'outbound',
    status: 'attempted',
    theme: 'opsServicing',
    isTransactional: true,
    templateVersionId: 'TV-AAAA-AAAA',
    content: { subjectLine: 'A payment has failed' },
  });
  t.match(
    (await events()).filter(({ eventType }) => eventType === 'communication.send'),
    [
      {
        interactionId: id,
        data: {
          interactionId: id,
          channel: 'email',
          subject: 'paymentFailed',
          theme: 'opsServicing',
          status: 'attempted',
          isTransactional: true,
        },
      },
    ],
  );
});

test('a message that the guard blocks emits the events of a send and of a block', async (t) => {
  const { record, get, events } = await openPost(t);
  const id = await record({
    status: 'failed',
    statusDetails: 'blockedByComplianceGuard',
    complianceGuardRuleId: 'CR-AAAA-AAAA',
    blockReason: 'complianceRule',
  });
  t.match(await get(id), { status: 'failed', statusDetails: 'blockedByComplianceGuard', complianceGuardRuleId: 'CR-AAAA-AAAA' });
  const emitted = (await events()).map(({ eventType }) => eventType).filter((name) => /^(interaction|communication)/.test(String(name)));
  t.strictSame(emitted.sort(), ['communication.send', 'interaction.blocked']);
  t.match(
    (await events()).find(({ eventType }) => eventType === 'interaction.blocked'),
    { data: { interactionId: id, ruleId: 'CR-AAAA-AAAA', reason: 'complianceRule' } },
  );
});

test('a scheduled send emits its event when it is attempted', async (t) => {
  const { h, record, move, get, events } = await openPost(t);
  const id = await record({ status: 'scheduled', sendAt: h.nowMs + DAY });
  t.match(await get(id), { status: 'scheduled', startedAt: null, sendAt: new Date(h.nowMs + DAY).toISOString() });
  t.strictSame(
    (await events()).filter(({ eventType }) => eventType === 'communication.send'),
    [],
  );
  await move(id, { status: 'attempted', statusDetails: null, content: { subjectLine: 'now' } });
  t.match(await get(id), { status: 'attempted', startedAt: String, content: { subjectLine: 'now' } });
  t.equal((await events()).filter(({ eventType }) => eventType === 'communication.send').length, 1);
});

test('only the fields that the contract names can be changed of a message of the service', async (t) => {
  const { h, record } = await openPost(t);
  const id = await record();
  const update = (body: object): Promise<Data> => h.data('interaction.update', id, body, { permissions: ['*'] });
  t.match(await update({ metaData: { a: 'b' }, sensitive: true, statusDetails: 'emailSent' }), {
    metaData: { a: 'b' },
    sensitive: true,
    statusDetails: 'emailSent',
  });
  t.match(
    await h.refusal('interaction.update', id, { status: 'succeeded', externalId: 'x', startedAt: '2026-01-01', theme: 'opsCollDebt' }),
    { statusCode: 400, errors: [{ path: 'status' }, { path: 'externalId' }, { path: 'startedAt' }, { path: 'theme' }] },
  );
  t.match(await h.refusal('interaction.delete', id), { statusCode: 400 });
});

test('feedback moves a message forward, never back', async (t) => {
  const { record, report, get } = await openPost(t);
  const id = await record();
  const after = async (signal: FeedbackSignal, status: string, statusDetails: string): Promise<void> => {
    await report(id, signal);
    t.match(await get(id), { status, statusDetails }, signal);
  };
  await after('emailAccepted', 'attempted', 'emailSent');
  await after('emailClicked', 'succeeded', 'emailClick');
  await after('emailOpened', 'succeeded', 'emailClick');
  await after('emailAccepted', 'succeeded', 'emailClick');
  await after('textDelivered', 'succeeded', 'emailClick');
  await after('emailBounced', 'failed', 'emailBounced');
  await after('emailDelivered', 'failed', 'emailBounced');
  const deferred = await record();
  await report(deferred, 'emailDeferred');
  await report(deferred, 'emailDelivered');
  t.match(await get(deferred), { status: 'succeeded', statusDetails: 'emailDelivered' }, 'a deferred mail was delivered in the end');
});

test('feedback changes the contact and the consents of the borrower', async (t) => {
  const { h, personId, emailId, phoneId, record, report, contact } = await openPost(t);
  const person = h.scope(personId).read<{ readonly contacts: readonly { readonly id: string }[] }>('person', personId);
  const withContact = (id: string, message: Partial<SentMessage> = {}): Promise<string> =>
    record({ ...message, contact: (person?.contacts.find((other) => other.id === id) ?? null) as NonNullable<SentMessage['contact']> });
  await report(await withContact(emailId), 'emailBounced');
  t.match(await contact(emailId), { valid: false });
  await report(await withContact(phoneId, { channel: 'text' }), 'textUnsubscribedRecipient');
  t.match(await contact(phoneId), { receiveTextMessages: false, valid: true });
  await report(await withContact(phoneId, { channel: 'text' }), 'textNumberDisconnected');
  t.match(await contact(phoneId), { phoneDisconnectionDetails: { disconnectionStatus: 'disconnected' } });
  await report(await withContact(emailId), 'emailReportedAsSpam');
  const state = h.scope(personId).read<{ readonly consents: readonly object[] }>('person', personId);
  t.match(state?.consents, [{ name: 'emailMarketing', status: 'revoked', source: 'borrower' }]);
});

test('the history has the last days, the newest first, without deleted interactions', async (t) => {
  const { h, personId, record, history } = await openPost(t);
  const call = (days: number, more: object = {}): Promise<Data> =>
    h.data(
      'interaction.create',
      personId,
      { channel: 'voice', theme: 'opsCollDebt', startedAt: new Date(h.nowMs - days * DAY).toISOString(), ...more },
      { permissions: ['*'] },
    );
  const { id: yesterday } = await call(1, { agentOutcome: 'voiceSpokeWithFirstParty' });
  const { id: longAgo } = await call(31);
  const { id: deleted } = await call(2);
  const { id: unsaid } = await call(3, { theme: undefined, direction: 'inbound' });
  await h.command('interaction.delete', deleted);
  const sent = await record({ channel: 'text' });
  t.strictSame(
    history().map(({ id }) => id),
    [sent, yesterday, unsaid],
  );
  t.notOk(history().some(({ id }) => id === longAgo));
  t.match(history()[1], {
    channel: 'voice',
    direction: 'outbound',
    status: 'attempted',
    theme: 'opsCollDebt',
    agentOutcome: 'voiceSpokeWithFirstParty',
    startedAt: h.nowMs - DAY,
    loanIds: [],
    contactId: null,
    isExternal: true,
    isTransactional: false,
  });
  t.match(history()[2], { theme: null, direction: 'inbound' });
  t.strictSame(
    contactHistory(h.scope(personId), personId, { since: h.nowMs - 40 * DAY, direction: 'outbound' }).map(({ id }) => id),
    [sent, yesterday, longAgo],
  );
});

test('the journal has contents and contacts only in sealed form', async (t) => {
  const { h, personId, emailId, record, get } = await openPost(t);
  await h.data(
    'interaction.create',
    personId,
    {
      channel: 'voice',
      status: 'failed',
      failureDescriptionLong: 'the garden gate was shut',
      content: { transcript: 'a very secret word' },
      contactId: emailId,
    },
    { permissions: ['*'] },
  );
  const id = await record({ content: { contentText: 'another secret word' } });
  await h.restart();
  t.match(await get(id), { content: { contentText: 'another secret word' } }, 'it can be read after a restart');
  t.notMatch(h.written(), /secret word|garden gate|quimby\.example/);
});
