import { type Test, test } from 'tap';
import { PHONE } from '../../../actors/borrower/lender.js';
import { openPostedBy, type PostedBy } from '../communicator/posting.js';
import { dataOf, listOf } from '../http-lender.js';

const MINUTE = 60_000;
const HELP_TEXT = 'Northwind: call us at 202-555-0100. Reply STOP to end texts.';

interface Helped extends PostedBy {
  /** Texts that the provider got. */
  readonly texts: string[];
  /** A text of the borrower, a minute after the one before. */
  say(text: string, from?: string): Promise<Record<string, unknown>>;
}

async function openHelped(t: Test): Promise<Helped> {
  const texts: string[] = [];
  const text = {
    submit: ({ content }: { readonly content: { readonly contentText?: unknown } }) => {
      texts.push(String(content.contentText));
      return Promise.resolve({ providerMessageId: 'p' });
    },
  };
  const posted = await openPostedBy(t, { text });
  await posted.template({ subject: 'textHelp', channel: 'text' }, { contentTextTemplate: HELP_TEXT });
  await posted.template({ channel: 'text' });
  return {
    ...posted,
    texts,
    async say(contentText, from = PHONE.value) {
      await posted.wait(MINUTE);
      const reply = await posted.ask('POST', '/communicator/receive', { channel: 'text', content: { from, contentText } });
      await posted.deliver();
      return dataOf(reply);
    },
  };
}

test('HELP is answered once, each time, after STOP as well (12 CFR 1006.14(h)(2)(ii))', async (t) => {
  const { say, texts, deliver, send, ask, personId, contacts } = await openHelped(t);
  await say('HELP');
  t.same(texts, [HELP_TEXT]);
  await say('STOP');
  const { id } = await say('help!');
  t.same(texts, [HELP_TEXT, HELP_TEXT]);
  t.match(listOf(await ask('GET', `/people/${personId}/interactions?direction=outbound`))[0], {
    status: 'attempted',
    previousInteractionId: id,
    content: { contentText: HELP_TEXT },
  });
  await deliver();
  t.equal(texts.length, 2);
  await say('info');
  t.equal(texts.length, 3);
  t.match(
    await send({ channel: 'text', contactId: contacts.phone }),
    { status: 422, json: { blockReason: 'noConsent' } },
    'nothing else goes',
  );
  t.match(await send({ channel: 'text', contactId: contacts.phone, previousInteractionId: id }), { status: 422 }, 'nor another answer');
});

test('the text for HELP goes to nobody who has stopped texts when a caller sends it', async (t) => {
  const { say, texts, send, template, contacts } = await openHelped(t);
  const useTemplate = await template({ subject: 'textHelp', channel: 'text', language: 'es' }, { contentTextTemplate: HELP_TEXT });
  await say('STOP');
  const { id: previousInteractionId } = await say('HELP');
  const again = { channel: 'text', contactId: contacts.phone, useTemplate, previousInteractionId };
  t.match(await send(again), { status: 422, json: { blockReason: 'noConsent' } });
  t.equal(texts.length, 1);
});

test('HELP is answered to who has refused texts in a case, or electronic messages', async (t) => {
  const { say, texts, ask, personId } = await openHelped(t);
  await ask('POST', `/people/${personId}/cases`, { caseType: 'ceaseCommunication', scope: 'channels', requestChannel: 'text' });
  await ask('PUT', `/people/${personId}/consents`, [{ name: 'electronicComms', status: 'revoked', source: 'borrower' }]);
  await say('HELP');
  t.same(texts, [HELP_TEXT]);
});

test('the answer to a HELP does not go after a STOP that follows the HELP', async (t) => {
  const { texts, deliver, wait, ask, personId, contacts } = await openHelped(t);
  const say = (contentText: string): ReturnType<typeof ask> =>
    ask('POST', '/communicator/receive', { channel: 'text', personId, contactId: contacts.phone, content: { contentText } });
  await say('HELP');
  await wait(1_000);
  await say('STOP');
  await deliver();
  t.same(texts, []);
});

test('HELP from a number that no borrower has is recorded, and not answered', async (t) => {
  const { say, texts, ask } = await openHelped(t);
  t.match(await say('HELP', '+12025550199'), { personId: null, status: 'failed', statusDetails: 'textConvoUnknownNumberRejected' });
  t.same(texts, []);
  t.match(listOf(await ask('GET', '/interactions?direction=outbound')), []);
});
