import { type Test, test } from 'tap';
import type { OutgoingMessage } from '../../../actors/index.js';
import { MessageRefused } from '../../../actors/contact/index.js';
import { NAME } from '../../people.js';
import { receiverFor } from '../receiver.js';
import { dataOf, type HttpLender, idOf, openHttpLender } from './http-lender.js';

interface Disabled extends HttpLender {
  readonly webhookId: string;
  /** The e-mails that were handed over, also those that failed. */
  readonly mails: OutgoingMessage[];
  /** Adds a borrower, waits until the receiver's answer has disabled the webhook, and lets the deliveries go on. */
  disable(): Promise<void>;
  ticks(): Promise<void>;
}

const HOUR = 3_600_000;

/** A webhook whose receiver wants no events, of a company with two users who may change it. */
async function openDisabled(t: Test, mode: 'live' | 'test', failure: () => Error | null = () => null): Promise<Disabled> {
  const lender = await openHttpLender(t);
  const { h, keys } = lender;
  const ask: HttpLender['ask'] = (method, path, body, question = {}) => lender.ask(method, path, body, { key: keys[mode], ...question });
  const mails: OutgoingMessage[] = [];
  h.mail = async (message) => {
    mails.push(message);
    const cause = failure();
    if (cause !== null) throw cause;
    return { providerMessageId: '1' };
  };
  const manager = idOf(await ask('POST', '/roles', { alias: 'Integration', permissions: ['webhook:update'] }));
  const reader = idOf(await ask('POST', '/roles', { alias: 'Reader', permissions: ['webhook:read'] }));
  const user = async (name: string, roleId: string, status = 'active'): Promise<void> => {
    const auths = [{ authType: 'basic', authValueType: 'email', value: `${name}@lender.example` }];
    t.equal((await ask('POST', '/users', { type: 'agent', userName: name, roleIds: [roleId], auths, status })).status, 200, name);
  };
  await user('ida', manager);
  await user('joe', reader);
  await user('kim', manager, 'inactive');
  await user('lea', manager);
  const receiver = await receiverFor(t);
  receiver.answer = (response) => response.writeHead(410).end();
  const address = `${receiver.url}?token=secret`;
  const webhookId = idOf(
    await ask('POST', '/webhooks', {
      webhookType: 'direct',
      eventTypes: ['person.created'],
      webhookDirectDetails: { webhookUrl: address },
    }),
  );
  await h.webhooks.tick();
  const isEnabled = async (): Promise<unknown> => dataOf(await ask('GET', `/webhooks/${webhookId}`))['enabled'];
  const ticks = async (): Promise<void> => {
    for (let count = 0; count < 3; count++) {
      await h.webhooks.tick();
      await h.engine.settled();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const disable = async (): Promise<void> => {
    await ask('POST', '/people', { name: NAME });
    while (await isEnabled()) await new Promise((resolve) => setTimeout(resolve, 5));
    await ticks();
  };
  return { ...lender, ask, webhookId, mails, disable, ticks };
}

test('users who may change a webhook get one e-mail each time that the service disables it', async (t) => {
  const { ask, h, webhookId, mails, disable, ticks } = await openDisabled(t, 'live');
  await disable();
  t.match(mails, [
    {
      channel: 'email',
      personId: '',
      isTransactional: true,
      content: { to: ['ida@lender.example', 'lea@lender.example'], subjectLine: new RegExp(`${webhookId} was disabled`) },
    },
  ]);
  const text = String(mails[0]?.content['contentText']);
  t.match(text, /127\.0\.0\.1/);
  t.notMatch(text, /secret/, 'the query of an address stays out of the mail');
  await ticks();
  t.equal(mails.length, 1, 'once');
  t.notOk('isNoticeDue' in dataOf(await ask('GET', `/webhooks/${webhookId}`)));
  await ask('PUT', `/webhooks/${webhookId}`, { enabled: true });
  await ticks();
  await disable();
  t.equal(mails.length, 2, 'and again when it is disabled again');
  t.not(mails[0]?.idempotencyKey, mails[1]?.idempotencyKey);
  await h.restart();
  h.deliver();
  await ticks();
  t.equal(mails.length, 2, 'not again after a start');
});

test('an e-mail about a disabled webhook that cannot be sent is tried again, one that is refused is not', async (t) => {
  let failure: Error | null = new Error('no mail server');
  const { h, mails, disable, ticks } = await openDisabled(t, 'live', () => failure);
  await disable();
  t.equal(mails.length, 1);
  t.match(h.reports.join('\n'), /e-mail about a disabled webhook could not be sent.*no mail server/);
  failure = null;
  h.nowMs += HOUR;
  await ticks();
  t.equal(mails.length, 2);
  t.equal(mails[0]?.idempotencyKey, mails[1]?.idempotencyKey, 'the same e-mail');
  const refused = await openDisabled(t, 'live', () => new MessageRefused('emailDropped', null));
  await refused.disable();
  refused.h.nowMs += HOUR;
  await refused.ticks();
  t.equal(refused.mails.length, 1);
});

test('no e-mail is sent about a webhook of the test mode', async (t) => {
  const { mails, disable, ask, webhookId, h } = await openDisabled(t, 'test');
  await disable();
  t.match(dataOf(await ask('GET', `/webhooks/${webhookId}`)), { status: 'disabledByFailures' });
  t.same(mails, []);
  t.notMatch(h.reports.join('\n'), /No notice/);
});
