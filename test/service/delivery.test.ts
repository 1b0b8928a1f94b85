import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { signatureOf } from '../../gateway/routes/communications/callbacks.js';
import { EMAIL, HOME, PHONE } from '../actors/borrower/lender.js';
import { tenorHere } from '../bench/tenor-here.js';
import { mailServerFor, textServerFor } from '../gateway/delivery-servers.js';
import { NAME } from '../people.js';
import { tempFolder } from '../temp-folder.js';
import { idOf } from './portfolio.js';
import { type Answer, LIVE_KEY, Service } from './service.js';

const PUBLIC_URL = 'https://loans.example.com';
const SECRET = 'the secret of all adapters of this service';

test('messages of the live mode leave by the ways that the settings name, and what becomes of them comes back', async (t) => {
  const [mail, texts, folder] = [await mailServerFor(t), await textServerFor(t), tempFolder(t)];
  const [letters, data] = [join(folder, 'letters'), join(folder, 'data')];
  const service = await Service.start(data, {
    TENOR_SMTP_URL: mail.url,
    TENOR_SMTP_FROM: 'Loans <loans@operator.example>',
    TENOR_TEXT_URL: texts.url,
    TENOR_TEXT_ACCOUNT: 'AC0001',
    TENOR_TEXT_SECRET: 'the token of the account at the provider',
    TENOR_TEXT_FROM: '+12025550100',
    TENOR_LETTERS: letters,
    TENOR_LETTERS_BATCH: '1/60',
    TENOR_PUBLIC_URL: PUBLIC_URL,
    TENOR_CALLBACK_SECRET: SECRET,
  });
  t.teardown(() => service.stop());
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.ask(method, path, body, { authorization: `Bearer ${LIVE_KEY}` });
  const personId = idOf(await ask('POST', '/people', { name: NAME }));
  const contact = async (body: object): Promise<string> => idOf(await ask('POST', `/people/${personId}/contacts`, body));
  await contact(EMAIL);
  await contact(HOME);
  const phone = await contact({ ...PHONE, receiveTextMessages: true });
  const send = async (channel: string, subject: string): Promise<string> =>
    idOf(await ask('POST', '/communicator/send', { channel, subject, personId, context: { code: '123456' } }));
  const company = String(((await ask('GET', '/companies')).json['data'] as readonly { readonly id: string }[])[0]?.id);
  const consent = async (): Promise<unknown> => (await ask('GET', `/people/${personId}/consents`)).json;

  const emailId = await send('email', 'contactChanged');
  const letterId = await send('mail', 'contactChanged');
  const textId = await send('text', 'confirmationCode');
  await until(() => mail.mails.length === 1 && texts.posted.length === 1);
  t.match(mail.mails, [{ from: 'loans@operator.example', text: `Message-ID: <${emailId}.${company}.live@operator.example>` }]);
  t.match(
    new URLSearchParams(texts.posted[0]?.body).get('StatusCallback'),
    `${PUBLIC_URL}/api/communicator/callbacks/text/${company}/live/${textId}`,
  );
  const link = /href="https:\/\/loans\.example\.com(\/api\/communicator\/unsubscribe\/[^"]+)"/.exec(mail.mails[0]?.text ?? '')?.[1] ?? '';
  t.match(await fetch(`${service.url}${link}`, { method: 'POST' }), { status: 200 });
  t.match(JSON.stringify(await consent()), /"name":"emailMarketing","status":"revoked","source":"borrower"/);

  const batches = (): readonly string[] => (existsSync(letters) ? readdirSync(letters).filter((name) => !name.endsWith('.part')) : []);
  await until(() => batches().length === 1, 30_000);
  const [batch = ''] = batches();
  t.match(JSON.parse(readFileSync(join(letters, batch, 'manifest.json'), 'utf8')), {
    letters: [{ interactionId: letterId, file: `${letterId}.pdf`, pages: 1, address: [/\w/] }],
  });
  t.match(readFileSync(join(letters, batch, `${letterId}.pdf`), 'latin1'), /^%PDF/);
  t.match(await tenorHere({ TENOR_DATA: data }, 'letters', 'list'), { code: 0, out: new RegExp(`${batch} +1 +20\\S+ +20`) });
  t.match(await tenorHere({ TENOR_DATA: data }, 'letters', 'send-again', 'none'), { code: 2, error: /There is no batch none/ });

  const at = Math.floor(Date.now() / 1000);
  const complaint = { company, mode: 'live', interactionId: emailId, signal: 'emailReportedAsSpam', at } as const;
  t.match(await ask('POST', '/communicator/callbacks/email', { ...complaint, signature: signatureOf(complaint, SECRET) }), { status: 200 });
  t.match((await ask('GET', `/interactions/${emailId}`)).json, { data: { status: 'failed', statusDetails: 'emailReportedAsSpam' } });
  await ask('POST', '/communicator/receive', { channel: 'text', content: { from: '+12025550143', contentText: 'STOP' } });
  t.match((await ask('GET', `/people/${personId}/contacts/${phone}`)).json, { data: { receiveTextMessages: false } });

  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  for (const channel of ['email', 'text', 'mail'])
    t.match(metrics, new RegExp(`tenor_messages_total\\{channel="${channel}",outcome="handedOver"\\} 1`));
  t.match(metrics, /tenor_messages_waiting\{channel="email"\} 0/);
  t.match(await tenorHere({ TENOR_URL: service.url, TENOR_KEY: LIVE_KEY }, 'messages'), {
    code: 0,
    out: 'There are no messages whose tries are used up.',
  });
  t.match(await tenorHere({ TENOR_URL: service.url, TENOR_KEY: LIVE_KEY }, 'messages', 'retry'), {
    code: 2,
    error: /Name the messages, or --all/,
  });
  t.notMatch(service.lines.join('\n'), /a password of tests|the token of the account|annabel/i);
});

test('settings of delivery that lack each other, or are none, are named together', async (t) => {
  const environment = {
    TENOR_DATA: tempFolder(t),
    TENOR_SMTP_URL: 'smtp://user:hidden@mail.example.com',
    TENOR_TEXT_URL: 'http://texts.example.com/messages',
    TENOR_LETTERS: 'sftp://tenor@mail.example.com/in',
    TENOR_LETTERS_BATCH: 'many',
  };
  const { code, out, error } = await tenorHere(environment, 'check-config');
  t.not(code, 0);
  const said = `${out}${error}`;
  for (const part of [
    'TENOR_SMTP_FROM',
    'TENOR_PUBLIC_URL',
    'must be an https address',
    'TENOR_LETTERS_HOST_KEY',
    'TENOR_LETTERS_KEY_FILE',
    '500/3600',
  ])
    t.match(said, part);
  t.notMatch(said, 'hidden');
});

async function until(holds: () => boolean, mostMs = 15_000): Promise<void> {
  const end = Date.now() + mostMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error('it has not come');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
