import { test } from 'tap';
import { type HttpLender, idOf, listOf, openHttpLender } from '../http-lender.js';

/** A key with these permissions alone, and its user. */
async function keyWith(
  { ask }: HttpLender,
  name: string,
  ...permissions: string[]
): Promise<{ readonly key: string; readonly userId: string }> {
  const role = idOf(await ask('POST', '/roles', { alias: name, permissions }));
  const userId = idOf(
    await ask('POST', '/users', {
      type: 'agent',
      userName: name,
      auths: [{ authType: 'basic', authValueType: 'username', value: name }],
      roleIds: [role],
    }),
  );
  return { key: String((await ask('POST', '/keys', { userId })).json['key']), userId };
}

test('sensitive interactions are listed without their content for callers without the permission', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const path = `/people/${personId}/interactions`;
  const body = {
    channel: 'email',
    theme: 'opsServicing',
    status: 'failed',
    failureDescriptionShort: 'refused by the clinic',
    content: { contentText: 'the diagnosis' },
  };
  const made = idOf(await ask('POST', path, { ...body, sensitive: true }));
  const reader = await keyWith(lender, 'reader', 'interaction:read', 'interaction:update');
  const trusted = await keyWith(lender, 'trusted', 'interaction:read', 'interaction:read.sensitive');
  const seen = { sensitive: true, content: { contentText: 'the diagnosis' }, failureDescriptionShort: 'refused by the clinic' };
  t.match(await ask('GET', `${path}/${made}`, undefined, { key: trusted.key }), { json: { data: seen } });
  t.match(await ask('GET', `${path}/${made}`, undefined, { key: reader.key }), {
    json: { data: { sensitive: true, content: null, failureDescriptionShort: null, failureDescriptionLong: null } },
  });
  t.match(listOf(await ask('GET', '/interactions', undefined, { key: reader.key })), [{ id: made, content: null }]);
  t.match(
    listOf(await ask('GET', '/interactions?searchText=diagnosis', undefined, { key: reader.key })),
    [],
    'nor is it found by its words',
  );
  t.match(await ask('GET', `/interactions/${made}/content`, undefined, { key: reader.key }), {
    status: 403,
    json: { permission: 'interaction:read.sensitive' },
  });
  t.match(await ask('PUT', `${path}/${made}`, { sensitive: false }, { key: reader.key }), { status: 403 });
});

test('content for the borrower only is also read by the agent of the case', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const owner = await keyWith(lender, 'owner', 'interaction:read', 'interaction:read.sensitive');
  const trusted = await keyWith(lender, 'trusted', 'interaction:read', 'interaction:read.sensitive');
  const owningEmployeeId = idOf(await ask('POST', '/employees', { userId: owner.userId, firstName: 'Olive' }));
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'generic', owningEmployeeId }));
  const made = idOf(
    await ask('POST', `/people/${personId}/interactions`, {
      channel: 'email',
      theme: 'opsServicing',
      caseId,
      sensitiveBorrowerOnly: true,
      content: { contentText: 'for you alone' },
    }),
  );
  t.match(await ask('GET', `/interactions/${made}`, undefined, { key: owner.key }), {
    json: { data: { content: { contentText: 'for you alone' } } },
  });
  t.match(await ask('GET', `/interactions/${made}`, undefined, { key: trusted.key }), {
    json: { data: { content: null, sensitive: true } },
  });
});

test('erasing a borrower erases the content of its interactions', async (t) => {
  const { ask, h } = await openHttpLender(t);
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const made = idOf(await ask('POST', `/people/${personId}/interactions`, { channel: 'text', content: { contentText: 'a secret word' } }));
  await h.data('person.erase', personId, {});
  const after = await ask('GET', `/interactions/${made}`);
  t.notMatch(after.text, 'a secret word');
  t.match(after, { json: { data: { content: null, borrower: null } } });
});

test('a borrower reads its own interactions, sensitive ones as well, and nothing of what was said with others', async (t) => {
  const { ask } = await openHttpLender(t);
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const otherId = idOf(await ask('POST', '/people', { name: { firstName: 'Ben', lastName: 'Brown' } }));
  const password = 'correct horse battery';
  await ask('POST', `/people/${personId}/user`, {
    userName: 'ada@quimby.example',
    auths: [{ authType: 'basic', authValueType: 'email', value: 'ada@quimby.example' }],
    password,
  });
  const key = String(
    (await ask('POST', '/auth/token?mode=test&userType=borrower', { username: 'ada@quimby.example', password }, { key: false })).json[
      'token'
    ],
  );
  const path = `/people/${personId}/interactions`;
  const employer = idOf(
    await ask('POST', `/people/${personId}/contacts?validate=false`, {
      contactType: 'phone',
      label: 'work',
      affiliation: 'employer',
      value: '+12025550143',
    }),
  );
  const own = idOf(
    await ask('POST', path, {
      channel: 'email',
      theme: 'opsServicing',
      sensitiveBorrowerOnly: true,
      content: { contentText: 'for you alone' },
    }),
  );
  const withEmployer = idOf(
    await ask('POST', path, {
      channel: 'voice',
      theme: 'opsCollVerifyEmployment',
      contactId: employer,
      content: { transcript: 'works here' },
    }),
  );
  await ask('POST', path, { channel: 'email', theme: 'agentNotification', content: { contentText: 'look at this' } });
  const listed = await ask('GET', path, undefined, { key });
  t.strictSame(
    listOf(listed).map(({ id }) => id),
    [withEmployer, own],
  );
  t.match(listOf(listed), [{ contact: null, content: null }, { content: { contentText: 'for you alone' } }]);
  t.match(await ask('GET', `${path}/${own}`, undefined, { key }), { json: { data: { content: { contentText: 'for you alone' } } } });
  t.match(await ask('GET', `/people/${otherId}/interactions`, undefined, { key }), { status: 404 });
  for (const [method, at] of [
    ['POST', path],
    ['PUT', `${path}/${own}`],
    ['DELETE', `${path}/${own}`],
    ['GET', `/interactions/${own}`],
    ['GET', '/interactions'],
  ] as const) {
    t.match(await ask(method, at, method === 'GET' ? undefined : { channel: 'email' }, { key }), { status: 403 }, `${method} ${at}`);
  }
});
