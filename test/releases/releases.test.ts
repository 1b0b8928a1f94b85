import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { tenorHere } from '../bench/tenor-here.js';
import { Service } from '../service/service.js';
import { answersAlike, isSound } from './answers.js';
import { kept, RELEASES, releaseOf } from './kept.js';

/*
 * Data of earlier releases that `npm run keep-release` has stored: the present code starts on it and gives the same answers.
 */

test('the data of a release exists', async (t) => {
  t.ok(RELEASES.length > 0);
});

for (const name of RELEASES) {
  test(`the present code reads the data of ${name} and gives the same answers`, async (t) => {
    const release = releaseOf(name);
    await t.test('with its snapshots', async (t) => {
      const data = kept(t, name, 'data.tar.br');
      await isSound(t, data, 'before the first start');
      await answersAlike(t, data, name);
      await isSound(t, data, 'after it');
      await answersAlike(t, data, name);
    });
    await t.test('from its journal alone', async (t) => {
      const data = kept(t, name, 'data.tar.br');
      rmSync(join(data, 'snapshots'), { recursive: true });
      await answersAlike(t, data, name);
      await isSound(t, data, 'after a start');
    });
    await t.test('from its export', async (t) => {
      const folder = kept(t, name, 'export.tar.br');
      const data = join(folder, 'data');
      const environment = { TENOR_MASTER_KEY: readFileSync(join(folder, 'master.key'), 'utf8').trim() };
      const { code, error } = await tenorHere(
        environment,
        'restore',
        join(folder, 'journal'),
        '--keys',
        join(folder, 'keys'),
        '--data',
        data,
      );
      t.equal(code, 0, error);
      execFileSync('cp', [join(folder, 'master.key'), join(data, 'master.key')]);
      await answersAlike(t, data, name);
      await isSound(t, data, 'after a start');
    });
    await t.test('and goes on', async (t) => {
      const data = kept(t, name, 'data.tar.br');
      t.ok(existsSync(join(data, 'journal')));
      const service = await Service.start(data);
      const key = { authorization: `Bearer ${release.key}` };
      const payment = { type: 'oneTime', amount: 12.5, isExternal: true, status: 'succeeded' };
      t.match(await service.ask('POST', '/people/ext-b-2/loans/ext-l-2/transactions', payment, key), { status: 201 });
      const [clock] = (await service.ask('GET', '/test-clocks', undefined, key)).json['data'] as readonly { readonly id: string }[];
      const moved = await service.ask('POST', `/test-clocks/${clock?.id ?? ''}/advance?sync=true`, { to: '2024-09-20' }, key);
      t.match(moved, { status: 200, json: { data: { status: 'succeeded' } } });
      t.equal(await service.stop(), 0);
      await isSound(t, data, 'with what the present code has added');
    });
  });
}
