import { test, type Test } from 'tap';
import { PERMISSIONS } from '../../../actors/index.js';
import { isOpen, RESOURCE_ROUTES } from '../../../gateway/index.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from './http-lender.js';

const AGENT = { type: 'agent', userName: 'ada', auths: [{ authType: 'basic', authValueType: 'email', value: 'ada@northwind.example' }] };

/** A key that acts for a user with these roles. */
async function keyFor(
  { ask }: HttpLender,
  userName: string,
  roleIds: readonly string[],
): Promise<{ readonly userId: string; readonly key: string }> {
  const userId = idOf(await ask('POST', '/users', { ...AGENT, userName, roleIds }));
  const { json } = await ask('POST', '/keys', { userId });
  return { userId, key: String(json['key']) };
}

const roleNamed = async ({ ask }: HttpLender, alias: string): Promise<string> =>
  String(listOf(await ask('GET', '/roles?includeSystem=true')).find((role) => role['alias'] === alias)?.['id']);

test('each permission of a route is in the catalogue, and the catalogue has no duplicates', (t: Test) => {
  const known = new Set(PERMISSIONS.map(({ name }) => name));
  t.same(
    RESOURCE_ROUTES.flatMap(({ permission }) => (permission === null || isOpen(permission) || known.has(permission) ? [] : [permission])),
    [],
  );
  t.equal(new Set(PERMISSIONS.map(({ id }) => id)).size, PERMISSIONS.length);
  t.equal(known.size, PERMISSIONS.length);
  t.end();
});

test('the catalogue is listed by group and read by id', async (t) => {
  const { ask } = await openHttpLender(t);
  t.match(await ask('GET', '/permissions?group=role&limit=2'), {
    status: 200,
    json: { total: 5, count: 2, data: [{ object: 'permission', name: 'role:create' }, {}] },
  });
  const [first] = listOf(await ask('GET', '/permissions'));
  t.same(dataOf(await ask('GET', `/permissions/${String(first?.['id'])}`)), first);
  t.match(await ask('GET', '/permissions/PM-AAAA-AAAA'), { status: 404 });
});

test('a company begins with the standard roles; system roles are hidden and cannot be changed', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  t.same(
    listOf(await ask('GET', '/roles')).map(({ alias }) => alias),
    ['readOnly', 'agent', 'supervisor', 'admin'],
  );
  t.match(await ask('GET', '/roles?includeSystem=true'), { json: { total: 6 } });
  const system = await roleNamed(lender, 'super-admin');
  t.match(await ask('GET', `/roles/${system}`), { status: 200, json: { data: { isSystem: true } } });
  t.match(await ask('PUT', `/roles/${system}`, { alias: 'mine' }), { status: 403, json: { errorType: 'permissionDenied' } });
  t.match(await ask('DELETE', `/roles/${system}`), { status: 403 });
  const cloned = await ask('POST', `/roles/${await roleNamed(lender, 'api')}/clone`, { alias: 'imports' });
  t.match(cloned, { status: 200, json: { data: { alias: 'imports', isSystem: false } } });
  t.notOk((dataOf(cloned)['permissions'] as string[]).includes('role:update'));
  for (const alias of ['agent', 'supervisor'])
    t.notOk(
      (dataOf(await ask('GET', `/roles/${await roleNamed(lender, alias)}`))['permissions'] as string[]).includes('person.erasure:create'),
      `${alias} erases nobody`,
    );
});

test('a role is made, changed, found, and unique by its alias', async (t) => {
  const { ask } = await openHttpLender(t);
  const made = await ask('POST', '/roles', { alias: 'Cashier', permissions: ['transaction:create', 'transaction:list'] });
  t.match(made, {
    status: 200,
    json: {
      data: { object: 'role', alias: 'Cashier', permissions: ['transaction:create', 'transaction:list'], employeeIds: [], isSystem: false },
    },
  });
  t.match(await ask('POST', '/roles', { alias: 'Cashier' }), { status: 409, json: { errors: [{ path: 'alias' }] } });
  t.match(await ask('POST', '/roles', { alias: 'x', permissions: ['loan:read', 'loan:fly'] }), {
    status: 400,
    json: { errors: [{ path: 'permissions[1]' }] },
  });
  t.match(await ask('PUT', `/roles/${idOf(made)}`, { permissions: ['transaction:list'] }), {
    json: { data: { permissions: ['transaction:list'] } },
  });
  t.match(await ask('GET', '/roles?search=cash'), { json: { total: 1 } });
  t.match(await ask('DELETE', `/roles/${idOf(made)}`), { status: 200 });
  t.match(await ask('GET', `/roles/${idOf(made)}`), { status: 404 });
});

