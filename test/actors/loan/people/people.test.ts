import { test } from 'tap';
import { itemsOf } from '../../harness.js';
import { openSetting } from '../setting.js';

test('people come onto a loan, change their relation and leave it', async (t) => {
  const { h, active, personId } = await openSetting();
  t.teardown(() => h.engine.close());
  const { id: bea } = await h.data('person.create', null, { externalId: 'bea' });
  const loan = await active();
  const params = { personId };
  const added = await h.data('loanPerson.add', loan.id, { personId: 'ext-bea', loanRelationType: 'guarantor' }, { params });
  t.match(added, {
    id: /^LP-/,
    personId: bea,
    loanRelationType: 'guarantor',
    startDate: '2024-01-15',
    endDate: null,
    receivesNotices: false,
    deletedAt: null,
  });
  const own = { params: { ...params, loanPersonId: added.id } };
  const changed = await h.data(
    'loanPerson.update',
    loan.id,
    { loanRelationType: 'coSigner', endDate: '2025-01-15', receivesNotices: true },
    own,
  );
  t.match(changed, { id: added.id, loanRelationType: 'coSigner', startDate: '2024-01-15', endDate: '2025-01-15', receivesNotices: true });
  t.same(await h.query('loanPerson.get', loan.id, {}, own), changed);
  t.same((await h.query('loan.get', loan.id))['additionalPeople'], [changed], 'the loan shows the same data');
  t.same(itemsOf(await h.query('loanPerson.list', loan.id, { loanRelationType: 'coSigner' })), [changed]);
  t.same(itemsOf(await h.query('loanPerson.list', loan.id, { loanRelationType: 'applicant' })), []);
  t.match(itemsOf(await h.query('loan.listOfPerson', null, {}, { params: { personId: bea } })), [{ id: loan.id }]);
  await h.command('loanPerson.remove', loan.id, {}, own);
  t.same((await h.query('loan.get', loan.id))['additionalPeople'], []);
  t.match(await h.refusal('loanPerson.update', loan.id, {}, own), { statusCode: 404 });
});

test('an update of the loan keeps the rows of those who stay', async (t) => {
  const { h, create, personId } = await openSetting();
  t.teardown(() => h.engine.close());
  const { id: bea } = await h.data('person.create', null, { externalId: 'bea' });
  const loan = await create();
  const added = await h.data(
    'loanPerson.add',
    loan.id,
    { personId: bea, loanRelationType: 'guarantor', startDate: '2024-01-01' },
    { params: { personId } },
  );
  const updated = await h.data(
    'loan.update',
    loan.id,
    { additionalPeople: [{ personId: bea, loanRelationType: 'coBorrower' }] },
    { params: { personId } },
  );
  t.same(updated['additionalPeople'], [{ ...added, loanRelationType: 'coBorrower' }]);
});

test('the main borrower, a stranger and somebody who is there already are not added', async (t) => {
  const { h, create, personId } = await openSetting();
  t.teardown(() => h.engine.close());
  const { id: bea } = await h.data('person.create', null, { externalId: 'bea' });
  const loan = await create();
  const add = { params: { personId } };
  const body = { personId: bea, loanRelationType: 'applicant' };
  t.match(await h.refusal('loanPerson.add', loan.id, { ...body, personId }, add), { statusCode: 400, errors: [{ path: 'personId' }] });
  t.match(await h.refusal('loanPerson.add', loan.id, { ...body, personId: 'BO-AAAA-AAAA' }, add), { statusCode: 422 });
  t.match(await h.refusal('loanPerson.add', loan.id, { ...body, startDate: '2024-02-01', endDate: '2024-01-31' }, add), {
    statusCode: 400,
  });
  await h.command('loanPerson.add', loan.id, { ...body, previewMode: true }, add);
  await h.command('loanPerson.add', loan.id, body, add);
  t.match(await h.refusal('loanPerson.add', loan.id, body, add), { statusCode: 409, errorType: 'duplicate' });
});
