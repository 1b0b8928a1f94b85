import { test } from 'tap';
import type { InspectionLine } from '../../actors/index.js';
import { idOf, makePortfolio } from '../service/portfolio.js';
import { Service, TEST_KEY } from '../service/service.js';
import { tempFolder } from '../temp-folder.js';
import { type Ended, tenor } from './tenor.js';
import { tenorHere } from './tenor-here.js';

test('an operator follows the moves of a running service as inspection events of XState', async (t) => {
  const folder = tempFolder(t);
  const service = await Service.start(folder);
  t.teardown(() => service.kill());
  const environment = { TENOR_URL: service.url, TENOR_KEY: TEST_KEY };
  const inspect = (...parameters: readonly string[]): Promise<Ended> => tenorHere(environment, 'inspect', ...parameters);
  const { personId, instrumentId, loanIds } = await makePortfolio(service, 1);
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
      `paymentInstrument ${instrumentId}  active`,
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
  t.match(await inspect('--machine', 'task'), { code: 2, error: /No event reports the moves of a task/ });
  t.match(await inspect('--key', 'test_nobody'), { code: 2 });
  t.match(await inspect('--after', 'EV-AAAA-1111'), { code: 2 });
  const taskIds = async (): Promise<readonly string[]> => {
    const { json: listed } = await service.ask('GET', `/companies/${await service.company()}/tasks?caseId=${caseId}`);
    return (listed['data'] as readonly { readonly id: string }[]).map(({ id }) => id);
  };
  const casePath = `/people/${personId}/cases/${caseId}`;
  await service.ask('POST', `${casePath}/notes`, { content: 'send the letter again', taskableInstruction: true });
  const [taskId = ''] = await taskIds();
  await service.ask('PUT', casePath, { status: 'canceled' });
  const planned = { channel: 'voice', direction: 'outbound', status: 'scheduled', subject: 'loanOverdueFirstNotice' };
  const window = { scheduledAtFrom: '2099-01-05T09:00:00-05:00', scheduledAtTo: '2099-01-05T10:00:00-05:00' };
  const interactionId = idOf(await service.ask('POST', `/people/${personId}/interactions`, { ...planned, ...window }));
  t.equal((await service.ask('PUT', `/people/${personId}/interactions/${interactionId}`, { status: 'canceled' })).status, 200);
  const otherId = idOf(await service.ask('POST', '/people', { name: { firstName: 'Bo', lastName: 'Blau' } }));
  t.equal((await service.ask('PUT', `/people/${otherId}`, { status: 'inactive' })).status, 200);
  t.equal(await service.stop(), 0);

  const ofJournal = async (...parameters: readonly string[]): Promise<readonly string[]> => {
    const ended = await inspect('--data', folder, ...parameters);
    t.equal(ended.code, 0, ended.error);
    return ended.out.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^\S+ {2}/, '')]));
  };
  const all = await ofJournal();
  for (const expected of [
    [`person ${otherId}  active`, `person ${otherId}  active -- deactivate --> inactive`],
    [`loan ${loanId}  originated`, `loan ${loanId}  originated -- activate --> active`, `loan ${loanId}  active -- freeze --> frozen`],
    [
      `case ${caseId}  initiated`,
      `case ${caseId}  initiated -- process --> processing`,
      `case ${caseId}  processing -- cancel --> canceled`,
    ],
    [`task ${taskId}  pending`, `task ${taskId}  pending -- cancel --> canceled`],
    [`interaction ${interactionId}  scheduled`, `interaction ${interactionId}  scheduled -- cancel --> canceled`],
  ]) {
    t.same(all.filter((line) => expected.includes(line)).slice(0, expected.length), expected);
  }
  t.same(await ofJournal('--machine', 'task'), [`task ${taskId}  pending`, `task ${taskId}  pending -- cancel --> canceled`]);
  t.same(await ofJournal('--case', caseId, '--moves', '1'), [`case ${caseId}  initiated`]);
  const facts = (await inspect('--data', folder, '--machine', 'task', '--json')).out.split('\n').filter((line) => line !== '');
  t.match(JSON.parse(facts.at(-1) ?? ''), { machine: 'task', actorId: taskId, event: { type: 'cancel' }, sequence: Number });
  t.match(await inspect('--data', folder, '--after', 'EV-AAAA-1111'), { code: 2, error: /--after/ });
  t.match(await tenorHere({ ...environment, TENOR_URL: 'http://127.0.0.1:1' }, 'inspect'), { code: 1, error: /does not answer/ });
});
