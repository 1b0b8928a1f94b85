import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { tenor } from '../bench/tenor.js';
import { filesBelow } from '../moves/traces.js';
import { scratchFolder } from '../temp-folder.js';
import { LIVE_KEY, Service, TEST_KEY } from './service.js';

const ENVIRONMENT = { TENOR_MASTER_KEY: 'cd'.repeat(32) };
const LIVE = { authorization: `Bearer ${LIVE_KEY}` };

/** A borrower with a document and a message that no provider has fetched. */
async function borrowerIn(service: Service, data: string, company: string, mode: 'live' | 'test', lastName: string): Promise<string> {
  const headers = { authorization: `Bearer ${mode === 'live' ? LIVE_KEY : TEST_KEY}` };
  const made = async (path: string, body: object): Promise<string> => {
    const { status, json } = await service.ask('POST', path, body, headers);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(json)}`);
    return /"id":"([A-Z]{2}-[^"]+)"/.exec(JSON.stringify(json['data'] ?? json))?.[1] ?? '';
  };
  const personId = await made('/people', { externalId: `crm-${lastName}`, name: { firstName: 'Ada', lastName } });
  const documentId = await made(`/people/${personId}/documents`, { type: 'evidence', fileName: 'letter.txt' });
  const stored = await fetch(`${service.url}/api/people/${personId}/documents/${documentId}/content`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/plain' },
    body: `About ${lastName}.`,
  });
  if (stored.status !== 200) throw new Error(await stored.text());
  const messages = join(data, 'messages', mode, company, 'email');
  mkdirSync(messages, { recursive: true });
  writeFileSync(join(messages, `${lastName}.json`), JSON.stringify({ personId, content: { to: lastName } }, null, 2));
  return personId;
}

test('a borrower of the live mode is erased on the running service, and in the data folder with --live alone', async (t) => {
  const data = join(scratchFolder(), 'data');
  let service = await Service.start(data, ENVIRONMENT);
  const company = await service.company();
  const [running, stopped] = [
    await borrowerIn(service, data, company, 'live', 'Runningham'),
    await borrowerIn(service, data, company, 'live', 'Stoppard'),
  ];
  const other = await borrowerIn(service, data, company, 'test', 'Testerly');
  const shown = async (personId: string, headers = LIVE): Promise<string> =>
    JSON.stringify(await service.ask('GET', `/people/${personId}`, undefined, headers));
  const contents = (): number => filesBelow(join(data, 'documents')).length;
  const waiting = (mode: string): readonly string[] => readdirSync(join(data, 'messages', mode, company, 'email')).sort();
  t.equal(contents(), 3);
  const asked = { ...ENVIRONMENT, TENOR_URL: service.url };

  const foreign = await tenor({ ...asked, TENOR_KEY: TEST_KEY }, 'erase', running);
  t.match(foreign, { code: 2, error: /no/i }, 'a key of the test mode finds no borrower of the live mode');
  t.match(await tenor({ ...asked, TENOR_KEY: LIVE_KEY }, 'erase', running, '--live'), { code: 2, error: /The key says/ });
  t.match(await shown(running), /Runningham/);
  t.match(await tenor({ ...asked, TENOR_KEY: LIVE_KEY }, 'erase', 'ext-crm-Runningham'), { code: 0, out: /are erased/ });
  t.notMatch(await shown(running), /Runningham/);
  t.match(await shown(stopped), /Stoppard/, 'others stay');
  t.equal(contents(), 2, 'the document is gone');
  t.strictSame(waiting('live'), ['Stoppard.json'], 'and the message');
  t.match(await tenor({ ...asked, TENOR_KEY: LIVE_KEY }, 'erase', running), { code: 0 }, 'again');
  await service.stop();

  const inFolder = (...more: readonly string[]) => tenor(ENVIRONMENT, 'erase', stopped, '--data', data, ...more);
  t.match(await inFolder(), { code: 2, error: /--company/ });
  t.match(await inFolder('--company', company), { code: 2 }, 'without --live it looks among borrowers of the test mode');
  service = await Service.start(data, ENVIRONMENT);
  t.match(await shown(stopped), /Stoppard/, 'the borrower of the live mode is left alone');
  t.notMatch(await shown(running), /Runningham/);
  await service.stop();
  t.match(await inFolder('--company', company, '--live'), { code: 0, out: /are erased/ });
  t.equal(contents(), 1);
  t.strictSame(waiting('live'), []);
  service = await Service.start(data, ENVIRONMENT);
  t.notMatch(await shown(stopped), /Stoppard/);
  t.match(await shown(other, { authorization: `Bearer ${TEST_KEY}` }), /Testerly/);
  t.strictSame(waiting('test'), ['Testerly.json']);
  await service.stop();
});
