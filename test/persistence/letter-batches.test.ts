import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import type { AttachedFile, OutgoingMessage } from '../../actors/index.js';
import {
  bucketLocation,
  bucketTarget,
  folderTarget,
  LetterBatches,
  LetterFolder,
  type LetterTarget,
  removeLetters,
  sftpTarget,
} from '../../persistence/index.js';
import { tempFolder } from '../temp-folder.js';
import { type SftpServer, sftpServerFor } from './sftp-server.js';

const COMPANY = 'CP-AAAA-AAAA';

interface Manifest {
  readonly batch: string;
  readonly digest: string;
  readonly letters: readonly {
    readonly interactionId: string;
    readonly file: string;
    readonly pages: number;
    readonly sha256: string;
    readonly certified: boolean;
    readonly address: readonly string[];
    readonly enclosures: readonly { readonly file: string }[];
  }[];
}

interface Post {
  nowMs: number;
  readonly folder: string;
  readonly out: string;
  readonly reports: string[];
  batches: LetterBatches;
  /** As a process does that has died and starts again. */
  again(target?: LetterTarget): Promise<void>;
  submit(id: string, changes?: Partial<OutgoingMessage>, files?: readonly AttachedFile[]): Promise<unknown>;
  left(): readonly Manifest[];
}

const pdf = (text: string, pages = 1): Buffer => Buffer.from(`%PDF-1.7 ${text}${' << /Type /Page >>'.repeat(pages)} << /Type /Pages >>`);

async function openPost(t: Test, { letters = 2, seconds = 60 } = {}): Promise<Post> {
  const base = tempFolder(t);
  const [folder, out] = [join(base, 'letters'), join(base, 'out')];
  mkdirSync(out);
  const reports: string[] = [];
  const open = (target: LetterTarget): LetterBatches =>
    new LetterBatches({
      folder,
      target,
      letters,
      seconds,
      pages: (_company, html) => Promise.resolve(pdf(html, html.length > 20 ? 2 : 1)),
      nowMs: () => post.nowMs,
      report: (message, details) => reports.push(JSON.stringify([message, details])),
    });
  const post: Post = {
    nowMs: Date.parse('2026-03-02T15:00:00Z'),
    folder,
    out,
    reports,
    batches: open(folderTarget(out)),
    async again(target = folderTarget(out)) {
      await forget(post.batches);
      post.batches = open(target);
      await post.batches.run();
    },
    submit: (id, changes = {}, files = []) =>
      post.batches.submit({ ...LETTER, idempotencyKey: id, ...changes }, () => Promise.resolve(files)),
    left: () =>
      readdirSync(out)
        .filter((name) => !name.endsWith('.part'))
        .sort()
        .map((name) => JSON.parse(readFileSync(join(out, name, 'manifest.json'), 'utf8')) as Manifest),
  };
  t.teardown(() => forget(post.batches));
  return post;
}

/** Lets go of the folder without sending anything more. */
async function forget(batches: LetterBatches): Promise<void> {
  batches.run = () => Promise.resolve();
  await batches.close();
}

const LETTER: OutgoingMessage = {
  idempotencyKey: 'IN-AAAA-AAAA',
  company: COMPANY,
  mode: 'live',
  personId: 'BO-AAAA-AAAA',
  channel: 'mail',
  content: { contentHtml: '<p>Hello</p>', address: '1 Main Street\nSpringfield, IL 62701' },
  mailIsCertified: false,
  isTransactional: true,
  replyTo: null,
  unsubscribeUrl: null,
};

test('letters leave together, with a manifest of their pages and addresses', async (t) => {
  const post = await openPost(t);
  const enclosure = { fileName: 'statement.pdf', contentType: 'application/pdf', content: pdf('a statement', 3) };
  t.same(await post.submit('IN-AAAA-0001', { mailIsCertified: true }, [enclosure]), { providerMessageId: 'IN-AAAA-0001' });
  await post.batches.run();
  t.same(post.left(), [], 'one waits for more');
  await post.submit('IN-AAAA-0002', { content: { ...LETTER.content, contentHtml: '<p>Something longer than a page</p>' } });
  await post.batches.run();
  const [manifest] = post.left();
  t.match(manifest, {
    company: COMPANY,
    letters: [
      {
        interactionId: 'IN-AAAA-0001',
        file: 'IN-AAAA-0001.pdf',
        pages: 1,
        certified: true,
        address: ['1 Main Street', 'Springfield, IL 62701'],
        enclosures: [{ file: 'IN-AAAA-0001-1.pdf', pages: 3 }],
      },
      { interactionId: 'IN-AAAA-0002', pages: 2, certified: false, enclosures: [] },
    ],
  });
  const [name = ''] = readdirSync(post.out);
  t.equal(name, manifest?.batch);
  for (const { file, sha256 } of manifest?.letters ?? [])
    t.equal(
      createHash('sha256')
        .update(readFileSync(join(post.out, name, file)))
        .digest('hex'),
      sha256,
    );
});

