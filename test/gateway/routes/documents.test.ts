import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import type { HttpAnswer, HttpQuestion } from '../harness.js';
import { type HttpLender, idOf, listOf, openHttpLender } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';
import { openWithAda } from './signed-in.js';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
const SECRET = Buffer.from('Annabel Quimby owes the sum of 1,200.00\n');

/** A red pixel. */
const PNG = png(1, 1);

function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

const raw = (body: Buffer, contentType: string): HttpQuestion => ({ body, headers: { 'Content-Type': contentType } });

function multipart(content: Buffer, type: string, fileName: string, name = 'file'): HttpQuestion {
  const head = `--XX\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: ${type}\r\n\r\n`;
  return raw(Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--XX--\r\n')]), 'multipart/form-data; boundary=XX');
}

/** A bare reply is the object itself. */
const bareId = ({ json }: HttpAnswer): string => String(json['id']);

async function described({ ask }: HttpLender, body: object = {}): Promise<string> {
  await ask('POST', '/people', ANN);
  return `/people/ext-ann-1/documents/${bareId(await ask('POST', '/people/ext-ann-1/documents', { type: 'evidence', ...body }))}`;
}

test('a document is described, gets its content, and is downloaded as it was', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, userId, failures } = lender;
  const path = await described(lender, { externalId: 'doc-1', description: 'A letter', metaData: { page: 1 } });
  t.match(await ask('GET', path), {
    status: 200,
    json: {
      id: /^DD-/,
      object: 'document',
      externalId: 'doc-1',
      type: 'evidence',
      status: 'draft',
      description: 'A letter',
      fileName: null,
      contentId: null,
      contentLength: null,
      archived: false,
      sensitiveData: false,
      isHumanBorrowerUpload: false,
      uploadedBy: null,
      metaData: { page: 1 },
    },
  });
  t.match(await ask('GET', `${path}/content`), { status: 404 });
  const uploaded = await ask('POST', `${path}/content`, undefined, multipart(PDF, 'application/pdf', 'C:\\mail\\Ann’s letter.pdf'));
  t.match(uploaded, {
    status: 200,
    json: {
      contentType: 'application/pdf',
      contentLength: PDF.length,
      fileName: 'Ann’s letter.pdf',
      uploadedBy: { id: userId },
      uploadedAt: String,
    },
  });
  const got = await ask('GET', `${path}/content`);
  t.match(got, {
    status: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="Ann_s letter.pdf"; filename*=UTF-8\'\'Ann%E2%80%99s%20letter.pdf',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': /sandbox/,
    },
  });
  t.equal(got.text, PDF.toString('utf8'));
  t.match(
    (await ask('GET', `/people/ext-ann-1/documents/ext-doc-1/content?disposition=inline`)).headers['content-disposition'],
    /^inline; /,
  );
  t.same(failures, []);
});

