import { PassThrough } from 'node:stream';
import { test } from 'tap';
import { logOf, requestLog } from '../../wiring/settings.js';
import { tempFolder } from '../temp-folder.js';
import { Service } from './service.js';

test('the log has a line for each request and for start and end: ids, route, status and duration, and nothing personal', async (t) => {
  const service = await Service.start(tempFolder(t), { TENOR_LOG: 'info' });
  const company = await service.company();
  await service.ask('POST', '/people', { name: { firstName: 'Annabel', lastName: 'Quimby' } });
  await service.ask('GET', '/people?q=Quimby');
  await fetch(`${service.url}/api/people/BO-AAAA-AAAA`);
  t.equal(await service.stop(), 0);
  const lines = service.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Record<string, unknown>);
  const requests = lines.filter(({ msg }) => msg === 'request');
  const known = { requestId: /^[\w-]{8,}$/, ms: Number, company, mode: 'test', keyId: /^AK-/, userId: /^UR-/ };
  t.match(requests, [
    { ...known, method: 'GET', route: '/companies', status: 200 },
    { ...known, method: 'POST', route: '/people', operation: 'createPerson', status: 200 },
    { ...known, method: 'GET', route: '/people' },
    { requestId: /^[\w-]{8,}$/, method: 'GET', status: 401, ms: Number },
  ]);
  t.equal(new Set(requests.map(({ requestId }) => requestId)).size, 4);
  t.match(lines.find(({ msg }) => msg === 'serving')?.['url'], /^http:/);
  t.match(lines.at(-1)?.['msg'], /stopped/);
  t.notMatch(service.lines.join('\n'), /annabel|quimby/i);
});

test('on a terminal a request is one line that people read, and JSON otherwise', async (t) => {
  const lines = async (isTerminal: boolean): Promise<readonly string[]> => {
    const destination = new PassThrough();
    const log = requestLog(logOf({ logLevel: 'info' }, { isTerminal, destination }));
    let text = '';
    destination.on('data', (data: Buffer) => (text += data.toString()));
    const caller = {
      company: 'CP-1',
      mode: 'test',
      keyId: 'AK-1',
      userId: null,
      permissions: new Set<string>(),
      address: '192.0.2.1',
    } as const;
    log({ requestId: 'r-1', method: 'POST', route: '/people', operation: 'createPerson', status: 200, seconds: 0.01234, caller });
    log({ requestId: 'r-2', method: 'GET', route: null, operation: 'none', status: 404, seconds: 1, caller: null });
    while (text.split('\n').length <= 2) await new Promise((resolve) => destination.once('data', resolve));
    return text.trimEnd().split('\n');
  };
  const shown = await lines(true);
  t.equal(shown.length, 2);
  t.match(shown[0], /^\[\d\d:\d\d:\d\d\.\d{3}\] .*INFO.*: request \{.*"requestId":"r-1","method":"POST","route":"\/people".*"ms":12\.34/);
  t.notMatch(shown.join('\n'), /"level"|"pid"|"hostname"|192\.0\.2\.1/);
  const [first = '', second = ''] = await lines(false);
  t.match(JSON.parse(first), { level: 30, msg: 'request', requestId: 'r-1', status: 200, ms: 12.34, keyId: 'AK-1' });
  t.match(JSON.parse(second), { requestId: 'r-2', route: null, status: 404 });
});
