import { test } from 'tap';
import type { InspectionLine } from '../../actors/index.js';
import { idOf, makePortfolio } from '../service/portfolio.js';
import { Service, TEST_KEY } from '../service/service.js';
import { tempFolder } from '../temp-folder.js';
import { type Ended, tenor } from './tenor.js';
import { tenorHere } from './tenor-here.js';

test('an operator follows the moves of a running service as inspection events of XState', async (t) => {
  const service = await Service.start(tempFolder(t));
  t.teardown(() => service.kill());
  const environment = { TENOR_URL: service.url, TENOR_KEY: TEST_KEY };
  const inspect = (...parameters: readonly string[]): Promise<Ended> => tenorHere(environment, 'inspect', ...parameters);
  const { personId, loanIds } = await makePortfolio(service, 1);
  const [loanId = ''] = loanIds;
  const order = async (what: string): Promise<void> => {
    t.equal((await service.ask('POST', `/people/${personId}/loans/${loanId}/${what}`, {})).status, 200, what);
  };
  const { json } = await service.ask('GET', '/events?order=asc&limit=1');
  const [first] = json['data'] as readonly { readonly id: string }[];
  const since = ['--after', first?.id ?? '', '--seconds', '1'];
  await order('freeze');
  await order('unfreeze');
  const caseId = idOf(await service.ask('POST', `/people/${personId}/cases`, { caseType: 'generic' }));
  t.equal((await service.ask('PUT', `/people/${personId}/cases/${caseId}`, { status: 'processing' })).status, 200);

  const text = await inspect(...since);
  t.equal(text.code, 0, text.error);
  t.same(
    text.out.split('\n').map((line) => line.replace(/^\S+ {2}/, '')),
    [
      `loan ${loanId}  originated`,
      `loan ${loanId}  originated -- activate --> active`,
      `loan ${loanId}  active -- freeze --> frozen`,
      `loan ${loanId}  frozen -- unfreeze --> active`,
      `case ${caseId}  initiated`,
      `case ${caseId}  initiated -- process --> processing`,
      '',
    ],
  );
  t.notMatch((await inspect('--machine', 'case', ...since)).out, /loan /);
  t.equal((await inspect('--moves', '1', ...since)).out.split('\n').length, 2);

  const { out } = await inspect('--json', '--loan', loanId, ...since);
  const lines = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as InspectionLine]));
  t.ok(lines.every(({ machine, actorId, rootId }) => machine === 'loan' && actorId === loanId && rootId === loanId));
  t.equal(lines.filter(({ type }) => type === '@xstate.actor').length, 1, 'one actor makes all moves');
  t.same(
    lines.filter(({ type }) => type === '@xstate.snapshot').map(({ event, snapshot }) => [event?.type, snapshot?.value]),
    [
      ['xstate.init', 'originated'],
      ['activate', 'active'],
      ['freeze', 'frozen'],
      ['unfreeze', 'active'],
    ],
  );

  const live = tenor(environment, 'inspect', '--machine', 'loan', '--moves', '2', '--seconds', '60');
  let ended: Ended | null = null;
  void live.then((result) => (ended = result));
  while (ended === null) {
    await order('freeze');
    await order('unfreeze');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  t.match(await live, { code: 0, out: /(freeze --> frozen|unfreeze --> active)\n.*(freeze --> frozen|unfreeze --> active)\n$/ });

  t.match(await inspect('--moves', 'many'), { code: 2, error: /--moves/ });
  t.match(await inspect('--machine', 'lamp'), { code: 2, error: /Allowed choices/ });
  t.match(await inspect('--key', 'test_nobody'), { code: 2 });
  t.match(await inspect('--after', 'EV-AAAA-1111'), { code: 2 });
  t.equal(await service.stop(), 0);
  t.match(await tenorHere({ ...environment, TENOR_URL: 'http://127.0.0.1:1' }, 'inspect'), { code: 1, error: /does not answer/ });
});
