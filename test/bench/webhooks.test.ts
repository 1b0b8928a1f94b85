import { test } from 'tap';
import { receiverFor } from '../gateway/receiver.js';
import { Service, TEST_KEY } from '../service/service.js';
import { tempFolder } from '../temp-folder.js';
import type { Ended } from './tenor.js';
import { tenorHere } from './tenor-here.js';
import { NAME } from '../people.js';

test('an operator lists webhooks and their deliveries, redelivers, disables and enables them', async (t) => {
  const [good, bad] = [await receiverFor(t), await receiverFor(t)];
  bad.answer = (response) => response.writeHead(500).end();
  const service = await Service.start(tempFolder(t), { TENOR_OUTGOING_ALLOW: '127.0.0.0/8' });
  t.teardown(() => service.kill());
  const ask = (...parameters: readonly string[]): Promise<Ended> =>
    tenorHere({ TENOR_URL: service.url, TENOR_KEY: TEST_KEY }, 'webhooks', ...parameters);
  const until = async (holds: (ended: Ended) => boolean, ...parameters: readonly string[]): Promise<Ended> => {
    for (;;) {
      const ended = await ask(...parameters);
      if (holds(ended)) return ended;
    }
  };
  t.match(await ask(), { code: 0, out: 'There are no webhooks.' });
  const ids: string[] = [];
  for (const url of [`${good.url}?token=open-sesame`, bad.url]) {
    const made = await service.ask('POST', '/webhooks', {
      webhookType: 'direct',
      eventTypes: ['person.created'],
      webhookDirectDetails: { webhookUrl: url },
    });
    ids.push((made.json['data'] as { readonly id: string }).id);
  }
  const [goodId = '', badId = ''] = ids;
  for (let made = 0; made < 3; made++) await service.ask('POST', '/people', { name: NAME });
  await good.calls(3);
  const listed = await until(
    ({ out }) => new RegExp(`${goodId} +healthy +0 +20`).test(out) && new RegExp(`${badId} +healthy +3 +20`).test(out),
  );
  t.match(listed, { code: 0, out: new RegExp(`${badId} +healthy +3 +20\\S+ +none`) });
  t.notMatch(listed.out, /sesame/, 'the query of an address may be a secret');
  t.match(await until(({ out }) => /500/.test(out), 'deliveries', badId), {
    code: 0,
    out: /EM-\S+ +EV-\S+ +person\.created +pending +1 +answered 500/,
  });
  t.match(JSON.parse((await ask('deliveries', goodId, '--status', 'delivered', '--json')).out), [{ status: 'delivered' }, {}, {}]);
  t.match(await ask('disable', badId), { code: 0, out: `${badId} is disabled.` });
  const canceled = await until(
    ({ out }) => (JSON.parse(out) as unknown[]).length === 3,
    'deliveries',
    badId,
    '--status',
    'canceled',
    '--json',
  );
  const [newest] = JSON.parse(canceled.out) as readonly { readonly id: string }[];
  t.match(await ask(), { code: 0, out: new RegExp(`${badId} +disabled +0`) });
  t.match(await ask('redeliver', badId, newest?.id ?? ''), { code: 1, error: /disabled/ });
  bad.answer = (response) => response.writeHead(410).end();
  t.match(await ask('enable', badId), { code: 0 });
  t.match(await ask('redeliver', badId, newest?.id ?? ''), { code: 0, out: '1 message is sent again.' });
  t.match(await until(({ code }) => code === 1), { out: new RegExp(`${badId} +disabledByFailures`) });
  t.match(await ask('redeliver', goodId, '--failed'), { code: 0, out: '0 messages are sent again.' });
  t.match(await ask('redeliver', goodId), { code: 2, error: /--failed/ });
  t.match(await ask('deliveries', 'WH-AAAA-1111'), { code: 2 });
});