test('stored files are encrypted, and replaced content is deleted', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const path = await described(lender);
  const blobs = (): readonly Buffer[] =>
    readdirSync(join(h.folder, 'documents'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  await ask('POST', `${path}/content`, undefined, raw(SECRET, 'text/plain'));
  t.equal(blobs().length, 1);
  t.notOk(blobs()[0]?.includes('Quimby'));
  await ask('POST', `${path}/content`, undefined, raw(PDF, 'application/pdf'));
  t.equal(blobs().length, 1);
  await ask('PUT', path, { status: 'pending' });
  t.match(await ask('POST', `${path}/content`, undefined, raw(SECRET, 'text/plain')), { status: 409, json: { errorType: 'invalidState' } });
  t.match(await ask('GET', `${path}/content`), { text: PDF.toString() });
});

test('a retried upload is stored once', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const path = await described(lender);
  const once = { ...raw(PDF, 'application/pdf'), headers: { 'Content-Type': 'application/pdf', 'Idempotency-Key': 'up-1' } };
  const first = await ask('POST', `${path}/content`, undefined, once);
  t.equal((await ask('POST', `${path}/content`, undefined, once)).text, first.text);
  t.match(await ask('POST', `${path}/content`, undefined, { ...once, body: SECRET }), { status: 400 });
  t.match(
    await ask('POST', `${path}/content`, undefined, { body: SECRET, headers: { 'Content-Type': 'text/plain', 'Idempotency-Key': 'up-1' } }),
    { status: 409, json: { errorType: 'idempotencyConflict' } },
  );
  const files = readdirSync(join(h.folder, 'documents'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  t.equal(files.length, 1);
});

test('content must be of an allowed type, match its declared type, and not be too large', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, failures } = lender;
  const path = `${await described(lender)}/content`;
  const upload = (question: HttpQuestion): Promise<HttpAnswer> => ask('POST', path, undefined, question);
  const html = Buffer.from('<html><script>alert(1)</script></html>');
  t.match(await upload(raw(PDF, 'image/png')), { status: 400, json: { errors: [{ path: 'file' }] } });
  t.match(await upload(multipart(PNG, 'application/octet-stream', 'a.pdf')), { status: 400 });
  t.match(await upload(raw(html, 'text/html')), { status: 415, json: { errorType: 'unsupportedMediaType' } });
  t.match(await upload(raw(Buffer.from('4d5a90000300000004000000ffff', 'hex'), 'application/octet-stream')), { status: 415 });
  t.match(await upload(raw(Buffer.from([0x25, 0x50, 0x00, 0xff]), 'text/plain')), { status: 415 });
  t.match(await upload(raw(Buffer.alloc(0), 'text/plain')), { status: 400 });
  t.match(await upload(multipart(PDF, 'application/pdf', 'a.pdf', 'other')), { status: 400, json: { errors: [{ path: 'file' }] } });
  t.match(await upload(raw(Buffer.from('no form'), 'multipart/form-data')), { status: 400 });
  t.match(await upload(raw(Buffer.alloc(25 * 1024 * 1024 + 1, 'a'), 'text/plain')), { status: 413 });
  t.match(await ask('POST', '/people', undefined, raw(Buffer.alloc(11 * 1024 * 1024, ' '), 'application/json')), { status: 413 });
  t.match(await upload(raw(Buffer.alloc(11 * 1024 * 1024, 'a'), 'text/csv')), {
    status: 200,
    json: { contentType: 'text/csv', contentLength: 11 * 1024 * 1024 },
  });
  t.match(await upload(multipart(PNG, 'application/octet-stream', 'scan')), { status: 200, json: { contentType: 'image/png' } });
  t.same(failures, []);
});

test('a script is refused under whatever name and type, and so is a PDF that runs one', async (t) => {
  const lender = await openHttpLender(t);
  const path = `${await described(lender)}/content`;
  const upload = (question: HttpQuestion): Promise<HttpAnswer> => lender.ask('POST', path, undefined, question);
  const script = Buffer.from('<script>steal()</script>');
  for (const type of ['text/plain', 'application/pdf', 'application/octet-stream', 'text/csv'])
    for (const name of ['a.pdf', 'a.txt', 'a.html', 'a'])
      t.match((await upload(multipart(script, type, name))).status, /400|415/, `${type} ${name}`);
  for (const text of [
    '#!/bin/sh\nrm x',
    '\ufeff  <!DOCTYPE html><p>x',
    '<?xml version="1.0"?><svg onload="x"/>',
    '<svg onload="steal()"/>',
  ])
    t.match(await upload(multipart(Buffer.from(text), 'text/plain', 'a.txt')), { status: 415 }, text);
  t.match(
    await upload(multipart(Buffer.from('plain words'), 'text/plain', 'a.pdf')),
    { status: 400, json: { errors: [{ path: 'file' }] } },
    'a text is no PDF',
  );
  t.match(await upload(multipart(PNG, 'image/png', 'a.pdf')), { status: 400 }, 'nor is a picture');

  const pdf = (objects: string | Buffer): Buffer =>
    Buffer.concat([Buffer.from('%PDF-1.5\n'), Buffer.from(objects), Buffer.from('\n%%EOF\n')]);
  const packed = (objects: string): Buffer =>
    Buffer.concat([
      Buffer.from('1 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>stream\r\n'),
      deflateSync(Buffer.from(objects)),
      Buffer.from('\nendstream endobj'),
    ]);
  for (const [what, content] of [
    ['an action', pdf('1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(steal\\(\\))>>>>endobj')],
    ['with an escaped name', pdf('1 0 obj<</OpenAction<</S/Java#53cript/J#53(x)>>>>endobj')],
    ['that starts a program', pdf('1 0 obj<</OpenAction<</S/Launch/F(cmd.exe)>>>>endobj')],
    ['in a compressed object', pdf(packed('1 0 <</S/JavaScript/JS(x)>>'))],
    ['with a compressed object that cannot be read', pdf('1 0 obj<</Type/ObjStm>>stream\nnothing\nendstream endobj')],
  ] as const)
    t.match(await upload(multipart(content, 'application/pdf', 'a.pdf')), { status: 400, json: { errors: [{ path: 'file' }] } }, what);
  for (const [what, content] of [
    ['words of a page', pdf('1 0 obj<</Length 9>>stream\n/JS (x)  \nendstream endobj')],
    ['compressed objects that are still', pdf(packed('1 0 <</Type/Page/JSON 1>>'))],
    ['a name that begins alike', pdf('1 0 obj<</JSize 1>>endobj')],
  ] as const)
    t.match(await upload(multipart(content, 'application/pdf', 'a.pdf')), { status: 200 }, what);
});

