import { test } from 'tap';
import { idOf, listOf, openHttpLender } from '../http-lender.js';

test('teams and investors are named by their external ids in lists of workers and employees, and in pairing', async (t) => {
  const { ask, h, company } = await openHttpLender(t);
  const teamId = idOf(await ask('POST', '/teams', { name: 'Legal', externalId: 'legal' }));
  const investor = { legalName: 'Fund', externalId: 'fund' };
  const investorId = idOf(await ask('POST', `/companies/${company}/investors?validate=false`, investor));
  const { id: userId } = await h.data('user.create', company, { type: 'agent', userName: 'mia' }, { permissions: ['*'] });
  const body = { userId, firstName: 'Mia', teams: [{ id: teamId }], investorIds: [investorId] };
  const employeeId = idOf(await ask('POST', '/employees', body));
  const lists = [`/companies/${company}/workers?teamId=`, '/employees?teamId='].flatMap((list) => [list + teamId, `${list}ext-legal`]);
  for (const list of [...lists, `/employees?investorId=${investorId}`, '/employees?investorId=ext-fund']) {
    const ids = listOf(await ask('GET', list)).map(({ id }) => id);
    t.same(ids, [employeeId], list);
  }
  const made = await ask('POST', `/companies/${company}/task-worker-pairing-configs`, {
    name: 'L',
    priority: 10,
    workerMatch: { teamIds: ['ext-legal'] },
  });
  t.match(made, { status: 200, json: { data: { workerMatch: { teamIds: [teamId] } } } });
});
