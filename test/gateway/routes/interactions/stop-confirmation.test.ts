import { test } from 'tap';
import { PHONE } from '../../../actors/borrower/lender.js';
import { openWriting } from '../communicator/writing.js';
import { idOf, listOf } from '../http-lender.js';

test('STOP is confirmed by one text, where there is a template for it, and a second STOP by none', async (t) => {
  const { ask, personId, contacts, template } = await openWriting(t);
  await template({ subject: 'electronicConsentOptOut', channel: 'text' }, { contentTextTemplate: 'You get no more texts from us.' });
  const stop = (): ReturnType<typeof ask> =>
    ask('POST', '/communicator/receive', {
      channel: 'text',
      personId,
      contactId: contacts.phone,
      content: { from: PHONE.value, contentText: 'STOP' },
    });
  const came = await stop();
  const sent = async (): Promise<readonly Record<string, unknown>[]> =>
    listOf(await ask('GET', `/people/${personId}/interactions?direction=outbound`));
  t.match(await sent(), [
    {
      channel: 'text',
      subject: 'electronicConsentOptOut',
      theme: 'opsServicingPrivacy',
      status: 'attempted',
      contactId: contacts.phone,
      previousInteractionId: idOf(came),
      content: { contentText: 'You get no more texts from us.' },
    },
  ]);
  t.match(await ask('GET', `/people/${personId}/contacts/${contacts.phone}`), { json: { data: { receiveTextMessages: false } } });
  await stop();
  t.equal((await sent()).length, 1);
});

test('without a template STOP is applied and not confirmed', async (t) => {
  const { ask, personId, contacts } = await openWriting(t);
  t.match(
    await ask('POST', '/communicator/receive', { channel: 'text', personId, contactId: contacts.phone, content: { contentText: 'STOP' } }),
    { status: 200 },
  );
  t.match(await ask('GET', `/people/${personId}/interactions`), { json: { total: 1 } });
  t.match(await ask('GET', `/people/${personId}/contacts/${contacts.phone}`), { json: { data: { receiveTextMessages: false } } });
});