test('a key may do what the roles of its user allow, at once after each change', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const role = idOf(await ask('POST', '/roles', { alias: 'Reader', permissions: ['person:list'] }));
  const { key, userId } = await keyFor(lender, 'reader', [role]);
  t.match(await ask('GET', '/people', undefined, { key }), { status: 200 });
  t.match(await ask('GET', '/loans', undefined, { key }), {
    status: 403,
    json: { errorType: 'permissionDenied', permission: 'loan:list' },
  });
  await ask('PUT', `/roles/${role}`, { permissions: ['loan:list'] });
  t.match(await ask('GET', '/people', undefined, { key }), { status: 403 });
  t.match(await ask('GET', '/loans', undefined, { key }), { status: 200 });
  t.match(await ask('GET', '/auth/permissions', undefined, { key }), { json: { [lender.company]: ['loan:list'] } });
  t.match(await ask('GET', '/users/me', undefined, { key }), { status: 200, json: { data: { id: userId, userName: 'reader' } } });
  await ask('DELETE', `/roles/${role}`);
  t.match(await ask('GET', '/loans', undefined, { key }), { status: 403 });
  t.match(await ask('GET', `/users/${userId}`), { json: { data: { roleIds: [] } } });
  await ask('DELETE', `/users/${userId}`);
  t.match(await ask('GET', '/users/me', undefined, { key }), { status: 401 });
});

test('nobody grants permissions that they lack: not by a role, a user, a key or an employee', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, userId: founder } = lender;
  const admin = await roleNamed(lender, 'admin');
  const role = idOf(
    await ask('POST', '/roles', {
      alias: 'Office',
      permissions: [
        'role:create',
        'role:update',
        'user:create',
        'user:update',
        'user:delete',
        'apikey:create',
        'employee:create',
        'employee:update',
      ],
    }),
  );
  const { key, userId } = await keyFor(lender, 'office', [role]);
  const refused = { status: 403, json: { errorType: 'permissionDenied' } };
  t.match(await ask('POST', '/roles', { alias: 'Mighty', permissions: ['loan:read'] }, { key }), refused);
  t.match(await ask('PUT', `/roles/${role}`, { permissions: ['role:create', 'loan:read'] }, { key }), refused);
  t.match(await ask('POST', `/roles/${admin}/clone`, { alias: 'Mine' }, { key }), refused);
  t.match(await ask('POST', '/users', { ...AGENT, userName: 'mighty', roleIds: [admin] }, { key }), refused);
  t.match(await ask('PUT', `/users/${userId}`, { roleIds: [role, admin] }, { key }), refused);
  t.match(await ask('PUT', `/users/${founder}`, { userName: 'taken-over' }, { key }), refused);
  t.match(await ask('DELETE', `/users/${founder}`, undefined, { key }), refused);
  t.match(await ask('POST', '/keys', { userId: founder }, { key }), refused);
  t.match(await ask('POST', '/users', { ...AGENT, userName: 'peer', roleIds: [role] }, { key }), { status: 200 });
});

test('only users with all permissions of a role change it, and the last user with all permissions keeps them', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, userId: founder } = lender;
  const admin = await roleNamed(lender, 'admin');
  const { key: boss } = await keyFor(lender, 'boss', [admin]);
  const role = idOf(await ask('POST', '/roles', { alias: 'Roles', permissions: ['role:update', 'role:delete'] }));
  const { key } = await keyFor(lender, 'roles', [role]);
  const refused = { status: 403, json: { errorType: 'permissionDenied' } };
  t.match(await ask('PUT', `/roles/${admin}`, { permissions: ['role:update'] }, { key }), refused);
  t.match(await ask('PUT', `/roles/${admin}`, { alias: 'nobody' }, { key }), refused);
  t.match(await ask('DELETE', `/roles/${admin}`, undefined, { key }), refused);
  t.match(await ask('PUT', `/roles/${role}`, { alias: 'Own' }, { key }), { status: 200 });
  t.match(await ask('DELETE', `/users/${founder}`, undefined, { key: boss }), { status: 200 });
  t.match(await ask('PUT', `/roles/${admin}`, { permissions: ['role:update'] }, { key: boss }), {
    status: 409,
    json: { errorType: 'invalidState' },
  });
});

