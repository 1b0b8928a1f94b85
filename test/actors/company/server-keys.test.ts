import { type Test, test } from 'tap';
import { companyModule, type CompanyState, serverKeyOf } from '../../../actors/company/index.js';
import { must } from '../../../engine/index.js';
import { Harness } from '../harness.js';

const SYSTEM = { system: true } as const;
const MOST_SERVERS = 1_000;

const letters = (letter: string): string => letter.repeat(43);

async function open(t: Test): Promise<Harness> {
  const h = await Harness.open(() => [companyModule]);
  t.teardown(() => h.close());
  await h.makeCompany();
  return h;
}

test('the first key of a server is kept over a restart, for one mode; a configured one alone replaces it', async (t) => {
  const h = await open(t);
  const host = 'files.example.com:22';
  const record = (hostKey: string, isConfigured = false) =>
    ['company.recordServerKey', h.company, { host, hostKey, isConfigured }, SYSTEM] as const;
  const known = (mode: 'test' | 'live' = 'test', of = host): string | undefined =>
    serverKeyOf(must(h.engine.stateOf<CompanyState>({ company: h.company, mode }, 'company', h.company), 'the company'), of);
  await h.command(...record(letters('A')));
  await h.command(...record(letters('A')));
  for (const forget of [false, true]) {
    if (forget) h.forgetSnapshots();
    await h.restart();
    t.equal(known(), letters('A'));
  }
  t.equal(known('live'), undefined);
  t.equal(known('test', 'files.example.com'), undefined, 'another port is another server');
  t.match(await h.refusal(...record(letters('B'))), { statusCode: 409 });
  t.equal(known(), letters('A'));
  await h.command(...record(letters('B'), true));
  t.equal(known(), letters('B'));
});

test('of so many servers the keys are kept, and that of the oldest is dropped', async (t) => {
  const h = await open(t);
  const record = (number: number) =>
    h.command('company.recordServerKey', h.company, { host: `h${number}`, hostKey: letters('A'), isConfigured: false }, SYSTEM);
  await Promise.all(Array.from({ length: MOST_SERVERS }, (_, number) => record(number)));
  const company = () => must(h.engine.stateOf<CompanyState>({ company: h.company, mode: 'test' }, 'company', h.company), 'the company');
  t.equal(serverKeyOf(company(), 'h0'), letters('A'));
  await record(MOST_SERVERS);
  t.equal(serverKeyOf(company(), 'h0'), undefined);
  for (const number of [1, MOST_SERVERS]) t.equal(serverKeyOf(company(), `h${number}`), letters('A'));
});
