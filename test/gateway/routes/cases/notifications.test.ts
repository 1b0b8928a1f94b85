import { type Test, test } from 'tap';
import { type HttpLender, idOf, listOf, openHttpLender } from '../http-lender.js';
import { openWriting } from '../communicator/writing.js';
import { NAME } from '../../../people.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;

interface Notified {
  readonly lender: HttpLender;
  readonly caseTypeId: string;
  /** The path of a new case. */
  open(body?: object): Promise<string>;
  /** Publishes a type that acts on those cases. */
  publish(body: object): Promise<string>;
  notifications(path: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  wait(ms: number): Promise<void>;
}

async function openNotified(t: Test): Promise<Notified> {
  const lender = await openHttpLender(t);
  const { ask, company, h } = lender;
  const customFieldSchemas = [{ name: 'Colour', fieldName: 'colour', dataType: 'string' }];
  const caseTypeId = idOf(
    await ask('POST', '/case-types', { caseType: 'legalAction', name: 'Small claim', status: 'active', customFieldSchemas }),
  );
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  return {
    lender,
    caseTypeId,
    open: async (body = {}) => `/people/${personId}/cases/${idOf(await ask('POST', `/people/${personId}/cases`, { caseTypeId, ...body }))}`,
    publish: async (body) =>
      idOf(
        await ask('POST', '/notification-types', {
          name: 'Letter',
          status: 'active',
          channel: 'email',
          theme: 'opsServicing',
          templateId: 7,
          caseTypeIds: [caseTypeId],
          ...body,
        }),
      ),
    notifications: async (path) => listOf(await ask('GET', `${path}/notifications`)),
    async wait(ms) {
      h.nowMs += ms;
      await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
      await h.engine.settled();
    },
  };
}

test('a case sends a notification each time that it enters the status of a notification type', async (t) => {
  const {
    lender: { ask, h },
    open,
    publish,
    notifications,
  } = await openNotified(t);
  const made = await publish({ onStatus: 'initiated' });
  const moved = await publish({
    onStatus: 'processing',
    onCondition: [{ fieldName: 'colour', dataType: 'string', value: 'blue' }],
    channel: 'text',
  });
  await ask('POST', '/notification-types', { name: 'Draft', channel: 'mail', theme: 'opsServicing', templateId: 7, onStatus: 'initiated' });
  const path = await open();
  const at = new Date(h.nowMs).toISOString().slice(0, 10);
  t.match(await notifications(path), [
    {
      id: /^NO-/,
      object: 'notification',
      caseId: path.split('/').at(-1),
      notificationTypeId: made,
      notificationTypeVersion: 1,
      channel: 'email',
      interactionId: null,
      status: 'failed',
      scheduledAt: new RegExp(at),
    },
  ]);
  await ask('PUT', path, { status: 'processing' });
  t.equal((await notifications(path)).length, 1, 'the condition does not hold');
  await ask('PUT', path, { status: 'initiated' });
  await ask('PUT', path, { status: 'processing', customFields: { colour: 'blue' } });
  t.match(await notifications(path), [
    { notificationTypeId: moved, channel: 'text' },
    { notificationTypeId: made },
    { notificationTypeId: made },
  ]);
  await ask('PUT', path, { name: 'Another name' });
  t.equal((await notifications(path)).length, 3, 'what stays as it is sets nothing off');
  t.match(
    listOf(await ask('GET', `${path}/events`))
      .map(({ action }) => action)
      .slice(0, 3),
    ['updated', 'notificationFailed', 'notificationScheduled'],
  );
  t.match(await ask('GET', `${path}/notifications?limit=1`), { json: { total: 3, count: 1 } });
  t.match(await ask('GET', `/people/${idOf(await ask('POST', '/people', { name: NAME }))}/cases/${path.split('/').at(-1)}/notifications`), {
    status: 404,
  });
});

test('the condition of a delayed notification is checked again when it is due', async (t) => {
  const {
    lender: { ask, h, failures },
    open,
    publish,
    notifications,
    wait,
  } = await openNotified(t);
  const began = h.nowMs;
  await publish({ onStatus: 'initiated', delay: 2 });
  await publish({ onStatus: 'initiated', delay: 3, unit: 'hours', channel: 'mail' });
  const [stays, leaves] = [await open(), await open()];
  t.same(
    (await notifications(stays)).map(({ scheduledAt }) => Date.parse(String(scheduledAt)) - began),
    [3 * HOUR, 2 * DAY],
  );
  await wait(4 * HOUR);
  await ask('PUT', leaves, { status: 'processing' });
  await wait(2 * DAY);
  t.same(
    (await notifications(stays)).map(({ channel, status }) => `${channel} ${status}`),
    ['mail failed', 'email failed'],
    'there is no such template',
  );
  t.same(
    (await notifications(leaves)).map(({ channel, status }) => `${channel} ${status}`),
    ['mail failed', 'email canceled'],
  );
  t.match(listOf(await ask('GET', `${leaves}/events`))[0], { action: 'notificationCanceled' });
  t.same(failures, []);
});

test('delays in business days skip weekends and keep the time of day, and the version that fired is checked', async (t) => {
  const {
    lender: { ask, h },
    open,
    publish,
    notifications,
    wait,
  } = await openNotified(t);
  const typeId = await publish({ onStatus: 'initiated', delay: 5, unit: 'businessDays' });
  const began = h.nowMs;
  const path = await open();
  t.same(
    (await notifications(path)).map(({ scheduledAt }) => Date.parse(String(scheduledAt)) - began),
    [7 * DAY - HOUR],
    'daylight saving has begun',
  );
  t.match(await ask('PUT', `/notification-types/${typeId}`, { onStatus: 'processing', status: 'active' }), { status: 200 });
  await wait(8 * DAY);
  t.match(await notifications(path), [{ status: 'failed', notificationTypeVersion: 1 }]);
});

test('a due notification is an ordinary send for the case and shows its result', async (t) => {
  const { ask, template, personId, interaction, wait } = await openWriting(t);
  const templateId = await template({ subject: 'complaintAcknowledgement' });
  const caseTypeId = idOf(await ask('POST', '/case-types', { caseType: 'legalAction', name: 'Small claim', status: 'active' }));
  const publish = async (body: object): Promise<unknown> =>
    ask('POST', '/notification-types', {
      name: 'Letter',
      status: 'active',
      channel: 'email',
      theme: 'opsServicing',
      templateId,
      caseTypeIds: [caseTypeId],
      ...body,
    });
  await publish({ onStatus: 'initiated' });
  await publish({ onStatus: 'processing', delay: 2, unit: 'hours' });
  await publish({ onStatus: 'processing', channel: 'voice' });
  const path = `/people/${personId}/cases/${idOf(await ask('POST', `/people/${personId}/cases`, { caseTypeId }))}`;
  const [sent] = listOf(await ask('GET', `${path}/notifications`));
  t.match(sent, { status: 'sent', interactionId: /^IN-/ });
  t.match(await interaction(sent?.['interactionId']), {
    status: 'attempted',
    caseId: path.split('/').at(-1),
    subject: 'complaintAcknowledgement',
    theme: 'opsServicing',
    isTransactional: false,
    isExternal: false,
    content: { subjectLine: 'Hello Annabel' },
  });
  await ask('PUT', path, { status: 'processing' });
  await ask('POST', `${path}/do-not-interacts`, {});
  t.match(
    listOf(await ask('GET', `${path}/notifications`)).map(({ channel, status }) => `${channel} ${status}`),
    ['voice failed', 'email scheduled', 'email sent'],
  );
  await wait(3 * HOUR);
  const blocked = listOf(await ask('GET', `${path}/notifications`))[1];
  t.match(blocked, { status: 'blocked', interactionId: /^IN-/ });
  t.match(await interaction(blocked?.['interactionId']), { status: 'failed', statusDetails: 'blockedByComplianceGuard' });
});
