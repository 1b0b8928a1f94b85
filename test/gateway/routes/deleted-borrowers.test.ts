import { test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { idOf } from './http-lender.js';
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
