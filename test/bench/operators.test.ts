import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { Service, TEST_KEY } from '../service/service.js';
import { csv, EXAMPLE_MAPPING, rowOf } from './import-setting.js';
import { type Ended, tenor } from './tenor.js';
import { tenorHere } from './tenor-here.js';

test('an operator watches mass work, moves a test clock and keeps API keys of a running service', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenor-operators-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'loans.csv');
  await writeFile(file, csv(rowOf('L-1'), rowOf('L-2'), rowOf('L-3')));
  const data = join(folder, 'data');
  t.equal(
    (
      await tenor(
        { TENOR_TEST_KEY: TEST_KEY },
        'import',
        file,
        '--mapping',
        EXAMPLE_MAPPING,
        '--activate',
        '--as-of',
        '2018-04-20',
        '--data',
        data,
      )
    ).code,
    0,
  );
  const service = await Service.start(data);
  const ask = (...parameters: readonly string[]): Promise<Ended> =>
    tenorHere({ TENOR_URL: service.url, TENOR_KEY: TEST_KEY }, ...parameters);
  const jsonOf = async (...parameters: readonly string[]): Promise<unknown> => JSON.parse((await ask(...parameters, '--json')).out);

  t.match(await ask('shards'), { code: 0, out: /all +0-64 +this process +serving[^]*this process +\d+/ });
  t.match(await ask('clock'), { code: 0, out: /today +2018-04-20\n[^]*state +ready/ });
  t.match(await ask('clock', 'advance', '2018-06-20'), { code: 0, out: /today +2018-06-20/ });
  t.match(await ask('clock', 'advance', '2018-06-01'), { code: 1, error: /must be after the time of the clock/ });
  t.match(await ask('days', '--date', '2018-06-20'), { code: 0, out: /2018-06-20 {2}\S+/ });
  t.match(await ask('days', '--date', '2018-06-21'), { code: 2, error: /to come/ });
  t.match(await ask('clock', 'create'), { code: 1, error: /already has a test clock/ });

  const { json } = await service.ask('POST', '/operations/replays', { all: true, hold: true, dryRun: true });
  const { operationId } = json['data'] as { readonly operationId: string };
  t.match(await ask('operations', '--status', 'running'), { code: 0, out: new RegExp(`${operationId} +loan\\.replay +paused, dry run`) });
  t.match(await ask('operations', 'show', operationId), { code: 0, out: /state +paused, dry run/ });
  t.match(await ask('operations', 'resume', operationId), { code: 0 });
  t.match(await jsonOf('operations', 'watch', operationId), { status: 'succeeded', percent: 100, counts: { unchanged: 3 } });
  t.match(await ask('operations', 'list'), { code: 0, out: /3 of 3/ });
  t.match(await ask('operations', 'show', 'nobody'), { code: 2, error: /nobody/ });
  const held = await service.ask('POST', '/operations/replays', { all: true, hold: true });
  const ended = (held.json['data'] as { readonly operationId: string }).operationId;
  t.match(await ask('operations', 'cancel', ended), { code: 0, out: /canceled/ });
  t.match(await ask('operations', 'show', ended), { code: 1, out: /canceled/ });

  const made = (await jsonOf('keys', 'create', '--description', 'nightly export')) as { readonly id: string; readonly key: string };
  t.match(await tenorHere({ TENOR_URL: service.url, TENOR_KEY: made.key }, 'keys', 'list'), { code: 0, out: /nightly export/ });
  t.match(await ask('keys', 'revoke', made.id), { code: 0 });
  t.match(await tenorHere({ TENOR_URL: service.url, TENOR_KEY: made.key }, 'keys', 'list'), { code: 2 }, 'it opens nothing any more');
  t.match(await ask('keys', 'list', '--all'), { code: 0, out: new RegExp(`${made.id} .*revoked|${made.id} .*inactive`) });
  t.equal(await service.stop(), 0);
});
