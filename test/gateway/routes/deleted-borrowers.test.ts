import { test } from 'tap';
import type { PersonState } from '../../../actors/borrower/index.js';
import { tenantOf } from '../../../actors/kernel/ids.js';
import { ANN } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { idOf, listOf } from './http-lender.js';
import { openLoanOverHttp, SMALL } from './loan-over-http.js';

const BEA = { name: { firstName: 'Bea', lastName: 'Lopez' } };

test('a loan in preparation of a deleted or erased borrower is neither originated nor activated', async (t) => {
  const { ask, loanTypeId, h } = await openLoanOverHttp(t);
  const erase = (id: string): Promise<unknown> => h.data('person.erase', id, {});
  const remove = (id: string): Promise<unknown> => ask('DELETE', `/people/${id}`);
  for (const end of [erase, remove]) {
    const personId = idOf(await ask('POST', '/people', BEA));
    const body = { ...loanBody(loanTypeId, { atOrigination: SMALL }), status: 'pending' };
    const loan = `/people/${personId}/loans/${idOf(await ask('POST', `/people/${personId}/loans`, body))}`;
    await end(personId);
    t.match(await ask('PUT', loan, { status: 'originated' }), { status: 409, json: { errorType: 'invalidState' } });
    t.match(await ask('POST', `${loan}/activate`, {}), { status: 409 });
    t.match(await ask('POST', `${loan}/cancel`, {}), { status: 200 }, 'it can be canceled');
  }
});

test('a loan whose co-borrower was deleted waits until the co-borrower has left it', async (t) => {
  const { ask, loanTypeId } = await openLoanOverHttp(t);
  const personId = idOf(await ask('POST', '/people', { ...ANN, externalId: 'ann-2', identity: undefined }));
  const [bea, carl] = [idOf(await ask('POST', '/people', BEA)), idOf(await ask('POST', '/people', BEA))];
  const body = { ...loanBody(loanTypeId, { atOrigination: SMALL }), status: 'pending' };
  const loan = `/people/${personId}/loans/${idOf(await ask('POST', `/people/${personId}/loans`, body))}`;
  const owing = idOf(await ask('POST', `${loan}/people`, { personId: bea, loanRelationType: 'coBorrower' }));
  await ask('POST', `${loan}/people`, { personId: carl, loanRelationType: 'authorizedUser' });
  for (const id of [bea, carl]) t.match(await ask('DELETE', `/people/${id}`), { status: 200 });
  t.match(await ask('PUT', loan, { status: 'originated' }), { status: 409 });
  await ask('DELETE', `${loan}/people/${owing}`);
  t.match(await ask('PUT', loan, { status: 'originated' }), { status: 200 }, 'an authorized user owes nothing');
  t.match(await ask('POST', `${loan}/activate`, {}), { status: 200 });
});

test('a deleted borrower comes to owe a loan by no change, but can stay as before and leave it', async (t) => {
  const { ask, loan, failures } = await openLoanOverHttp(t);
  const bea = idOf(await ask('POST', '/people', BEA));
  const row = `${loan}/people/${idOf(await ask('POST', `${loan}/people`, { personId: bea, loanRelationType: 'authorizedUser' }))}`;
  await ask('DELETE', `/people/${bea}`);
  for (const loanRelationType of ['coBorrower', 'coSigner', 'guarantor']) {
    t.match(await ask('PUT', row, { loanRelationType }), { status: 422, json: { errors: [{ path: 'personId' }] } });
    const refused = await ask('PUT', loan, { additionalPeople: [{ personId: bea, loanRelationType }] });
    t.match(refused, { status: 422, json: { errors: [{ path: 'additionalPeople[0].personId' }] } });
  }
  t.match(await ask('PUT', row, { receivesNotices: true }), { status: 200, json: { data: { receivesNotices: true } } });
  t.match(await ask('PUT', loan, { additionalPeople: [{ personId: bea, loanRelationType: 'authorizedUser' }] }), { status: 200 });
  t.match(await ask('DELETE', row), { status: 200 });
  t.same(failures, []);
});

test('a deleted borrower who has left a loan does not come to owe it again', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const bea = idOf(await ask('POST', '/people', BEA));
  const owing = { personId: bea, loanRelationType: 'coBorrower', startDate: '2026-01-02', endDate: '2026-01-03' };
  const row = `${loan}/people/${idOf(await ask('POST', `${loan}/people`, owing))}`;
  t.match(await ask('DELETE', `/people/${bea}`), { status: 200 });
  t.match(await ask('PUT', row, { endDate: null }), { status: 422 });
  t.match(await ask('PUT', row, { startDate: '2026-01-01' }), { status: 200 });
});

