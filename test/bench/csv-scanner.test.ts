import { parse } from 'csv-parse/sync';
import fc from '../fast-check.js';
import { test } from 'tap';
import { CsvScanner, type ScannedRow } from '../../bench/import/csv-scanner.js';
import { toUtf8 } from '../../bench/import/encoding.js';

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r\n', ' ', '€', '😀'), maxLength: 12 });
const ends = fc.constantFrom('\n', '\r\n');
const table = fc.array(fc.tuple(fc.tuple(cell, cell, cell), ends), { maxLength: 30 });
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const bare = (text: string): string => (/[",\r\n]/.test(text) ? quoted(text) : text);

/** All rows of bytes that come in chunks of a length. */
function scan(bytes: Buffer, chunkBytes: number): readonly ScannedRow[] {
  const scanner = new CsvScanner();
  const rows: ScannedRow[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) rows.push(...scanner.push(bytes.subarray(at, at + chunkBytes)));
  rows.push(...scanner.end());
  return rows;
}

test('whatever is written as CSV is read as an independent reader reads it, in chunks of any length', async (t) => {
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 64 }), fc.boolean(), (rows, chunkBytes, quotesAll) => {
      const text = ['"a",b,c\n', ...rows.map(([cells, end]) => `${cells.map(quotesAll ? quoted : bare).join(',')}${end}`)].join('');
      const expected = parse(text, { record_delimiter: ['\r\n', '\n'], relax_column_count: true });
      t.same(
        scan(Buffer.from(text), chunkBytes).map(({ cells }) => cells),
        expected,
      );
    }),
  );
});

test('no row is lost: each good line of a damaged file is read, and each bad one named by its line', async (t) => {
  const good = fc.nat(1e6).map((id) => ({ text: `${id},x,y`, isGood: true }));
  const bad = fc
    .constantFrom('1,"x,y', '1,x"x,y', '1,"x"x,y', '1,x', `1,${'x'.repeat(1_000_001)},y`, '1,x,y,"z')
    .map((text) => ({ text, isGood: false }));
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 4, arbitrary: good }, bad), { maxLength: 20 }),
      fc.integer({ min: 100_000, max: 1e6 }),
      (lines, chunkBytes) => {
        const rows = scan(Buffer.from(['a,b,c', ...lines.map(({ text }) => text)].join('\n')), chunkBytes).slice(1);
        t.same(
          rows.map(({ line, cells }) => [line, cells?.join(',') ?? null]),
          lines.map(({ text, isGood }, index) => [index + 2, isGood ? text : null]),
        );
      },
    ),
    { numRuns: 25 },
  );
});

test('bytes that an encoding does not have never become other characters, in chunks of any length', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), fc.boolean(), (text, chunkBytes, isBigEndian) => {
      const bytes = Buffer.from(text, 'utf16le');
      const decoder = toUtf8(isBigEndian ? 'utf-16be' : 'utf-16le');
      const parts: Buffer[] = [];
      if (isBigEndian) bytes.swap16();
      for (let at = 0; at < bytes.length; at += chunkBytes) parts.push(decoder.chunk(bytes.subarray(at, at + chunkBytes)));
      const decoded = Buffer.concat([...parts, decoder.end()]);
      if (text.isWellFormed()) t.equal(decoded.toString('utf8'), text);
      else t.ok(decoded.includes(0xff) && !decoded.includes('\ufffd'));
    }),
  );
});
