import { unzipSync } from 'fflate';
import { type Test, test } from 'tap';
import { decrypted, receiverPair } from '../../pgp/keys.js';
import { digestOf, linesOf, openSentTapes, rowsOfParquet, type SentTapes } from './sent-tapes.js';
import type { Data } from './settled-lender.js';

const ZIP = { fields: ['loanExternalId', 'currentPrincipalAmount'], compressionType: 'zip' };

/** A lender with six loans, and two of them in a section. */
async function openSix(t: Test): Promise<SentTapes> {
  const tapes = await openSentTapes(t);
  for (const externalId of ['b', 'c', 'd', 'e']) await tapes.active({ externalId });
  await tapes.goTo('2026-03-20');
  tapes.h.sectionLoans = 2;
  return tapes;
}

/** The name and the content of the one file. */
function fileIn(packed: Uint8Array): { readonly name: string; readonly content: Buffer } {
  const [[name, content] = ['', new Uint8Array()], ...others] = Object.entries(unzipSync(packed));
  if (others.length > 0) throw new Error(`the zip has ${others.length} files beside ${name}`);
  return { name, content: Buffer.from(content) };
}

const ROWS = ['', 'b', 'c', 'd', 'e', 'owned'];

function sortedRows(content: Buffer): readonly string[] {
  const [head, ...lines] = linesOf(content);
  if (head !== ZIP.fields.join(',')) throw new Error(`the first line is ${String(head)}`);
  return [...lines].sort();
}

test('a tape of several sections is one file in a zip, the same however often it is made, also behind a stop', async (t) => {
  const { ask, tape, tapes, made, order, sections, h, received, failures } = await openSix(t);
  const tapeId = await tape(ZIP);
  const first = await made(tapeId);
  t.match(first.file, {
    fileName: 'Loans_20260320.csv.zip',
    rowCount: 6,
    bytes: first.content.length,
    sha256: digestOf(first.content),
  });
  const { name, content } = fileIn(first.content);
  t.equal(name, 'Loans_20260320.csv');
  t.strictSame(
    sortedRows(content),
    ROWS.map((row) => `${row},120000`),
  );
  const download = await ask('GET', `${tapes}/${tapeId}/files/${String(first.file['id'])}/content`);
  t.equal(digestOf(download.bytes), first.file['sha256']);

  const { id } = await order(tapeId);
  const making = h.campaigns.tapesSettled();
  while ((await sections(id)) === 0) await new Promise((resolve) => setImmediate(resolve));
  await h.restart();
  await making;
  h.deliver();
  await h.campaigns.tapesSettled();
  const { items } = (await h.query('loanTapeFile.list', null, {}, { params: { loanTapeId: tapeId } })) as unknown as {
    readonly items: readonly Data[];
  };
  t.match(items[0], { id, status: 'succeeded', sha256: first.file['sha256'] });
  t.equal(digestOf(received(items[0] ?? {})), first.file['sha256']);
  t.same(failures, []);
});

test('the name of a zip ends in .zip, and that of its file is the same without it', async (t) => {
  const { tape, made } = await openSix(t);
  for (const [customFileName, fileName, entry] of [
    ['loans-%Y.csv', 'loans-2026.csv.zip', 'loans-2026.csv'],
    ['loans-%j.zip', 'loans-079.zip', 'loans-079'],
  ] as const) {
    const { file, content } = await made(await tape(ZIP, { customFileName }));
    t.equal(file['fileName'], fileName);
    t.equal(fileIn(content).name, entry);
  }
});

test('a zip is encrypted when it is packed', async (t) => {
  const { tape, made } = await openSix(t);
  const { publicKey, privateKey } = await receiverPair();
  const { file, content } = await made(await tape(ZIP, { encryptionMethod: 'GPG', publicKey }));
  t.match(file, { fileName: 'Loans_20260320.csv.zip', sha256: digestOf(content) });
  const inside = fileIn(await decrypted(content, privateKey));
  t.equal(inside.name, 'Loans_20260320.csv');
  t.strictSame(
    sortedRows(inside.content),
    ROWS.map((row) => `${row},120000`),
  );
});

test('Parquet goes into a zip as one file, in clear and encrypted', async (t) => {
  const { tape, made } = await openSix(t);
  const type = { ...ZIP, tapeOutputFormat: 'Parquet' };
  const plain = await made(await tape(type));
  t.match(plain.file, { fileName: 'Loans_20260320.parquet.zip', rowCount: 6 });
  const { name, content } = fileIn(plain.content);
  t.equal(name, 'Loans_20260320.parquet');
  t.strictSame(await rowsOfParquet(t, content), ROWS);
  const { publicKey, privateKey } = await receiverPair();
  const sealed = await made(await tape(type, { encryptionMethod: 'GPG', publicKey }));
  t.strictSame(await rowsOfParquet(t, fileIn(await decrypted(sealed.content, privateKey)).content), ROWS);
});