test('the user of a deleted borrower is neither shown nor changed', async (t) => {
  const { ask } = await openLoanOverHttp(t);
  const personId = idOf(await ask('POST', '/people', BEA));
  const auths = [{ authType: 'basic', authValueType: 'email', value: 'bea@quimby.example' }];
  const user = { userName: 'bea', auths, password: 'correct horse battery' };
  const path = `/users/${idOf(await ask('POST', `/people/${personId}/user`, user))}`;
  t.match(await ask('GET', path), { status: 200 });
  await ask('DELETE', `/people/${personId}`);
  t.match(await ask('GET', path), { status: 404 });
  t.match(await ask('PUT', path, { status: 'inactive' }), { status: 404 });
  t.match(await ask('GET', '/users?type=borrower'), { json: { total: 0, data: [] } });
});

test('cases of a deleted or erased borrower are neither shown nor changed', async (t) => {
  const { ask, h } = await openLoanOverHttp(t);
  const kept = idOf(await ask('POST', '/people/ext-ann-1/cases', { caseType: 'generic', name: 'kept' }));
  const erase = (id: string): Promise<unknown> => h.data('person.erase', id, {});
  const remove = (id: string): Promise<unknown> => ask('DELETE', `/people/${id}`);
  for (const end of [erase, remove]) {
    const person = `/people/${idOf(await ask('POST', '/people', BEA))}`;
    const caseId = idOf(await ask('POST', `${person}/cases`, { caseType: 'generic', name: 'gone' }));
    t.match(await ask('GET', '/cases'), { json: { total: 2 } });
    await end(person.slice('/people/'.length));
    for (const path of [`${person}/cases/${caseId}`, `${person}/cases/${caseId}/timeline`, `${person}/cases`, `${person}/do-not-interacts`])
      t.match(await ask('GET', path), { status: 404 }, path);
    t.match(await ask('PUT', `${person}/cases/${caseId}`, { name: 'other' }), { status: 404 });
    const all = await ask('GET', '/cases');
    t.strictSame([all.json.total, listOf(all).map(({ id }) => id)], [1, [kept]]);
    t.strictSame(listOf(await ask('GET', `/cases?personId=${person.slice('/people/'.length)}`)), []);
  }
});

test('external ids of the cases of a deleted or erased borrower, and the name of its user, can be used again', async (t) => {
  const { ask, h } = await openLoanOverHttp(t);
  const auths = [{ authType: 'basic', authValueType: 'email', value: 'bea@quimby.example' }];
  const user = { userName: 'bea', auths, password: 'correct horse battery' };
  const file = { caseType: 'generic', externalId: 'file-1' };
  const made = async (): Promise<{ readonly id: string; readonly userId: string }> => {
    const id = idOf(await ask('POST', '/people', BEA));
    t.match(await ask('POST', `/people/${id}/cases`, file), { status: 200 });
    const given = await ask('POST', `/people/${id}/user`, user);
    t.match(given, { status: 200 });
    return { id, userId: idOf(given) };
  };
  const first = await made();
  const other = idOf(await ask('POST', '/people', BEA));
  t.match(await ask('POST', `/people/${other}/cases`, file), { status: 409, json: { errorType: 'duplicate' } });
  t.match(await ask('POST', `/people/${other}/user`, user), { status: 409, json: { errorType: 'duplicate' } });
  await ask('DELETE', `/people/${first.id}`);
  const second = await made();
  await h.data('person.erase', second.id, {});
  const third = await made();
  t.match(listOf(await ask('GET', '/cases')), [{ personId: third.id, externalId: 'file-1' }]);
  t.match(await ask('GET', `/people/${third.id}/cases/ext-file-1`), { status: 200, json: { data: { externalId: 'file-1' } } });
  await h.restart();
  const { password: _password, ...named } = user;
  t.match(await h.refusal('case.create', other, file), { errorType: 'duplicate', message: /CS-/ });
  t.match(await h.refusal('portalUser.create', other, named), { errorType: 'duplicate', message: new RegExp(third.userId) });
});

test('a deleted borrower can still be erased', async (t) => {
  const { ask, h } = await openLoanOverHttp(t);
  const personId = idOf(await ask('POST', '/people', BEA));
  await ask('DELETE', `/people/${personId}`);
  t.match(await ask('POST', `/people/${personId}/erase`), { status: 204 });
  t.match(await ask('POST', `/people/${personId}/erase`), { status: 204 }, 'once more after an interruption');
  t.equal(h.engine.stateOf<PersonState>(tenantOf(h.company, 'test'), 'person', personId)?.status, 'erased');
  t.match(await ask('POST', '/people/PN-AAAA-AAAA/erase'), { status: 404 });
});