test('users are unique by name and type, listed by type, and the last one with all permissions cannot be removed', async (t) => {
  const { ask, userId: founder } = await openHttpLender(t);
  const made = await ask('POST', '/users', { ...AGENT, externalId: 'u-1', password: 'a long enough secret' });
  t.match(made, {
    status: 200,
    json: {
      data: { object: 'user', userId: 2, type: 'agent', status: 'active', userName: 'ada', roleIds: [], employee: null, person: null },
    },
  });
  t.notMatch(JSON.stringify(made.json), /secret|scrypt/);
  t.match(await ask('POST', '/users', { ...AGENT, userName: 'ADA' }), { status: 409, json: { errors: [{ path: 'userName' }] } });
  t.match(await ask('POST', '/users', { ...AGENT, type: 'api' }), { status: 200 });
  t.match(await ask('POST', '/users', { ...AGENT, type: 'borrower', userName: 'b' }), {
    status: 400,
    json: { errors: [{ path: 'type' }] },
  });
  t.match(await ask('POST', '/users', { ...AGENT, userName: 'b', password: 'short' }), {
    status: 400,
    json: { errors: [{ path: 'password' }] },
  });
  t.match(await ask('POST', '/users', { ...AGENT, userName: 'grace', password: 'I am Grace, remember' }), {
    status: 400,
    json: { errors: [{ path: 'password' }] },
  });
  t.match(await ask('GET', '/users/ext-u-1'), { json: { data: { id: idOf(made) } } });
  t.match(await ask('GET', '/users?type=agent'), { json: { total: 1 } });
  t.same(
    listOf(await ask('GET', '/users?sortBy=userName')).map(({ userName }) => userName),
    ['ada', 'ada', 'api'],
  );
  t.match(await ask('DELETE', `/users/${founder}`), { status: 409, json: { errorType: 'invalidState' } });
  t.match(await ask('PUT', `/users/${founder}`, { roleIds: [] }), { status: 409 });
  t.match(await ask('PUT', `/users/${idOf(made)}`, { status: 'inactive', externalId: null }), {
    json: { data: { status: 'inactive', externalId: null } },
  });
});

test('employees have a user, a manager and teams, and can be removed from all of them', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const team = await ask('POST', '/teams', { name: 'Collections', externalId: 't-1', email: 'collections@northwind.example' });
  t.match(team, { status: 200, json: { data: { object: 'team', name: 'Collections', employeeCount: 0 } } });
  t.match(await ask('POST', '/teams', { name: 'Collections' }), { status: 409 });
  const users = await Promise.all(['bob', 'eve'].map(async (userName) => idOf(await ask('POST', '/users', { ...AGENT, userName }))));
  const boss = await ask('POST', '/employees', {
    userId: users[0],
    firstName: 'Bob',
    lastName: 'Birch',
    jobName: 'Supervisor',
    teams: ['ext-t-1'],
  });
  t.match(boss, {
    status: 200,
    json: {
      data: {
        object: 'Employee',
        displayName: 'Bob Birch',
        teams: [{ id: idOf(team), employeeCount: 1 }],
        user: { userName: 'bob', employee: null },
      },
    },
  });
  t.match(await ask('POST', '/employees', { userId: users[0] }), { status: 409, json: { errors: [{ path: 'userId' }] } });
  t.match(await ask('POST', '/employees', { userId: lender.userId }), { status: 400, json: { errors: [{ path: 'userId' }] } });
  const eve = await ask('POST', '/employees', {
    userId: users[1],
    externalId: 'e-2',
    firstName: 'Eve',
    managerEmployeeId: idOf(boss),
    availableAndPermittedTasktypes: 'reviewVoicemail',
  });
  t.match(eve, { json: { data: { managerEmployeeId: idOf(boss), availableAndPermittedTasktypes: ['reviewVoicemail'], teams: [] } } });
  t.match(await ask('PUT', `/employees/${idOf(boss)}`, { managerEmployeeId: 'ext-e-2' }), {
    status: 400,
    json: { errors: [{ path: 'managerEmployeeId' }] },
  });
  t.match(await ask('PUT', `/teams/${idOf(team)}/employees`, { employeeIds: ['ext-e-2'] }), { json: { data: { employeeCount: 1 } } });
  t.same(
    listOf(await ask('GET', `/employees?teamId=${idOf(team)}`)).map(({ id }) => id),
    [idOf(eve)],
  );
  t.match(await ask('PUT', `/teams/${idOf(team)}/employees`, { employeeIds: ['ext-none'] }), {
    status: 400,
    json: { errors: [{ path: 'employeeIds[0]' }] },
  });
  t.match(await ask('GET', '/employees?search=birch'), { json: { total: 1 } });
  const role = idOf(await ask('POST', '/roles', { alias: 'Voice', permissions: ['loan:read'], employeeIds: ['ext-e-2'] }));
  t.match(await ask('GET', `/users/${users[1] ?? ''}`), { json: { data: { roleIds: [role], employee: { id: idOf(eve), user: null } } } });
  t.match(await ask('GET', `/employees?roleId=${role}`), { json: { total: 1 } });
  await ask('DELETE', `/employees/${idOf(boss)}`);
  t.match(await ask('GET', `/users/${users[0] ?? ''}`), { json: { data: { status: 'inactive', employee: null } } });
  t.match(await ask('GET', `/employees/${idOf(eve)}`), { json: { data: { managerEmployeeId: null } } });
  await ask('DELETE', `/teams/${idOf(team)}`);
  t.match(await ask('GET', `/employees/${idOf(eve)}`), { json: { data: { teams: [] } } });
});