test('a batch leaves after its time, however few its letters are', async (t) => {
  const post = await openPost(t, { letters: 100, seconds: 60 });
  await post.submit('IN-AAAA-0001');
  post.nowMs += 59_000;
  await post.batches.run();
  t.same(post.left(), []);
  post.nowMs += 1_000;
  await post.batches.run();
  t.match(post.left(), [{ letters: [{ interactionId: 'IN-AAAA-0001' }] }]);
});

test('companies do not share a batch', async (t) => {
  const post = await openPost(t);
  await post.submit('IN-AAAA-0001');
  await post.submit('IN-AAAA-0001', { company: 'CP-BBBB-BBBB' });
  await post.batches.run();
  t.same(post.left(), []);
  await post.submit('IN-AAAA-0002', { company: 'CP-BBBB-BBBB' });
  await post.batches.run();
  t.match(post.left(), [{ company: 'CP-BBBB-BBBB', letters: { length: 2 } }]);
});

test('a letter that is handed over again is taken once, before its batch and after it', async (t) => {
  const post = await openPost(t);
  await Promise.all([post.submit('IN-AAAA-0001'), post.submit('IN-AAAA-0001')]);
  await post.again();
  await post.submit('IN-AAAA-0001');
  t.same(post.left(), []);
  await post.submit('IN-AAAA-0002');
  await post.batches.run();
  await post.again();
  await post.submit('IN-AAAA-0001');
  post.nowMs += 3_600_000;
  await post.batches.run();
  t.match(post.left(), [{ letters: { length: 2 } }]);
});

test('whatever dies between two steps, each letter is in one batch, and each batch leaves once', async (t) => {
  for (const step of ['recorded', 'half', 'put'] as const) {
    const post = await openPost(t);
    const target = folderTarget(post.out);
    const dying: LetterTarget = {
      async put(batch) {
        if (step === 'half') {
          mkdirSync(join(post.out, `${batch.name}.part`));
          writeFileSync(join(post.out, `${batch.name}.part`, 'IN-AAAA-0001.pdf'), 'half');
        }
        if (step === 'put') await target.put(batch);
        throw new Error('the process ends here');
      },
    };
    await post.again(dying);
    for (const id of ['IN-AAAA-0001', 'IN-AAAA-0002']) await post.submit(id);
    await post.batches.run();
    t.match(post.reports.join(), 'the process ends here');
    await post.again();
    for (const id of ['IN-AAAA-0001', 'IN-AAAA-0002', 'IN-AAAA-0003']) await post.submit(id);
    post.nowMs += 3_600_000;
    await post.batches.run();
    t.same(
      post.left().map(({ letters }) => letters.map(({ interactionId }) => interactionId)),
      [['IN-AAAA-0001', 'IN-AAAA-0002'], ['IN-AAAA-0003']],
      step,
    );
    t.same(
      readdirSync(post.out).filter((name) => name.endsWith('.part')),
      [],
    );
    await post.batches.close();
  }
});

test('a batch is sent again when an operator asks, as it was', async (t) => {
  const post = await openPost(t);
  for (const id of ['IN-AAAA-0001', 'IN-AAAA-0002']) await post.submit(id);
  await post.batches.run();
  const [name = ''] = readdirSync(post.out);
  const before = readFileSync(join(post.out, name, 'manifest.json'), 'utf8');
  rmSync(join(post.out, name), { recursive: true });
  await post.again();
  t.same(post.left(), [], 'not by itself');
  await new LetterFolder(post.folder).sendAgain(name);
  await post.batches.run();
  t.equal(readFileSync(join(post.out, name, 'manifest.json'), 'utf8'), before);
  rmSync(join(post.out, name), { recursive: true });
  await post.batches.run();
  t.same(post.left(), [], 'once for each time');
});

