import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { bai2File } from '../../bench/bank/written-statements.js';
import { must, parseDay } from '../../engine/index.js';
import { Service, TEST_KEY } from '../service/service.js';
import type { Ended } from './tenor.js';
import { tenorHere } from './tenor-here.js';

const DAY = must(parseDay('2026-03-03'), 'a day');

test('a statement is imported into a running service from the command line, which says what has no home', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenor-bank-statement-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const service = await Service.start(join(folder, 'data'));
  const ask = (...parameters: readonly string[]): Promise<Ended> =>
    tenorHere({ TENOR_URL: service.url, TENOR_KEY: TEST_KEY }, 'bank-statement', ...parameters);
  const processor = await service.ask('POST', '/payment-processors', {
    paymentTypes: ['ach'],
    processorType: 'achDirectUS',
    processorName: 'First Bank of Albany',
    status: 'draft',
  });
  const { id } = processor.json['data'] as { readonly id: string };
  await service.ask('POST', `/payment-processors/${id}/funding-instruments`, {
    instrumentType: 'bankAccount',
    accountNumber: '4400112233',
    routingNumber: '021000021',
    accountType: 'checking',
    accountHolderType: 'business',
    accountHolderName: 'Northwind Lending',
    externalId: 'main',
  });
  const line = { day: DAY, cents: -1_250, code: '698', bankReference: 'B1', customerReference: 'FEE', text: 'MONTHLY FEE' };
  const statement = { account: '4400112233', day: DAY, openingCents: 5_000, lines: [line] };
  const [odd, quiet, broken] = ['odd.bai2', 'quiet.bai2', 'broken.bai2'].map((name) => join(folder, name));
  await writeFile(odd ?? '', bai2File(statement));
  await writeFile(quiet ?? '', bai2File({ ...statement, lines: [] }));
  await writeFile(broken ?? '', bai2File(statement).replace('16,698,1250', '16,698,1251'));

  t.match(await ask(odd ?? '', '--account', 'ext-main'), {
    code: 1,
    out: /1 entries from 2026-03-03 through 2026-03-03, differences\n[^]*unexpected 1[^]*line 4, 2026-03-03: -12\.5, expected nothing/,
  });
  const json = await ask(odd ?? '', '--account', 'ext-main', '--json');
  t.match(JSON.parse(json.out), { status: 'differences', unexpectedCount: 1, differing: [{ status: 'unexpected', amount: -12.5 }] });
  t.match(await ask(quiet ?? '', '--account', 'ext-main'), { code: 1, out: /0 entries[^]*closing balance 50, expected 37\.5/ });
  t.match(await ask(broken ?? '', '--account', 'ext-main'), { code: 2, error: /line 6: the control total of the account is another one/ });
  t.match(await ask(quiet ?? '', '--account', 'ext-nobody'), { code: 2, error: /ext-nobody/ });
  t.match(await ask(join(folder, 'none'), '--account', 'ext-main'), { code: 2, error: /the statement/ });
  t.equal(await service.stop(), 0);
});
