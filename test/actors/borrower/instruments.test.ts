import { test } from 'tap';
import { itemsOf, refusalOf } from '../harness.js';
import { ACCOUNT, eventTypes, makeAnn, openTestLender } from './lender.js';
import { NAME } from '../../people.js';

const FORCE = { query: { force: true }, permissions: ['payment.instrument:force'] };
const EXTERNAL = { permissions: ['payment.instrument:external'] };

const first = (list: unknown): { readonly id: string } => (list as readonly { readonly id: string }[])[0] ?? { id: '' };

test('a bank account waits for its deposits, and the right amounts make it active', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const created = await h.data('paymentInstrument.create', ann.id, ACCOUNT);
  t.match(created, [
    {
      object: 'bankAccount',
      instrumentType: 'bankAccount',
      status: 'pending',
      verified: false,
      isExternal: false,
      accountNumberLastFour: '2233',
      accountNumber: /^[a-z0-9]{20}$/,
      routingNumber: '021000021',
      accountHolderName: 'Annabel Quimby',
      pendingAt: /^2026/,
      activeAt: null,
      updatedAt: null,
    },
  ]);
  const params = { paymentInstrumentId: first(created).id };
  h.nowMs += 1000;
  const verified = await h.data('paymentInstrument.verify', ann.id, { deposit1: 45, deposit2: 32 }, { params });
  t.match(verified, { status: 'active', verified: true, activeAt: '2026-03-02T15:00:01.000Z' });
  t.same(eventTypes(h), ['person.created', 'payment.instrument.created', 'payment.instrument.updated']);
});

test('three wrong tries deactivate the account, and one more set of deposits can be sent', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const params = { paymentInstrumentId: first(await h.data('paymentInstrument.create', ann.id, ACCOUNT)).id };
  const wrong = (): Promise<unknown> => h.data('paymentInstrument.verify', ann.id, { deposit1: 1, deposit2: 2 }, { params });
  t.match(await wrong(), { status: 'pending', verified: false });
  await wrong();
  t.match(await wrong(), {
    status: 'inactive',
    inactiveReason: 'verificationFailed',
    failureReason: 'microdepositsAttemptFailed',
    failureDescriptionShort: 'Verification failed',
  });
  t.equal((await h.refusal('paymentInstrument.verify', ann.id, { deposit1: 32, deposit2: 45 }, { params })).errorType, 'invalidState');
  t.match(await h.data('paymentInstrument.sendMicroDeposits', ann.id, {}, { params }), { status: 'pending', inactiveReason: null });
  t.equal((await h.refusal('paymentInstrument.sendMicroDeposits', ann.id, {}, { params })).errorType, 'invalidState');
  t.match(await h.data('paymentInstrument.verify', ann.id, { deposit1: 32, deposit2: 45 }, { params }), { status: 'active' });
  t.same(eventTypes(h).slice(2), ['payment.instrument.deactivated', 'payment.instrument.updated', 'payment.instrument.updated']);
});

test('deposits expire after fourteen days', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const params = { paymentInstrumentId: first(await h.data('paymentInstrument.create', ann.id, ACCOUNT)).id };
  h.nowMs += 15 * 24 * 3_600_000;
  t.equal((await h.refusal('paymentInstrument.verify', ann.id, { deposit1: 32, deposit2: 45 }, { params })).errorType, 'invalidState');
});

test('a caller who may force can vouch for an account, at once or later', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  t.match(await h.data('paymentInstrument.create', ann.id, { ...ACCOUNT, verified: true }, FORCE), [{ status: 'active', verified: true }]);
  t.match(await h.data('paymentInstrument.create', ann.id, { ...ACCOUNT, accountNumber: '99887766', verified: true }), [
    { status: 'pending', verified: false },
  ]);
  t.equal((await h.refusal('paymentInstrument.create', ann.id, ACCOUNT, { query: { force: true } })).errorType, 'permissionDenied');
});

test('the routing number must be valid, unless it is forced', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const odd = { ...ACCOUNT, routingNumber: '021000022' };
  t.match(await h.refusal('paymentInstrument.create', ann.id, odd), { errors: [{ path: 'routingNumber' }] });
  t.match(await h.data('paymentInstrument.create', ann.id, odd, FORCE), [{ routingNumber: '021000022', status: 'pending' }]);
});

test('every missing field of an account is named', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const refusal = await h.refusal('paymentInstrument.create', ann.id, { instrumentType: 'bankAccount', accountNumber: '1234' });
  t.same(
    refusal.errors.map((fault) => fault.path),
    ['routingNumber', 'accountType', 'accountHolderType', 'accountHolderName'],
  );
});

test('a duplicate account is refused; external ones are compared by their last digits and can be allowed', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const known = first(await h.data('paymentInstrument.create', ann.id, ACCOUNT));
  t.match(await h.refusal('paymentInstrument.create', ann.id, ACCOUNT), { errorType: 'duplicate', extra: { duplicateOfId: known.id } });
  await h.data('paymentInstrument.create', ann.id, { ...ACCOUNT, accountNumber: '8800112233' });
  const external = { instrumentType: 'bankAccount', isExternal: true, accountNumber: '2233' };
  await h.data('paymentInstrument.create', ann.id, external, EXTERNAL);
  t.equal((await h.refusal('paymentInstrument.create', ann.id, external, EXTERNAL)).errorType, 'duplicate');
  await h.data('paymentInstrument.create', ann.id, external, { ...EXTERNAL, query: { allowDuplicates: true } });
  const bob = await h.data('person.create', null, { name: NAME });
  await h.data('paymentInstrument.create', bob.id, ACCOUNT);
});

