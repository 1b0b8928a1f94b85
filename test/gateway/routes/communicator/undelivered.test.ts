import { type Test, test } from 'tap';
import { MessageRefused } from '../../../../actors/index.js';
import { idOf, listOf } from '../http-lender.js';
import { openPostedBy, type PostedBy } from './posting.js';

const MINUTE = 60_000;

interface Stuck extends PostedBy {
  /** What the provider does next. */
  fault: Error | null;
  readonly submitted: string[];
  /** Uses up all tries of what waits. */
  giveUp(): Promise<void>;
}

async function openStuck(t: Test): Promise<Stuck> {
  const submitted: string[] = [];
  const email = {
    submit: ({ idempotencyKey }: { readonly idempotencyKey: string }) => {
      submitted.push(idempotencyKey);
      return stuck.fault === null ? Promise.resolve({ providerMessageId: 'p' }) : Promise.reject(stuck.fault);
    },
  };
  const posted = await openPostedBy(t, { email });
  await posted.template();
  const stuck: Stuck = {
    ...posted,
    fault: new Error('the line is down'),
    submitted,
    async giveUp() {
      await posted.deliver();
      for (const minutes of [1, 5, 25]) {
        await posted.wait(minutes * MINUTE);
        await posted.deliver();
      }
    },
  };
  return stuck;
}

test('a message whose tries are used up is listed without what it said, and is sent again with all its tries', async (t) => {
  const stuck = await openStuck(t);
  const { ask, send, deliver, interaction } = stuck;
  const id = idOf(await send());
  t.match(listOf(await ask('GET', '/communicator/undelivered')), []);
  t.match(await ask('POST', `/communicator/undelivered/${id}/send-again`), { status: 409 }, 'it is on its way');
  await stuck.giveUp();
  t.match(listOf(await ask('GET', '/communicator/undelivered')), [{ id, statusDetails: 'emailDropped', content: null }]);
  t.match(listOf(await ask('GET', '/communicator/undelivered?channel=text')), []);
  t.match(await ask('POST', `/communicator/undelivered/${id}/send-again`), { status: 200, json: { data: { id, status: 'attempted' } } });
  t.match(listOf(await ask('GET', '/communicator/undelivered')), []);
  await stuck.giveUp();
  t.equal(stuck.submitted.length, 8);
  t.match(await ask('POST', `/communicator/undelivered/${id}/send-again`), { status: 200 });
  stuck.fault = null;
  await deliver();
  t.same([...new Set(stuck.submitted)], [id], 'under the same key');
  t.match(await interaction(id), { status: 'attempted', statusDetails: 'emailSent' });
  t.match(await ask('POST', `/communicator/undelivered/${id}/send-again`), { status: 409 });
});

test('what a provider has refused is not sent again, and nothing of another mode is seen', async (t) => {
  const stuck = await openStuck(t);
  const { ask, send, deliver, keys, submitted } = stuck;
  stuck.fault = new MessageRefused('emailDropped', '554');
  const refused = idOf(await send());
  await deliver();
  t.match(listOf(await ask('GET', '/communicator/undelivered')), []);
  t.match(await ask('POST', `/communicator/undelivered/${refused}/send-again`), { status: 409 });
  stuck.fault = new Error('the line is down');
  const id = idOf(await send());
  await stuck.giveUp();
  const other = { key: keys.test };
  t.ok(submitted.length > 0);
  t.match(listOf(await ask('GET', '/communicator/undelivered', undefined, other)), []);
  t.match(await ask('POST', `/communicator/undelivered/${id}/send-again`, undefined, other), { status: 404 });
});

test('what was stopped meanwhile is not sent again', async (t) => {
  const stuck = await openStuck(t);
  const { ask, send, deliver, interaction, personId, submitted } = stuck;
  const id = idOf(await send());
  await stuck.giveUp();
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'generic' }));
  await ask('POST', `/people/${personId}/cases/${caseId}/do-not-interacts`, {});
  t.match(await ask('POST', `/communicator/undelivered/${id}/send-again`), { status: 422, json: { blockReason: 'doNotInteract' } });
  await deliver();
  t.equal(submitted.length, 4);
  t.match(await interaction(id), { status: 'failed', statusDetails: 'emailDropped' });
});