test('letters are dropped some time after they were sent, and with their borrower', async (t) => {
  const post = await openPost(t);
  for (const id of ['IN-AAAA-0001', 'IN-AAAA-0002']) await post.submit(id);
  await post.batches.run();
  await post.submit('IN-AAAA-0003', { personId: 'BO-BBBB-BBBB' });
  const letters = (): readonly string[] =>
    readdirSync(join(post.folder, 'letters'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.pdf'));
  t.equal(letters().length, 3);
  post.nowMs += 31 * 86_400_000;
  await removeLetters(post.folder, { mode: 'live', company: COMPANY, personId: 'BO-BBBB-BBBB' });
  await post.batches.run();
  t.same(letters(), []);
  t.match(post.left()[1], { letters: [] }, 'what was erased does not leave');
  t.notMatch(readFileSync(join(post.folder, 'batches', readdirSync(join(post.folder, 'batches'))[0] ?? ''), 'utf8'), 'Main Street');
});

async function openSftp(t: Test): Promise<{ readonly post: Post; readonly server: SftpServer; target(changes?: object): LetterTarget }> {
  const post = await openPost(t);
  const server = await sftpServerFor(t, post.out);
  const { port, username, password, hostKey } = server;
  const target = (changes: object = {}): LetterTarget =>
    sftpTarget({ host: '127.0.0.1', port, username, password, privateKey: null, hostKey, path: '/', ...changes });
  return { post, server, target };
}

test('batches go to an SFTP server, and one that was cut off in the middle goes as a whole the next time', async (t) => {
  const { post, server, target } = await openSftp(t);
  await post.again(target());
  for (const id of ['IN-AAAA-0001', 'IN-AAAA-0002']) await post.submit(id);
  server.cutAfter = 1;
  await post.batches.run();
  t.match(readdirSync(post.out), [/\.part$/]);
  t.equal(post.reports.length, 1);
  server.cutAfter = null;
  await post.batches.run();
  t.match(post.left(), [{ letters: { length: 2 } }]);
  t.match(readdirSync(post.out), [/^20260302T150000Z-CP-AAAA-AAAA-live-[0-9a-f]{8}$/]);
  await new LetterFolder(post.folder).sendAgain(readdirSync(post.out)[0] ?? '');
  const before = server.written.length;
  await post.batches.run();
  t.equal(server.written.length, before, 'what lies there already is not written again');
});

test('no letter goes to a server with another key, or where the password is wrong, and the log has no password', async (t) => {
  const { post, server, target } = await openSftp(t);
  for (const changes of [{ hostKey: 'A'.repeat(43) }, { password: 'another-secret' }]) {
    await post.again(target(changes));
    for (const id of ['IN-AAAA-0001', 'IN-AAAA-0002']) await post.submit(id);
    await post.batches.run();
  }
  t.same(server.written, []);
  t.ok(post.reports.length >= 2);
  t.notMatch(post.reports.join(), /another-secret|a password of tests/);
  t.notOk(existsSync(join(post.out, 'manifest.json')));
});

test('batches go to a bucket, with the manifest last', async (t) => {
  const post = await openPost(t);
  const stored: string[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=me/') === true;
      if (isSigned) stored.push(`${request.method} ${request.url}`);
      response.writeHead(isSigned ? 200 : 403).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const address = `s3://letters/out?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const targetOf = (id: string): LetterTarget => {
    const bucket = bucketLocation(address, { id, secret: 'x' });
    if (bucket === null) throw new Error('the address is one of a bucket');
    return bucketTarget(bucket);
  };
  await post.again(targetOf('you'));
  for (const id of ['IN-AAAA-0001', 'IN-AAAA-0002']) await post.submit(id);
  await post.batches.run();
  t.match(post.reports.join(), 'the store of letters answers 403');
  await post.again(targetOf('me'));
  t.match(stored, [
    /^PUT \/letters\/out\/2026\S+\/IN-AAAA-0001\.pdf$/,
    /^PUT \/letters\/out\/2026\S+\/IN-AAAA-0002\.pdf$/,
    /^PUT \/letters\/out\/2026\S+\/manifest\.json$/,
  ]);
  t.equal(stored.length, 3);
});
