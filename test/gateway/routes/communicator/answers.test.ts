import { test } from 'tap';
import { idOf } from '../http-lender.js';
import { COLLECTING, openWriting } from './writing.js';

const HOUR = 3_600_000;

test('a borrower who opted out of e-mails and writes one gets one answer (12 CFR 1006.14(h)(2)(ii))', async (t) => {
  const { send, template, ask, personId, wait } = await openWriting(t);
  await template();
  const collect = COLLECTING;
  await ask('POST', `/people/${personId}/cases`, { caseType: 'ceaseCommunication', scope: 'channels', requestChannel: 'email' });
  t.match(await send(collect), { status: 422, json: { blockReason: 'noConsent' } });
  await wait(HOUR);
  const question = idOf(
    await ask('POST', '/communicator/receive', { channel: 'email', personId, content: { contentText: 'What is the balance?' } }),
  );
  await wait(HOUR);
  t.match(await send(collect), { status: 422, json: { blockReason: 'noConsent' } }, 'it answers nothing');
  const late = await send({ ...collect, previousInteractionId: question, sendAt: '2026-03-20T15:00:00Z' });
  t.match(late, { status: 422, json: { blockReason: 'noConsent' } }, 'so late it is no answer');
  t.match(await send({ ...collect, previousInteractionId: question }), { status: 200 });
  await wait(HOUR);
  t.match(await send({ ...collect, previousInteractionId: question }), { status: 422, json: { blockReason: 'noConsent' } }, 'once');
});
