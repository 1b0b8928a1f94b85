import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { test } from 'tap';
import type { ExportManifest } from '../../bench/cli/view-export.js';
import { Service, TEST_KEY } from '../service/service.js';
import { tempFolder } from '../temp-folder.js';
import { csv, EXAMPLE_MAPPING, rowOf } from './import-setting.js';
import { type Ended, tenor } from './tenor.js';
import { tenorHere } from './tenor-here.js';

test('an operator writes views as compressed files with a manifest, once, and goes on where it was stopped', async (t) => {
  const folder = tempFolder(t);
  const rows = join(folder, 'loans.csv');
  writeFileSync(rows, csv(rowOf('L-1'), rowOf('L-2')));
  const data = join(folder, 'data');
  const imported = ['import', rows, '--mapping', EXAMPLE_MAPPING, '--activate', '--as-of', '2018-04-20', '--data', data];
  t.equal((await tenor({ TENOR_TEST_KEY: TEST_KEY }, ...imported)).code, 0);
  const service = await Service.start(data);
  t.teardown(() => service.kill());
  const ask = (...parameters: readonly string[]): Promise<Ended> =>
    tenorHere({ TENOR_URL: service.url, TENOR_KEY: TEST_KEY }, ...parameters);
  const target = join(folder, 'export');

  const all = await ask('views', 'export', target, '--json');
  t.match(all, { code: 0 }, all.error);
  const manifest = JSON.parse(all.out) as ExportManifest;
  t.match(manifest, { refused: [], version: 1, mode: 'test', format: 'csv.gz', company: /^CP-/ });
  t.same(JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8')), manifest);
  t.same(readdirSync(target).sort(), [...manifest.files.map(({ file }) => file), 'manifest.json'].sort(), 'nothing else is left');
  for (const { view, file, columns, rows: count, bytes, sha256, watermark } of manifest.files) {
    const content = readFileSync(join(target, file));
    t.equal(createHash('sha256').update(content).digest('hex'), sha256, view);
    t.equal(content.length, bytes);
    const text = gunzipSync(content).toString('utf8');
    t.ok(text.startsWith(`${columns.join(',')}\r\n`), view);
    const asked = await ask('sql', `SELECT count(*)::INTEGER AS n FROM ${view}`, '--csv');
    t.equal(asked.out, `n\r\n${count}\r\n`, view);
    t.ok(watermark >= manifest.watermark);
  }
  const loans = gunzipSync(readFileSync(join(target, 'v_loans.csv.gz'))).toString('utf8');
  const printed = await ask('sql', 'SELECT * EXCLUDE (as_of) FROM v_loans', '--csv');
  const sorted = (text: string): readonly string[] => text.trimEnd().split('\r\n').sort();
  t.same(
    sorted(loans).map((line) => line.slice(0, line.lastIndexOf(','))),
    sorted(printed.out),
  );
  t.match(await ask('views', 'export', target), { code: 0, error: /has a whole export/, out: /files, \d+ rows as of/ });
  t.equal(readFileSync(join(target, 'manifest.json'), 'utf8'), `${JSON.stringify(manifest, null, 2)}\n`, 'which is left as it is');

  const stopped = join(folder, 'stopped');
  t.match(await ask('views', 'export', stopped, '--view', 'v_loans'), { code: 0 });
  const { company, mode, files } = JSON.parse(readFileSync(join(stopped, 'manifest.json'), 'utf8')) as ExportManifest;
  rmSync(join(stopped, 'manifest.json'));
  writeFileSync(join(stopped, 'progress.json'), JSON.stringify({ company, mode, files }));
  writeFileSync(join(stopped, 'v_balances.csv.gz.part'), 'half of it');
  const goesOn = await ask('views', 'export', stopped, '--view', 'v_balances', 'v_loans');
  t.match(goesOn, { code: 0 }, goesOn.error);
  t.notMatch(goesOn.error, /v_loans/, 'it was done');
  const whole = JSON.parse(readFileSync(join(stopped, 'manifest.json'), 'utf8')) as ExportManifest;
  t.same(
    whole.files.find(({ view }) => view === 'v_loans'),
    files[0],
  );
  t.same(readdirSync(stopped).sort(), ['manifest.json', 'v_balances.csv.gz', 'v_loans.csv.gz']);

  renameSync(join(stopped, 'manifest.json'), join(stopped, 'notes.txt'));
  t.match(await ask('views', 'export', stopped), { code: 2, error: /has files that are of no export/ });
  writeFileSync(join(stopped, 'progress.json'), JSON.stringify({ company: 'CP-AAAA-AAAA', mode, files: [] }));
  t.match(await ask('views', 'export', stopped), { code: 2, error: /CP-AAAA-AAAA/ });
  t.match(await ask('views', 'export', target, '--view', 'v_nothing'), { code: 2, error: /no view v_nothing/ });
  t.notOk(existsSync(join(stopped, 'manifest.json')));
});
