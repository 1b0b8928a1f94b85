import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'tap';
import { lookupsOf, readMapping, readSettings, UsageError } from '../../bench/index.js';
import { csv, EXAMPLE_MAPPING, HEADER, openImport, rowOf } from './import-setting.js';

const rows = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, index) => rowOf(`L-${from + index}`));

/** The faults of the error file: `line,id,path`. */
async function named(errorsFile: string): Promise<readonly string[]> {
  const [, ...lines] = (await readFile(errorsFile, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => line.split(',').slice(0, 3).join(','));
}

test('a row above the bound and an unclosed quote do not affect the rows behind them', async (t) => {
  const { h, tenant, run, write, errorsFile } = await openImport(t);
  const huge = rowOf('HUGE', { loan_purpose: 'x'.repeat(1_200_000) });
  const unclosed = rowOf('OPEN', { loan_purpose: '"car' });
  const bad = [huge, unclosed, rowOf('STRAY', { loan_purpose: '6" pipe' }), rowOf('TEXT', { loan_purpose: '"car"s' })];
  const path = await write('loans.csv', csv(...rows(1, 20), ...bad, ...rows(21, 60), unclosed, ...rows(61, 70)));
  const summary = await run(path);
  t.match(summary, { rows: 75, booked: 70, refused: 5, isComplete: true });
  t.same(await named(errorsFile), ['22,,row', '23,,row', '24,,row', '25,,row', '66,,row']);
  t.equal(h.engine.world.catalog.count(tenant, 'loan'), 70);
});

test('an unclosed quote that a later quote closes is found by the header’s width', async (t) => {
  const { run, write, errorsFile } = await openImport(t);
  const closes = rowOf('L-9', { loan_status: 'Current"' });
  const summary = await run(await write('loans.csv', csv(rowOf('OPEN', { loan_purpose: '"car' }), ...rows(1, 3), closes, ...rows(4, 5))));
  t.match(summary, { rows: 7, booked: 5, refused: 2, isComplete: true });
  t.same(await named(errorsFile), ['2,,row', '6,,row']);
});

test('quoted fields keep their commas, quotes and lines, and the next row knows its line', async (t) => {
  const { run, write, errorsFile } = await openImport(t);
  const purpose = '"a ""small"" car,\r\nused\nand red"';
  const summary = await run(await write('loans.csv', csv(rowOf('L-1', { loan_purpose: purpose }), rowOf('BAD', { term: 'x' }))));
  t.match(summary, { booked: 1, refused: 1 });
  t.same(await named(errorsFile), ['5,BAD,loan.atOrigination.duration']);
});

test('a file may mix the ends of its lines', async (t) => {
  const { run, write } = await openImport(t);
  const [one, two, three, four] = rows(1, 4);
  const text = `${HEADER.join(',')}\r\n${one}\r\n${two}\n${three}\r\n\r\n\n${four}`;
  t.match(await run(await write('crlf.csv', text)), { rows: 4, booked: 4, isComplete: true });
  t.match(await run(await write('lf.csv', `${csv(...rows(5, 6))}${rowOf('L-7')}\r\n${rowOf('L-8')}\n`)), { rows: 4, booked: 4 });
  t.match(await run(await write('cr.csv', csv(...rows(9, 10)).replaceAll('\n', '\r'))), { rows: 2, booked: 2 });
});

test('text that is no UTF-8 is named, and read where its encoding is given', async (t) => {
  const { h, tenant, run, write, errorsFile } = await openImport(t);
  const text = csv(rowOf('L-1'), rowOf('L-É2'), rowOf('L-3'));
  const path = await write('loans.csv', Buffer.from(text, 'latin1'));
  t.match(await run(path), { rows: 3, booked: 2, refused: 1, isComplete: true, encoding: 'utf-8' });
  t.same(await named(errorsFile), ['3,,row']);
  t.match(await readFile(errorsFile, 'utf8'), /--encoding windows-1252/);
  t.match(await run(path, { encoding: 'windows-1252' }), { booked: 1, alreadyBooked: 2, refused: 0, encoding: 'windows-1252' });
  t.ok(h.engine.locate(tenant, 'loan', 'ext-L-É2'));
  await t.rejects(run(await write('head.csv', Buffer.from(text.replace('loan_status', 'été'), 'latin1'))), UsageError);
});

test('windows-1252 has its own characters between 80 and 9F, and those that it lacks are named', async (t) => {
  const { h, tenant, run, write } = await openImport(t);
  const bytes = Buffer.from(csv(rowOf('L-\u0080\u0092'), rowOf('L-\u0081')), 'latin1');
  t.match(await run(await write('loans.csv', bytes), { encoding: 'windows-1252' }), { booked: 1, refused: 1 });
  t.ok(h.engine.locate(tenant, 'loan', 'ext-L-€’'));
});

test('a byte order mark says what a file is', async (t) => {
  const { h, tenant, run, write } = await openImport(t);
  const swapped = Buffer.from(`\ufeff${csv(rowOf('L-ß1'))}`, 'utf16le').swap16();
  t.match(await run(await write('be.csv', swapped)), { booked: 1, encoding: 'utf-16be' });
  t.match(await run(await write('le.csv', Buffer.from(`\ufeff${csv(rowOf('L-ß2'))}`, 'utf16le'))), { booked: 1, encoding: 'utf-16le' });
  t.match(await run(await write('8.csv', `\ufeff${csv(rowOf('L-ß3'))}`)), { booked: 1, encoding: 'utf-8' });
  for (const id of ['L-ß1', 'L-ß2', 'L-ß3']) t.ok(h.engine.locate(tenant, 'loan', `ext-${id}`));
  const unmarked = await write('unmarked.csv', Buffer.from(csv(rowOf('L-ß4')), 'utf16le'));
  await t.rejects(run(unmarked), /--encoding utf-16le/);
  t.match(await run(unmarked, { encoding: 'utf-16le' }), { booked: 1 });
  await t.rejects(run(await write('other.csv', swapped), { encoding: 'windows-1252' }), /byte order mark/);
});

test('a character that an earlier conversion has lost is named, and so is half of one in UTF-16', async (t) => {
  const { run, write, errorsFile } = await openImport(t);
  t.match(await run(await write('loans.csv', csv(rowOf('L-1', { loan_purpose: 'caf\ufffd' }), rowOf('L-2')))), { booked: 1, refused: 1 });
  t.match(await readFile(errorsFile, 'utf8'), /U\+FFFD.*loan_purpose/);
  const half = Buffer.from(`\ufeff${csv(rowOf('L-3', { loan_purpose: 'a\ud800b' }), rowOf('L-4'))}`, 'utf16le');
  t.match(await run(await write('half.csv', half)), { booked: 1, refused: 1 });
});

test('a column that is twice in the header is a fault of the mapping that reads it', async (t) => {
  const { run, write } = await openImport(t);
  const twice = `${HEADER.join(',')},loan_amount\n${rowOf('L-1')},5000\n`;
  await t.rejects(run(await write('twice.csv', twice)), /loan_amount.*twice/s);
  const unread = `${HEADER.join(',')},note,note\n${rowOf('L-2')},a,b\n`;
  t.match(await run(await write('unread.csv', unread)), { booked: 1 });
});

test('names that every object inherits are no values of a mapping', async (t) => {
  const { run, write } = await openImport(t);
  const mapping = await readMapping(EXAMPLE_MAPPING);
  const kind = { $column: 'application_type', values: { individual: 'person' } };
  const path = await write(
    'loans.csv',
    csv(rowOf('L-1', { application_type: 'constructor' }), rowOf('L-2', { application_type: '__proto__' }), rowOf('L-3')),
  );
  const summary = await run(path, { mapping: { ...mapping, person: { ...mapping.person, borrowerType: kind } } });
  t.match(summary, { rows: 3, booked: 1, refused: 2, isComplete: true });
  t.match(await readFile(summary.errorsFile ?? '', 'utf8'), /2,L-1,person\.borrowerType,has no meaning in the mapping/);
});

test('files of settings may have a byte order mark, and are refused in another encoding than UTF-8', async (t) => {
  const { write } = await openImport(t);
  const text = await readFile(EXAMPLE_MAPPING, 'utf8');
  t.same(await readMapping(await write('marked.json', `\ufeff${text}`)), JSON.parse(text));
  await t.rejects(
    readMapping(await write('latin1.json', Buffer.from(text.replace('"name": "', '"name": "é'), 'latin1'))),
    /is not UTF-8 text/,
  );
  const rates = await write('rates.json', Buffer.from('{"prime": "é"}', 'latin1'));
  t.throws(() => lookupsOf({ ...readSettings({}, {}).settings, indexRatesFile: rates }), /is not UTF-8 text/);
  const config = await write('config.json', Buffer.from('{"companyName": "Crédit"}', 'latin1'));
  t.match(readSettings({}, { TENOR_CONFIG: config }).faults, [{ name: config, message: /is not UTF-8 text/ }]);
});

test('a refused row leaves nothing behind', async (t) => {
  const { h, tenant, run, write } = await openImport(t);
  const future = rowOf('L-2', { issue_month: '2019-01' }); // its activation is refused by the engine
  const summary = await run(await write('loans.csv', csv(rowOf('L-1'), future, rowOf('L-3'))));
  t.match(summary, { booked: 2, refused: 1 });
  t.equal(h.engine.world.catalog.count(tenant, 'person'), 2);
  t.equal(h.engine.world.catalog.count(tenant, 'loan'), 2);
  t.throws(() => h.engine.locate(tenant, 'person', 'ext-L-2'), /no person/);
});

test('a refused row takes no borrower from the rows that share it', async (t) => {
  const { h, tenant, run, write } = await openImport(t);
  const mapping = await readMapping(EXAMPLE_MAPPING);
  const shared = { ...mapping, person: { ...mapping.person, externalId: { $column: 'loan_purpose' } } };
  const bad = (id: string): string => rowOf(id, { issue_month: '2019-01' });
  const path = await write('loans.csv', csv(bad('L-1'), rowOf('L-2'), bad('L-3'), rowOf('L-4'), rowOf('L-5', { loan_purpose: 'boat' })));
  t.match(await run(path, { mapping: shared }), { booked: 3, refused: 2 });
  t.equal(h.engine.world.catalog.count(tenant, 'person'), 2);
  t.equal(h.engine.world.catalog.count(tenant, 'loan'), 3);
});

test('a loan of another borrower is named, and makes no borrower', async (t) => {
  const { h, tenant, run, write } = await openImport(t);
  const mapping = await readMapping(EXAMPLE_MAPPING);
  const byPurpose = { ...mapping, person: { ...mapping.person, externalId: { $column: 'loan_purpose' } } };
  await run(await write('first.csv', csv(rowOf('L-1'))), { mapping: byPurpose });
  const summary = await run(await write('second.csv', csv(rowOf('L-1', { loan_purpose: 'boat' }), rowOf('L-2'))), { mapping: byPurpose });
  t.match(summary, { booked: 1, refused: 1 });
  t.equal(h.engine.world.catalog.count(tenant, 'person'), 1);
});

test('a file that changes while it is read is not complete', async (t) => {
  const { run, write } = await openImport(t);
  const path = await write('loans.csv', csv(...Array.from({ length: 4_000 }, () => 'x'.repeat(1_000))));
  let isChanged = false;
  const change = (): void => {
    if (!isChanged) writeFileSync(path, csv(rowOf('L-1')));
    isChanged = true;
  };
  const summary = await run(path, { progress: { update: change, stop: () => undefined } });
  t.match(summary, { isComplete: false, whyIncomplete: /changed/ });
});
