import { test } from 'tap';
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