test('pictures and texts are converted to a PDF of their own', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const path = await described(lender, { fileName: 'scan.png' });
  t.match(await ask('POST', `${path}/convert`), { status: 404 });
  for (const [content, type] of [
    [PNG, 'image/png'],
    [SECRET, 'text/plain'],
  ] as const) {
    await ask('POST', `${path}/content`, undefined, raw(content, type));
    const copy = await ask('POST', `${path}/convert`);
    t.match(copy, {
      status: 200,
      json: {
        type: 'evidence',
        fileName: 'scan.pdf',
        contentType: 'application/pdf',
        conversionSourceId: path.split('/').at(-1),
        status: 'draft',
      },
    });
    t.match((await ask('GET', `/people/ext-ann-1/documents/${bareId(copy)}/content`)).text, /^%PDF-/);
  }
  await ask('POST', `${path}/content`, undefined, raw(png(60_000, 60_000), 'image/png'));
  t.match(await ask('POST', `${path}/convert`), { status: 422 });
  await ask('POST', `${path}/content`, undefined, raw(PDF, 'application/pdf'));
  t.match(await ask('POST', `${path}/convert`), { status: 422, json: { errorType: 'businessValidation' } });
});

test('a document is reviewed, accepted or rejected with a reason, and archived', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, userId } = lender;
  const path = await described(lender);
  t.match(await ask('PUT', path, { status: 'rejected' }), { status: 400, json: { errors: [{ path: 'rejectionReason' }] } });
  t.match(await ask('PUT', path, { rejectionReason: 'blurred' }), { status: 400 });
  t.match(await ask('PUT', path, { status: 'rejected', rejectionReason: 'blurred' }), {
    json: { status: 'rejected', rejectionReason: 'blurred', verifiedAt: null },
  });
  t.match(await ask('PUT', path, { status: 'accepted' }), {
    json: { status: 'accepted', rejectionReason: null, verifiedBy: { id: userId }, verifiedAt: String, updatedBy: { id: userId } },
  });
  t.match(await ask('PUT', path, { templateVersionId: 'TV-NONE-NONE' }), {
    status: 400,
    json: { errors: [{ path: 'templateVersionId' }] },
  });
  t.match(await ask('PUT', path, { loanId: 'LN-NONE-NONE' }), { status: 400, json: { errors: [{ path: 'loanId' }] } });
  t.match(await ask('DELETE', path), { status: 200 });
  t.equal((await ask('GET', '/people/ext-ann-1/documents')).text, '[]');
  t.match(JSON.parse((await ask('GET', '/people/ext-ann-1/documents?includeArchived=true')).text), [
    { archived: true, status: 'accepted' },
  ]);
});

