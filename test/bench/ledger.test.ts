import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { Service, TEST_KEY } from '../service/service.js';
import { tempFolder } from '../temp-folder.js';
import { csv, EXAMPLE_MAPPING, rowOf } from './import-setting.js';
import { type Ended, tenor } from './tenor.js';
import { tenorHere } from './tenor-here.js';

test('an operator downloads a day of the books, printed or as a file', async (t) => {
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
  t.match(await ask('clock', 'advance', '2018-04-23'), { code: 0 });
  const sealed = async (...parameters: readonly string[]): Promise<Ended> => {
    for (;;) {
      const ended = await ask('ledger', ...parameters);
      if (ended.code === 0 || !/sealed/.test(ended.error)) return ended;
    }
  };
  const printed = await sealed('--day', '2018-04-21');
  t.match(printed, { code: 0, out: /^batchId,accountingDate,[^]*\r\nGB-\S+,2018-04-21,/ });
  const file = join(folder, 'ledger.json');
  t.match(await sealed('--day', '2018-04-22', '--format', 'json', '--file', file), {
    code: 0,
    out: /ledger\.json: \d+ lines, [0-9a-f]{64}/,
  });
  t.match(JSON.parse(readFileSync(file, 'utf8')), { batch: { basis: 'accrual', accountingDate: '2018-04-22' } });
  t.match(await ask('ledger', '--day', '2018-04-23'), { code: 1, error: /No accrual books of 2018-04-23 are sealed/ });
  t.match(await ask('ledger', '--day', 'yesterday'), { code: 2, error: /--day/ });
});
