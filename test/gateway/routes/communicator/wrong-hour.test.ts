import { type Test, test } from 'tap';
import { Messenger } from '../../../../actors/index.js';
import { tenorHere } from '../../../bench/tenor-here.js';
import { idOf, listOf } from '../http-lender.js';
import { openPostedBy, type PostedBy } from './posting.js';
import { COLLECTING, emitted } from './writing.js';

/* A message that only the hour stops waits for the next allowed moment: 8:00 in New York, 13:00 UTC. The clock begins at 10:00. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NEXT_MORNING = '2026-03-03T13:00:00.000Z';
const WAITS = { status: 'scheduled', statusDetails: null, startedAt: null, sendAt: NEXT_MORNING };

interface Late extends PostedBy {
  /** What the provider does next. */
  fault: Error | null;
  readonly submitted: string[];
  /** Hands over what waits, after so many minutes. */
  deliverAfter(minutes: number): Promise<void>;
  /** A collection message whose tries are used up by 10:31. */
  undelivered(): Promise<string>;
}

async function openLate(t: Test): Promise<Late> {
  const submitted: string[] = [];
  const email = {
    submit: ({ idempotencyKey }: { readonly idempotencyKey: string }) => {
      submitted.push(idempotencyKey);
      return late.fault === null ? Promise.resolve({ providerMessageId: 'p' }) : Promise.reject(late.fault);
    },
  };
  const posted = await openPostedBy(t, { email });
  await posted.template();
  const late: Late = {
    ...posted,
    fault: null,
    submitted,
    async deliverAfter(minutes) {
      await posted.wait(minutes * MINUTE);
      await posted.deliver();
    },
    async undelivered() {
      late.fault = new Error('the line is down');
      const id = idOf(await posted.send(COLLECTING));
      for (const minutes of [0, 1, 5, 25]) await late.deliverAfter(minutes);
      late.fault = null;
      submitted.length = 0;
      return id;
    },
  };
  return late;
}

const sendAgain = ({ ask }: Late, id: string): ReturnType<Late['ask']> => ask('POST', `/communicator/undelivered/${id}/send-again`);

test('a message queued just before quiet hours waits until they are over, and goes once', async (t) => {
  const late = await openLate(t);
  const { send, deliver, deliverAfter, submitted, interaction, wait } = late;
  await wait(11 * HOUR - 20 * SECOND);
  const id = idOf(await send(COLLECTING));
  await deliverAfter(1);
  t.same(submitted, []);
  t.match(await interaction(id), WAITS);
  await deliverAfter(10 * 60);
  t.same(submitted, [], 'it is not yet eight');
  await deliverAfter(60);
  await deliver();
  t.same(submitted, [id]);
  t.match(await interaction(id), { status: 'attempted', statusDetails: 'emailSent', startedAt: '2026-03-03T' });
  t.same(await emitted(late), ['communication.send', 'communication.send']);
});

test('a retry that falls into quiet hours waits, and has all its tries again', async (t) => {
  const late = await openLate(t);
  const { send, deliver, deliverAfter, submitted, interaction, wait } = late;
  await wait(11 * HOUR - 2 * MINUTE);
  late.fault = new Error('the line is down');
  const id = idOf(await send(COLLECTING));
  await deliver();
  await deliverAfter(1);
  await deliverAfter(5);
  t.equal(submitted.length, 2);
  t.match(await interaction(id), WAITS);
  await deliverAfter(11 * 60);
  for (const minutes of [1, 5]) await deliverAfter(minutes);
  t.equal(submitted.length, 5);
  late.fault = null;
  await deliverAfter(25);
  t.equal(submitted.length, 6);
  t.match(await interaction(id), { status: 'attempted', statusDetails: 'emailSent' });
});

test('a message waits once: at a wrong hour again it has failed', async (t) => {
  const { send, deliver, submitted, interaction, wait, h } = await openLate(t);
  await wait(11 * HOUR - SECOND);
  const id = idOf(await send(COLLECTING));
  await wait(MINUTE);
  await deliver();
  t.match(await interaction(id), WAITS);
  await wait(11 * HOUR);
  t.match(await interaction(id), { status: 'attempted' });
  h.nowMs += 13 * HOUR; // nothing was handed over all day
  await deliver();
  t.same(submitted, []);
  t.match(await interaction(id), { status: 'failed', statusDetails: 'blockedByComplianceGuard' });
});

