import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Test } from 'tap';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came over the wire. */
  readonly raw: string;
  /** Without the soft breaks and escapes of quoted-printable. */
  readonly text: string;
}

export interface MailServer {
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** How recipients and mails are answered from here on: `550 5.1.1 no such mailbox`; null takes all. */
  refusal: { readonly at: 'RCPT' | 'DATA'; readonly code: number; readonly text: string } | null;
}

const USER = 'tenor';
const PASSWORD = 'a password of tests';

/** A real server of e-mail on a free port of this machine. */
export async function mailServerFor(t: Test): Promise<MailServer> {
  const said = (): Error | null => server.refusal && Object.assign(new Error(server.refusal.text), { responseCode: server.refusal.code });
  const smtp = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      if (username === USER && password === PASSWORD) done(null, { user: USER });
      else done(new Error('who are you'));
    },
    onRcptTo: (_address, _session, done) => done(server.refusal?.at === 'RCPT' ? said() : null),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (server.refusal?.at === 'DATA') return done(said());
        const raw = Buffer.concat(chunks).toString('utf8');
        const { mailFrom, rcptTo } = envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        server.mails.push({ from, to: rcptTo.map(({ address }) => address), raw, text: unfolded(raw) });
        done();
      });
    },
  });
  smtp.on('error', () => undefined); // a client that goes away is none of the tests' business
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  t.teardown(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
  const server: MailServer = {
    url: `smtp://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${portOf(smtp.server)}`,
    mails: [],
    refusal: null,
  };
  return server;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const unfolded = (raw: string): string =>
  raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n[ \t]+/g, ' ');

export interface PostedText {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface TextServer {
  readonly url: string;
  readonly posted: PostedText[];
  /** How requests are answered from here on; null takes all. */
  answer: { readonly status: number; readonly body: object } | null;
}

/** A real provider of texts on a free port of this machine. */
export async function textServerFor(t: Test): Promise<TextServer> {
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      server.posted.push({ path, headers, body: Buffer.concat(chunks).toString('utf8') });
      const { status, body } = server.answer ?? { status: 201, body: { sid: `SM${server.posted.length}`, status: 'queued' } };
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.teardown(() => {
    http.closeAllConnections();
    http.close();
  });
  const server: TextServer = { url: `http://127.0.0.1:${portOf(http)}/messages`, posted: [], answer: null };
  return server;
}