test('external instruments are records with the status that the caller gives', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const check = { instrumentType: 'check', isExternal: true, payerName: 'Annabel Quimby', checkNumber: '104', accountNumber: '5566' };
  t.equal((await h.refusal('paymentInstrument.create', ann.id, check)).errorType, 'permissionDenied');
  const created = first(await h.data('paymentInstrument.create', ann.id, check, EXTERNAL));
  t.match(created, { object: 'check', status: 'active', verified: false, checkNumber: '104', accountHolderName: 'Annabel Quimby' });
  const params = { paymentInstrumentId: created.id };
  t.match(await h.refusal('paymentInstrument.update', ann.id, { status: 'inactive' }, { params }), {
    errors: [{ path: 'inactiveReason' }],
  });
  t.match(await h.data('paymentInstrument.update', ann.id, { status: 'inactive', inactiveReason: 'replaced' }, { params }), {
    status: 'inactive',
    inactiveReason: 'replaced',
  });
  t.match(await h.data('paymentInstrument.update', ann.id, { status: 'active' }, { params }), { status: 'active', inactiveReason: null });
  t.match(await h.refusal('paymentInstrument.create', ann.id, { instrumentType: 'wire' }), { errors: [{ path: 'isExternal' }] });
});

test('only the last digits of a card are stored, and only external cards are accepted', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const card = {
    instrumentType: 'card',
    cardType: 'debit',
    cardNumber: '4111111111111111',
    expirationMonth: 12,
    expirationYear: 2029,
    accountHolderName: 'Annabel Quimby',
  };
  t.equal(
    (await h.refusal('paymentInstrument.create', ann.id, { ...card, cvv: '123' })).errorType,
    'businessValidation',
    'no processor takes it',
  );
  t.match(await h.data('paymentInstrument.create', ann.id, { ...card, isExternal: true }, EXTERNAL), [
    { object: 'card', cardNumberLastFour: '1111', status: 'active' },
  ]);
  const wrong = { ...card, isExternal: true, cardNumber: '4111111111111112', expirationYear: 2024 };
  t.same(
    (await h.refusal('paymentInstrument.create', ann.id, wrong, EXTERNAL)).errors.map((fault) => fault.path),
    ['cardNumber', 'expirationYear'],
  );
  t.notOk(h.written().includes('4111111111111111'));
});

test('an account’s number never leaves the service, not even into the journal', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const { id } = first(await h.data('paymentInstrument.create', ann.id, ACCOUNT));
  const shown = await h.query('paymentInstrument.get', ann.id, {}, { params: { paymentInstrumentId: id } });
  t.notOk(JSON.stringify(shown).includes('7700112233'));
  t.notOk(h.written().includes('7700112233'));
});

test('an account is deactivated with a reason, and activated again only if it was verified', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const { id } = first(await h.data('paymentInstrument.create', ann.id, ACCOUNT));
  const params = { paymentInstrumentId: id };
  t.equal((await h.refusal('paymentInstrument.update', ann.id, { status: 'active' }, { params })).errorType, 'invalidState');
  await h.data('paymentInstrument.update', ann.id, { status: 'inactive', inactiveReason: 'borrowerRequest' }, { params });
  t.equal((await h.refusal('paymentInstrument.update', ann.id, { status: 'active' }, { params })).errorType, 'invalidState');
  t.match(await h.data('paymentInstrument.update', ann.id, { verified: true }, { params, ...FORCE }), { status: 'active', verified: true });
});

test('lists leave out a deleted instrument, and it can be added again', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const { id } = first(await h.data('paymentInstrument.create', ann.id, { ...ACCOUNT, externalId: 'main' }));
  await h.data('paymentInstrument.delete', ann.id, {}, { params: { paymentInstrumentId: 'ext-main' } });
  t.match(await h.query('paymentInstrument.list', ann.id), { items: [], total: 0 });
  t.equal((await refusalOf(h.query('paymentInstrument.get', ann.id, {}, { params: { paymentInstrumentId: id } }))).errorType, 'notFound');
  await h.data('paymentInstrument.create', ann.id, { ...ACCOUNT, externalId: 'main' });
  t.equal(eventTypes(h).filter((type) => type === 'payment.instrument.deactivated').length, 1);
});

test('instruments of all borrowers are listed together', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const bob = await h.data('person.create', null, { name: NAME });
  const one = first(await h.data('paymentInstrument.create', ann.id, ACCOUNT));
  h.nowMs += 1000;
  const two = first(await h.data('paymentInstrument.create', bob.id, { instrumentType: 'moneyOrder', isExternal: true }, EXTERNAL));
  const ids = async (query: object): Promise<unknown> =>
    itemsOf(await h.query('paymentInstrument.listAll', null, query)).map((item) => item.id);
  t.same(await ids({}), [two.id, one.id]);
  t.same(await ids({ isExternal: false }), [one.id]);
  t.same(await ids({ personId: 'ext-ann-1' }), [one.id]);
  t.same(await ids({ status: 'inactive' }), []);
});
