import { test } from 'tap';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';
import { loanBody } from '../../../actors/loan/setting.js';

const person = async ({ ask }: HttpLender): Promise<string> =>
  idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));

/** A key with these permissions alone. */
async function keyWith({ ask }: HttpLender, ...permissions: string[]): Promise<string> {
  const role = idOf(await ask('POST', '/roles', { alias: permissions.join(' '), permissions }));
  const auths = [{ authType: 'basic', authValueType: 'username', value: 'reader' }];
  const userId = idOf(await ask('POST', '/users', { type: 'agent', userName: 'reader', auths, roleIds: [role] }));
  return String((await ask('POST', '/keys', { userId })).json['key']);
}

const contents = (answer: Parameters<typeof listOf>[0]): unknown[] => listOf(answer).map(({ content }) => content);

test('notes of a borrower are listed pinned first, then the newest', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const path = `/people/${await person(lender)}/notes`;
  const made = await ask('POST', path, { content: 'called, no answer' });
  t.match(made, {
    status: 200,
    json: {
      data: {
        object: 'note',
        status: 'active',
        content: 'called, no answer',
        important: false,
        pinned: false,
        category: 'generic',
        sensitiveData: false,
        archived: false,
        taskableInstruction: false,
        caseId: null,
        createdBy: { userType: 'api' },
      },
    },
  });
  const second = await ask('POST', path, { content: 'speaks Spanish', pinned: true, important: true });
  await ask('POST', path, { content: 'moved' });
  t.same(contents(await ask('GET', path)), ['speaks Spanish', 'moved', 'called, no answer']);
  t.same(contents(await ask('GET', `${path}?sortBy=createdAt`)), ['called, no answer', 'speaks Spanish', 'moved']);
  t.same(contents(await ask('GET', `${path}?pinned=true`)), ['speaks Spanish']);
  t.same(contents(await ask('GET', `${path}?pinned=false&startingAfter=${idOf(second)}`)), ['moved', 'called, no answer']);
  t.same(contents(await ask('GET', `${path}?limit=1&startingAfter=${idOf(second)}`)), ['moved']);
  t.match(await ask('PUT', `${path}/${idOf(made)}`, { pinned: true, content: 'called again' }), {
    json: { data: { pinned: true, content: 'called again', updatedBy: { userType: 'api' } } },
  });
  t.same(contents(await ask('GET', path)), ['speaks Spanish', 'called again', 'moved']);
  t.match(await ask('GET', `${path}?sortBy=mood`), { status: 400, json: { errors: [{ path: 'sortBy' }] } });
});

test('an archived note is listed only on request', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const path = `/people/${await person(lender)}/notes`;
  const id = idOf(await ask('POST', path, { content: 'old' }));
  t.match(await ask('DELETE', `${path}/${id}`), { status: 200, json: { data: { archived: true, status: 'inactive' } } });
  t.match(await ask('GET', path), { json: { total: 0 } });
  t.match(await ask('GET', `${path}?includeArchived=true`), { json: { total: 1 } });
  t.match(await ask('PUT', `${path}/${id}`, { status: 'active' }), { json: { data: { archived: false, status: 'active' } } });
  t.match(await ask('PUT', `${path}/${id}`, { status: 'active', archived: true }), { status: 400, json: { errors: [{ path: 'status' }] } });
});

test('a sensitive note shows its text only to callers with the permission', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const path = `/people/${await person(lender)}/notes`;
  const id = idOf(await ask('POST', path, { content: 'is ill', sensitiveData: true }));
  const key = await keyWith(lender, 'note:list', 'note:read', 'note:update');
  t.same(contents(await ask('GET', path)), ['is ill']);
  t.same(contents(await ask('GET', path, undefined, { key })), [null]);
  t.match(await ask('GET', `${path}/${id}`, undefined, { key }), { status: 200, json: { data: { content: null, sensitiveData: true } } });
  t.match(await ask('PUT', `${path}/${id}`, { sensitiveData: false }, { key }), { status: 403 }, 'and nobody else takes the mark off');
  t.match(await ask('POST', path, { content: 'x' }, { key }), { status: 403, json: { permission: 'note:create' } });
});

test('notes of a loan are among those of its borrower', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h, company } = lender;
  const [personId, other] = [await person(lender), await person(lender)];
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  const loanId = idOf(await ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId)));
  const path = `/people/${personId}/loans/${loanId}/notes`;
  t.match(await ask('POST', path, { content: 'wants to pay early' }), { status: 200, json: { data: { loanId, personId } } });
  await ask('POST', `/people/${personId}/notes`, { content: 'prefers mail' });
  t.same(contents(await ask('GET', path)), ['wants to pay early']);
  t.same(contents(await ask('GET', `/people/${personId}/notes`)), ['prefers mail', 'wants to pay early']);
  t.same(contents(await ask('GET', `/people/${personId}/notes?objectType=loan`)), ['wants to pay early']);
  t.match(await ask('GET', `/people/${other}/loans/${loanId}/notes`), { status: 404 });
  t.match(await ask('POST', `/people/${other}/loans/${loanId}/notes`, { content: 'x' }), { status: 404 });
  t.match(await ask('GET', '/people/BO-AAAA-AAAA/notes'), { status: 404 });
});

test('invalid notes are refused', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const [personId, other] = [await person(lender), await person(lender)];
  const path = `/people/${personId}/notes`;
  t.match(await ask('POST', path, {}), { status: 400, json: { errors: [{ path: 'content' }] } });
  t.match(await ask('POST', path, { content: '' }), { status: 400 });
  t.match(await ask('POST', path, { content: 'x'.repeat(10_001) }), { status: 400 });
  t.match(await ask('POST', path, { content: 'x', category: 'escalationCreateReason' }), {
    status: 400,
    json: { errors: [{ path: 'category' }] },
  });
  const made = await ask('POST', path, { content: 'x' });
  t.match(await ask('PUT', `${path}/${idOf(made)}`, { category: 'escalationCreateReason' }), { status: 400 });
  t.match(await ask('GET', `/people/${other}/notes/${idOf(made)}`), { status: 404 });
  t.match(await ask('GET', `${path}/${idOf(made)}`), { status: 200, json: { data: dataOf(made) } });
});

test('erasing a borrower erases its notes', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const personId = await person(lender);
  const id = idOf(await ask('POST', `/people/${personId}/notes`, { content: 'secret' }));
  await h.data('person.erase', personId, {}, { permissions: ['*'] });
  const state = h.engine.stateOf<{ readonly content: Uint8Array }>({ company: lender.company, mode: 'test' }, 'note', id);
  t.notOk(Buffer.from(state?.content ?? []).includes('secret'));
  t.match(await ask('GET', `/people/${personId}/notes/${id}`), { status: 404 });
});
