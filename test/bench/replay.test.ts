import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { Service, TEST_KEY } from '../service/service.js';
import { csv, EXAMPLE_MAPPING, rowOf } from './import-setting.js';
import { tenorHere } from './tenor-here.js';

test('an operator replays loans of a stopped service and of a running one', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenor-replay-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'loans.csv');
  const data = ['--data', join(folder, 'data')];
  await writeFile(file, csv(rowOf('L-1'), rowOf('L-2'), rowOf('L-3')));
  t.equal(
    (
      await tenorHere(
        { TENOR_TEST_KEY: TEST_KEY },
        'import',
        file,
        '--mapping',
        EXAMPLE_MAPPING,
        '--activate',
        '--as-of',
        '2018-04-20',
        ...data,
      )
    ).code,
    0,
  );

  const report = join(folder, 'report.csv');
  const dry = await tenorHere({}, 'replay', '--all', '--dry-run', '--diff', report, ...data);
  t.match(dry, { code: 0, out: /3 loans compared[^]*would change +0[^]*unchanged +3[^]*outstandingTotalAmount/ });
  const lines = (await readFile(report, 'utf8')).trimEnd().split('\r\n');
  t.equal(lines.length, 4);
  t.match(lines[0], /^id,outcome,statusBefore,statusAfter,/);
  const one = JSON.parse((await tenorHere({}, 'replay', 'ext-L-2', '--from', '2018-03-01', '--json', ...data)).out) as object;
  t.match(one, { status: 'succeeded', kind: 'loan.replay', progress: { done: 1, total: 1 } });

  const service = await Service.start(join(folder, 'data'));
  const url = ['--url', service.url];
  t.match(await tenorHere({ TENOR_KEY: TEST_KEY }, 'replay', '--query', 'statuses=active', '--dry-run', '--diff', report, ...url), {
    code: 0,
    out: /3 loans compared/,
  });
  t.equal((await readFile(report, 'utf8')).trimEnd().split('\r\n').length, 4);
  t.match(await tenorHere({ TENOR_KEY: TEST_KEY }, 'replay', '--query', 'statuses=active,frozen', ...url), {
    code: 0,
    out: /3 loans replayed/,
  });
  t.match(await tenorHere({}, 'replay', '--all', ...url), { code: 2, error: /key/ });
  t.equal(await service.stop(), 0);

  t.match(await tenorHere({}, 'replay', ...data), { code: 2, error: /Say which loans/ });
  t.match(await tenorHere({}, 'replay', '--query', 'colour=blue', ...data), { code: 2, error: /no filter colour/ });
  t.match(await tenorHere({}, 'replay', '--all', '--from', 'tomorrow', ...data), { code: 2, error: /no date/ });
  t.match(await tenorHere({}, 'replay', '--all', '--diff', report, ...data), { code: 2, error: /--dry-run/ });
  t.match(await tenorHere({}, 'replay', 'ext-L-9', ...data), { code: 2, error: /There is no loan ext-L-9/ });
});
