import { deflateSync } from 'node:zlib';
import { test } from 'tap';
import { ContentStore } from '../../../gateway/documents/content-store.js';
import { Renderer } from '../../../gateway/index.js';
import { LIMITS } from '../../../gateway/limits.js';
import { templateRoutes } from '../../../gateway/routes/communications/templates.js';
import { documentRoutes } from '../../../gateway/routes/people/documents.js';
import { FolderBlobs } from '../../../persistence/index.js';
import { tempFolder } from '../../temp-folder.js';
import { gatewayFor, type HttpAnswer, scriptedEngine } from '../harness.js';
import { type HttpLender, openHttpLender } from './http-lender.js';
import { NAME } from '../../people.js';

async function documentOf(lender: HttpLender, content: Buffer, contentType: string): Promise<string> {
  const described = await lender.ask('POST', '/people/ext-ann-1/documents', { type: 'evidence' });
  const id = String(described.json['id']);
  const uploaded = await lender.ask('POST', `/people/ext-ann-1/documents/${id}/content`, undefined, {
    body: content,
    headers: { 'Content-Type': contentType },
  });
  if (uploaded.status >= 300) throw new Error(uploaded.text);
  return `/people/ext-ann-1/documents/${id}/convert`;
}

/** A PNG of one color with transparency; `rows` other than `height` is a lie. */
function png(width: number, height: number, rows = height): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(rows * (1 + width * 4)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('a quarter of a megabyte without a space becomes pages', async (t) => {
  const lender = await openHttpLender(t);
  await lender.ask('POST', '/people', { externalId: 'ann-1', name: NAME });
  const path = await documentOf(lender, Buffer.alloc(256 * 1024, 'x'), 'text/plain');
  const converting = lender.ask('POST', path);
  t.equal((await lender.ask('GET', '/people')).status, 200, 'a read is answered meanwhile');
  t.match(await converting, { status: 200, json: { contentType: 'application/pdf' } });
});

test('one mebibyte without a space is answered within the deadline of a rendering, and others are answered meanwhile', async (t) => {
  const lender = await openHttpLender(t);
  await lender.ask('POST', '/people', { externalId: 'ann-1', name: NAME });
  const path = await documentOf(lender, Buffer.alloc(1024 * 1024, 'x'), 'text/plain');
  const begun = performance.now();
  const answered: { at?: number } = {};
  const converting = lender.ask('POST', path).then((answer) => {
    answered.at = performance.now();
    return answer;
  });
  let reads = 0;
  while (answered.at === undefined) {
    t.equal((await lender.ask('GET', '/people')).status, 200);
    reads += 1;
  }
  const { status, json } = await converting;
  t.ok((status === 200 && json['contentType'] === 'application/pdf') || status === 422, `converted or refused: ${status}`);
  t.ok(answered.at - begun < 2 * LIMITS.renderMs, 'bounded');
  t.ok(reads > 1, 'reads are answered meanwhile');
});

test('a picture is refused by the size in its header, before it is decompressed, and when it decompresses to more', async (t) => {
  const lender = await openHttpLender(t);
  await lender.ask('POST', '/people', { externalId: 'ann-1', name: NAME });
  const converted = async (content: Buffer): Promise<object> => {
    const { status, json } = await lender.ask('POST', await documentOf(lender, content, 'image/png'));
    return { status, message: json['message'] };
  };
  t.match(await converted(png(40, 30)), { status: 200 });
  t.match(await lender.ask('POST', await documentOf(lender, Buffer.alloc(2 * 1024 * 1024, 'x '), 'text/plain')), {
    status: 422,
    json: { message: 'The document is too large to be converted to PDF.' },
  });
  t.match(await converted(png(7_000, 7_000)), { status: 422, message: 'The document is too large to be converted to PDF.' });
  t.match(await converted(png(10, 10, 20_000)), { status: 422, message: 'The document is damaged and cannot be converted to PDF.' });
});

const ENDLESS = '<p>{% for i in (1..9999) %}{% for j in (1..9999) %}{{ j }}{% endfor %}{% endfor %}</p>';

const order = (text: string): never =>
  ({
    type: 'message',
    order: {
      texts: {
        hasSubjectLine: false,
        language: 'en',
        parts: { subjectLineTemplate: null, contentTextTemplate: null, contentHtmlTemplate: text },
        included: { subjectLineTemplate: new Map(), contentTextTemplate: new Map(), contentHtmlTemplate: new Map() },
      },
      context: { name: 'Ada' },
      isFreeForm: false,
      zone: 'America/New_York',
      undefinedVariables: 'lenient',
    },
  }) as never;

test('a rendering ends at its deadline and at its memory, with 422, and the next one finds a thread', async (t) => {
  const letter = { type: 'letter', html: '<p>word </p>'.repeat(80_000) } as const;
  const quick = new Renderer({ threads: 1, renderMs: 60 });
  await t.rejects(quick.render('CP-1', letter), { statusCode: 422, message: /took more than 60 milliseconds/ });
  const small = new Renderer({ threads: 1, memoryMb: 32, renderMs: 240_000 });
  await t.rejects(small.render('CP-1', letter), { statusCode: 422, message: /took too much memory/ });
  t.same(await small.render<'message'>('CP-1', order('<p>{{ name }}</p>')), {
    message: { subjectLine: '', contentHtml: '<p>Ada</p>', contentText: 'Ada' },
  });
  t.match(await small.render<'message'>('CP-1', order(ENDLESS)), { fault: { kind: 'limit' } });
});

test('a PDF that is uploaded is looked through on a render thread, within its bounds', async (t) => {
  // All of it is one dictionary whose names are escaped: seconds of work.
  const escaped = Buffer.concat([Buffer.from('%PDF-1.5\n'), Buffer.alloc(LIMITS.documentBytes - 9, '#4a')]);
  const small = new Renderer({ threads: 1, renderMs: 20 });
  await t.rejects(small.render('CP-1', { type: 'pdf', content: escaped }), { statusCode: 422, message: /took more than 20 milliseconds/ });
  const acting = Buffer.from('%PDF-1.5\n1 0 obj<</OpenAction<</S/Java#53cript/J#53(x)>>>>endobj\n%%EOF\n');
  t.equal(await new Renderer({ threads: 1 }).render('CP-1', { type: 'pdf', content: acting }), true);

  const busy = new Renderer({ waiting: 0 });
  const { ask } = await gatewayFor(t, {
    routes: documentRoutes(new ContentStore(new FolderBlobs(tempFolder(t))), busy),
    engine: scriptedEngine({ query: () => ({ replaces: null, fileName: null }) }),
  });
  const uploaded = (body: Buffer, type: string): Promise<HttpAnswer> =>
    ask('/api/people/BO-AAAA-AAAA/documents/DO-AAAA-AAAA/content', { method: 'POST', body, headers: { 'Content-Type': type } });
  t.match(await uploaded(acting, 'application/pdf'), { status: 422, json: { message: /Too many documents are waiting to be rendered/ } });
  t.match(await uploaded(Buffer.from('plain words'), 'text/plain'), { status: 200 }, 'a text needs no thread');
});

test('a template is tried on a render thread, before any command that activates it or changes the active one', async (t) => {
  const planned = { order: {}, digest: '' };
  const engine = scriptedEngine({
    query: ({ type, query }) => {
      if (type === 'templateVersion.validate') return { valid: true, errors: [], variables: [], part: 'contentTextTemplate', planned };
      return JSON.stringify(query).includes('draft') ? null : planned;
    },
  });
  const { ask } = await gatewayFor(t, { routes: templateRoutes(new Renderer({ waiting: 0 })), engine });
  const path = '/api/communicator/templatedescriptors/TD-AAAA-AAAA';
  const version = `${path}/versions/TV-AAAA-AAAA`;
  const tooMany = { status: 422, json: { message: /Too many documents are waiting to be rendered/ } };
  t.match(await ask(`${version}/validate`, { method: 'POST' }), tooMany);
  t.match(await ask(`${version}/activate`, { method: 'POST' }), tooMany);
  t.match(await ask(version, { method: 'PUT', body: { contentTextTemplate: 'costly' } }), tooMany);
  t.match(await ask(path, { method: 'PUT', body: { activeVersionId: 'TV-AAAA-AAAA' } }), tooMany);
  t.same(engine.commands, []);
  t.match(await ask(version, { method: 'PUT', body: { contentTextTemplate: 'a draft' } }), { status: 200 }, 'nothing is tried');
  t.match(await ask(path, { method: 'PUT', body: { enabled: false } }), { status: 200 });
  t.same(
    engine.commands.map(({ type }) => type),
    ['templateVersion.update', 'templateDescriptor.update'],
  );
});

test('a company with many renderings delays only itself, and too many waiting ones are refused', async (t) => {
  const renderer = new Renderer({ threads: 1, waitingOfCompany: 5, waiting: 7 });
  const done: string[] = [];
  const one = (company: string): Promise<unknown> =>
    renderer.render<'message'>(company, order('{{ name }}')).then(() => done.push(company));
  const all = [one('A'), one('A'), one('A'), one('A'), one('A'), one('A')];
  await t.rejects(one('A'), { statusCode: 422, retryAfterSeconds: 1 } as never);
  all.push(one('B'), one('B'));
  await t.rejects(one('C'), { statusCode: 422 } as never);
  await Promise.all(all);
  t.strictSame(done, ['A', 'A', 'B', 'A', 'B', 'A', 'A', 'A']);
});
