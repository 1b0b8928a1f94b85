import { test } from 'tap';
import { openSetting } from './setting.js';

test('the type of a loan, its main borrower and whether it is closed are no fields of an update', async (t) => {
  const { h, personId, create } = await openSetting();
  const { id } = await create({ status: 'pending', externalId: 'one' });
  const ask = { params: { personId } };
  t.match(await h.refusal('loan.update', id, { type: 'lineOfCredit' }, ask), {
    statusCode: 400,
    errors: [{ path: 'type', expected: 'installment' }],
  });
  t.match(await h.refusal('loan.update', id, { mainBorrowerId: 'BO-AAAA-AAAA' }, ask), {
    statusCode: 400,
    errors: [{ path: 'mainBorrowerId' }],
  });
  t.match(await h.data('loan.update', id, { type: 'installment', mainBorrowerId: personId }, ask), { type: 'installment' });
  t.match(await h.data('loan.update', id, { mainBorrowerId: 'ext-ada', isClosed: true }, ask), { isClosed: true });
  await h.data('loan.update', id, { status: 'originated' }, ask);
  t.match(await h.refusal('loan.update', id, { isClosed: false }, ask), { statusCode: 400, errors: [{ path: 'isClosed' }] });
  t.match(await h.data('loan.update', id, { isClosed: true, nickname: 'Kitchen' }, ask), { nickname: 'Kitchen' });
});

test('a key that may do everything may force the terms of an originated loan', async (t) => {
  const { h, personId, create } = await openSetting();
  const { id } = await create();
  const ask = { params: { personId }, query: { force: true }, permissions: ['*'] };
  t.match(await h.data('loan.update', id, { atOrigination: { duration: 24 } }, ask), { atOrigination: { duration: 24 } });
});

test('naming the main borrower or somebody twice among the other people is a fault of the body', async (t) => {
  const { h, personId, create } = await openSetting();
  const { id: bea } = await h.data('person.create', null, { externalId: 'bea' });
  const { id } = await create({ status: 'pending' });
  const person = (who: string): object => ({ personId: who, loanRelationType: 'coBorrower' });
  const ask = { params: { personId } };
  t.match(await h.refusal('loan.update', id, { additionalPeople: [person(personId)] }, ask), { statusCode: 400 });
  t.match(await h.refusal('loan.update', id, { additionalPeople: [person(bea), person('ext-bea')] }, ask), { statusCode: 400 });
  t.match(await h.data('loan.update', id, { additionalPeople: [person('ext-bea')] }, ask), { additionalPeople: [{ personId: bea }] });
});