test('documents are listed by their subject, and sensitive ones only with the permission', async (t) => {
  const { ask, askWith, userId, loan } = await openLoanOverHttp(t);
  const loanId = loan.split('/').at(-1) ?? '';
  const list = '/people/ext-ann-1/documents';
  const listed = async (query: string): Promise<readonly string[]> =>
    (JSON.parse((await ask('GET', `${list}${query}`)).text) as { type: string }[]).map(({ type }) => type);
  await ask('POST', list, { type: 'loanStatement', loanId, autogenerated: true });
  const evidence = bareId(await ask('POST', list, { type: 'evidence', sensitiveData: true }));
  await ask('POST', `${list}/${evidence}/content`, undefined, raw(PDF, 'application/pdf'));
  t.same(await listed(''), ['evidence', 'loanStatement']);
  t.same(await listed('?type=loanStatement,other'), ['loanStatement']);
  t.same(await listed(`?loanId=${loanId}`), ['loanStatement']);
  t.same(await listed('?autogenerated=false'), ['evidence']);
  t.same(await listed(`?uploadedBy=${userId}`), ['evidence']);
  t.same(await listed('?uploadedBy=borrower'), []);
  t.same(
    listOf(await ask('GET', `${loan}/documents`)).map(({ type }) => type),
    ['loanStatement'],
  );
  t.match(await ask('GET', '/people/ext-ann-1/loans/LN-NONE-NONE/documents'), { status: 404 });
  const reader = ['document:list', 'document:read'];
  t.match(JSON.parse((await askWith(reader, 'GET', list)).text), [{ type: 'loanStatement' }]);
  for (const path of [`${list}/${evidence}`, `${list}/${evidence}/content`]) {
    t.match(await askWith(reader, 'GET', path), {
      status: 403,
      json: { errorType: 'permissionDenied', permission: 'document:read.sensitive' },
    });
  }
  t.match(await askWith([...reader, 'document:read.sensitive'], 'GET', `${list}/${evidence}`), { status: 200 });
});

test('a sensitive document is changed and archived only by callers who may read it', async (t) => {
  const lender = await openWithAda(t, ['document:list', 'document:read', 'document:create', 'document:update']);
  const { ask, token } = lender;
  const path = await described(lender, { sensitiveData: true, description: 'A diagnosis' });
  const ada = { key: await token() };
  const refused = { status: 403, json: { errorType: 'permissionDenied', permission: 'document:read.sensitive' } };
  t.match(await ask('PUT', path, { metaData: { checked: 'yes' } }, ada), refused);
  t.match(await ask('PUT', path, { sensitiveData: false }, ada), refused);
  t.match(await ask('DELETE', path, undefined, ada), refused);
  t.match(await ask('POST', `${path}/content`, undefined, { ...raw(PDF, 'application/pdf'), ...ada }), refused);
  const list = '/people/ext-ann-1/documents';
  const own = `${list}/${bareId(await ask('POST', list, { type: 'evidence', sensitiveData: true }, ada))}`;
  t.match(await ask('POST', `${own}/content`, undefined, { ...raw(PDF, 'application/pdf'), ...ada }), { status: 200 }, 'what it describes');
  t.match(await ask('PUT', path, { sensitiveData: false }), { status: 200 });
});

test('a consent refers to the document that proves it', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  await described(lender, { externalId: 'signed' });
  const said = await ask('PUT', '/people/ext-ann-1/consents', [
    { name: 'contactPersonWork', status: 'consented', documentId: 'ext-signed' },
  ]);
  t.match(
    listOf(said).find(({ name }) => name === 'contactPersonWork'),
    { status: 'consented', documentId: /^DD-/ },
  );
});

test('the journal shows nothing of a document, and the documents of an erased borrower cannot be read', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const path = await described(lender, { description: 'Letter of the neurologist' });
  await ask('POST', `${path}/content`, undefined, multipart(SECRET, 'text/plain', 'neurologist.txt'));
  const disk = h.written();
  for (const text of ['neurologist', 'Quimby', createHash('sha256').update(SECRET).digest('hex')]) t.notOk(disk.includes(text), text);
  await h.data('person.erase', idOf(await ask('GET', '/people/ext-ann-1')), {});
  t.match(await ask('GET', `${path}/content`), { status: 404 });
});