test('a message that waits is judged again at its moment, and can be canceled before', async (t) => {
  const { send, ask, deliver, submitted, interaction, wait, personId } = await openLate(t);
  await wait(11 * HOUR - SECOND);
  const [stopped, canceled] = [idOf(await send(COLLECTING)), idOf(await send(COLLECTING))];
  await wait(MINUTE);
  await deliver();
  t.match(await ask('POST', `/interactions/${canceled}/cancel`), { status: 200 });
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'generic' }));
  await ask('POST', `/people/${personId}/cases/${caseId}/do-not-interacts`, {});
  await wait(12 * HOUR);
  await deliver();
  t.same(submitted, []);
  t.match(await interaction(stopped), { status: 'failed', statusDetails: 'blockedByComplianceGuard' });
  t.match(await interaction(canceled), { status: 'canceled' });
});

test('after a restart a message still waits for its moment, and goes once', async (t) => {
  const { send, deliver, interaction, wait, h } = await openLate(t);
  if (h.cluster) return void t.pass('restarts in a cluster have their own tests');
  await wait(11 * HOUR - SECOND);
  const id = idOf(await send(COLLECTING));
  await wait(MINUTE);
  await deliver();
  t.match(await interaction(id), WAITS);
  await h.restart();
  const seen: string[] = [];
  const adapter = {
    submit: async ({ idempotencyKey }: { readonly idempotencyKey: string }) => (seen.push(idempotencyKey), { providerMessageId: 'p' }),
  };
  const adapters = { email: adapter, text: adapter, mail: adapter };
  const messenger = new Messenger({ engine: h.engine, asked: h.engine, adapters, report: () => undefined });
  await messenger.run();
  t.same(seen, []);
  await wait(12 * HOUR);
  await messenger.run();
  await h.restart();
  await new Messenger({ engine: h.engine, asked: h.engine, adapters, report: () => undefined }).run();
  t.same(seen, [id]);
});

test('a message that an operator sends again at night waits until the morning', async (t) => {
  const late = await openLate(t);
  const { ask, deliver, submitted, interaction, wait } = late;
  const id = await late.undelivered();
  await wait(12 * HOUR);
  t.match(await sendAgain(late, id), { status: 200, json: { data: { id, ...WAITS } } });
  t.match(await sendAgain(late, id), { status: 409 }, 'it waits already');
  t.same(listOf(await ask('GET', '/communicator/undelivered')), []);
  await deliver();
  t.same(submitted, []);
  await wait(11 * HOUR);
  await deliver();
  t.same(submitted, [id]);
  t.match(await interaction(id), { status: 'attempted', statusDetails: 'emailSent' });
});

test('a message that an operator sends again and that is blocked for good says so and stays in the list', async (t) => {
  const late = await openLate(t);
  const { ask, submitted, deliver, personId, contacts } = late;
  const id = await late.undelivered();
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'generic' }));
  const made = `/people/${personId}/cases/${caseId}/do-not-interacts`;
  const block = idOf(await ask('POST', made, {}));
  t.match(await sendAgain(late, id), { status: 422, json: { blockReason: 'doNotInteract', interactionId: id, sendAt: null } });
  await ask('DELETE', `${made}/${block}`);
  await ask('PUT', `/people/${personId}/contacts/${contacts.email}`, { valid: false });
  t.match(await sendAgain(late, id), { status: 422, json: { blockReason: 'noContact', interactionId: id } });
  t.match(listOf(await ask('GET', '/communicator/undelivered')), [{ id, status: 'failed', statusDetails: 'emailDropped' }]);
  await ask('PUT', `/people/${personId}/contacts/${contacts.email}`, { valid: true });
  t.match(await sendAgain(late, id), { status: 200, json: { data: { status: 'attempted' } } });
  await deliver();
  t.same(submitted, [id]);
});

test('the command that sends all again says which messages wait for an hour, and which are blocked', async (t) => {
  const late = await openLate(t);
  const { ask, deliver, submitted, wait, personId, port, keys } = late;
  const first = await late.undelivered();
  const other = idOf(
    await ask('POST', `/people/${personId}/contacts`, { contactType: 'email', value: 'ann@example.org', label: 'personal' }),
  );
  late.fault = new Error('the line is down');
  const blocked = idOf(await late.send({ ...COLLECTING, contactId: other }));
  for (const minutes of [0, 1, 5, 25]) await late.deliverAfter(minutes);
  late.fault = null;
  submitted.length = 0;
  await ask('PUT', `/people/${personId}/contacts/${other}`, { valid: false });
  await wait(12 * HOUR);
  const setting = { TENOR_URL: `http://127.0.0.1:${port}`, TENOR_KEY: keys.live };
  const { code, out, error } = await tenorHere(setting, 'messages', 'retry', '--all');
  t.equal(code, 1);
  t.equal(out, `1 message waits again, 1 of them for an hour at which they are allowed, from ${NEXT_MORNING} on.\n`);
  t.match(error, new RegExp(`1 message is blocked and stays in the list:\\n {2}${blocked}: The contact .* cannot be used any more`));
  await wait(11 * HOUR);
  await deliver();
  t.same(submitted, [first]);
});
