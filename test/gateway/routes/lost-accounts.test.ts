import { type Test, test } from 'tap';
import { ACCOUNT, EMAIL } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, signedDocument } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from './loan-over-http.js';

const ANN = '/people/ext-ann-1';

interface Paying extends LoanOverHttp {
  /** Adds a bank account that is ready to pay; returns its id. */
  account(person?: string, changes?: object): Promise<string>;
  enroll(paymentInstrumentId: string): Promise<string>;
  /** Schedules a payment; returns its path. */
  scheduled(paymentInstrumentId: string, person?: string): Promise<string>;
}

/** The loan of `openLoanOverHttp`, whose first payment is due on 2026-03-15. */
async function openPaying(t: Test, options: object = {}): Promise<Paying> {
  const lender = await openLoanOverHttp(t, {}, SMALL, options);
  const { ask, loan } = lender;
  return {
    ...lender,
    account: async (person = ANN, changes = {}) =>
      firstIdOf(await ask('POST', `${person}/payment-instruments?force=true`, { ...ACCOUNT, verified: true, ...changes })),
    enroll: async (paymentInstrumentId) =>
      idOf(await ask('POST', `${loan}/autopay`, { paymentInstrumentId, agreementDocumentId: await signedDocument(ask) })),
    scheduled: async (paymentInstrumentId, person = ANN) => {
      const path = `${loan.replace(ANN, person)}/transactions`;
      return `${loan}/transactions/${idOf(
        await ask('POST', path, { type: 'oneTime', amount: 20, paymentInstrumentId, scheduledDate: '2026-03-12' }),
      )}`;
    },
  };
}

const firstIdOf = (answer: Parameters<typeof listOf>[0]): string => String(listOf(answer)[0]?.['id']);

const LOST = [{ status: 'canceled', cancelReason: 'invalidPaymentMethod' }];

test('a plan ends at once when its account is deleted or deactivated, and so do payments that are scheduled on it', async (t) => {
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PUT', { status: 'inactive', inactiveReason: 'borrowerRequest' }],
  ] as const) {
    const { ask, loan, account, enroll, scheduled, emitted, failures } = await openPaying(t);
    const used = await account();
    await enroll(used);
    const payment = await scheduled(used);
    t.match(await ask(method, `${ANN}/payment-instruments/${used}`, body), { status: 200 });
    t.match(await ask('GET', `${loan}/autopay`), { status: 404 });
    t.match(dataOf(await ask('GET', loan)), { current: { autopayEnabled: false } });
    t.match(listOf(await ask('GET', `${loan}/autopay/history`)), LOST);
    t.match(await emitted('autopay.schedule.cancel'), [{ cancelReason: 'invalidPaymentMethod' }]);
    t.match(dataOf(await ask('GET', payment)), { status: 'canceled', cancelReason: 'instrumentInactive' });
    t.same(failures, []);
  }
});

test('the payment of a plan that waits for a business day is canceled with its account', async (t) => {
  const { ask, loan, account, enroll, goTo, failures } = await openPaying(t);
  const used = await account();
  await enroll(used);
  await goTo('2026-03-15');
  t.match(listOf(await ask('GET', `${loan}/transactions`)), [{ status: 'scheduled' }], '2026-03-15 is a Sunday');
  await ask('DELETE', `${ANN}/payment-instruments/${used}`);
  t.match(listOf(await ask('GET', `${loan}/autopay/history`)), LOST);
  t.match(listOf(await ask('GET', `${loan}/transactions`)), [{ status: 'canceled', cancelReason: 'instrumentInactive' }]);
  t.same(failures, []);
});

test('a plan and payments on another account stay', async (t) => {
  const { ask, loan, account, enroll, scheduled } = await openPaying(t);
  const lost = await account();
  const kept = await account(ANN, { accountNumber: '7700112244' });
  await enroll(kept);
  const payment = await scheduled(kept);
  t.match(await ask('DELETE', `${ANN}/payment-instruments/${lost}`), { status: 200 });
  t.match(dataOf(await ask('GET', `${loan}/autopay`)), { status: 'active' });
  t.match(dataOf(await ask('GET', payment)), { status: 'scheduled' });
});

test('the borrower hears of the plan and the payment that ended with the account', async (t) => {
  const { ask, account, enroll, scheduled, company, h } = await openPaying(t, { company: { withTemplates: true } });
  await ask('POST', `${ANN}/contacts`, EMAIL);
  const used = await account();
  await enroll(used);
  await scheduled(used);
  await ask('DELETE', `${ANN}/payment-instruments/${used}`);
  for (let round = 0; round < 2; round += 1) {
    h.nowMs += 10_000;
    await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  }
  for (const subject of ['autopayCanceledBySystem', 'futurepayCanceled'])
    t.match(listOf(await ask('GET', `${ANN}/interactions?subject=${subject}`)), [{ status: 'succeeded' }], subject);
});

/** Puts a co-borrower on the loan; returns the path of the person on the loan. */
async function withCoBorrower({ ask, loan }: Paying, loanRelationType = 'coBorrower'): Promise<string> {
  await ask('POST', '/people', { name: { firstName: 'Cora', lastName: 'Quimby' }, externalId: 'cora' });
  return `${loan}/people/${idOf(await ask('POST', `${loan}/people`, { personId: 'ext-cora', loanRelationType }))}`;
}

const CORA = '/people/ext-cora';

test('who leaves a loan pays it no more: the plan and what is scheduled end', async (t) => {
  const leave: readonly ((paying: Paying, cora: string) => Promise<unknown>)[] = [
    ({ ask }, cora) => ask('DELETE', cora),
    ({ ask, loan }) => ask('PUT', loan, { additionalPeople: [] }),
    async ({ ask, goTo }, cora) => {
      await goTo('2026-03-04');
      await ask('PUT', cora, { endDate: '2026-03-03' });
    },
  ];
  for (const left of leave) {
    const paying = await openPaying(t);
    const { ask, loan, account, enroll, scheduled, goTo, failures } = paying;
    const cora = await withCoBorrower(paying);
    const used = await account(CORA);
    await enroll(used);
    const payment = await scheduled(used, CORA);
    await left(paying, cora);
    t.match(listOf(await ask('GET', `${loan}/autopay/history`)), LOST);
    t.match(dataOf(await ask('GET', payment)), { status: 'canceled', cancelReason: 'instrumentInactive' });
    const again = await ask('POST', `${loan}/autopay`, { paymentInstrumentId: used, agreementDocumentId: await signedDocument(ask) });
    t.match(again, { status: 422, json: { errors: [{ path: 'paymentInstrumentId' }] } });
    await goTo('2026-03-17');
    t.match(listOf(await ask('GET', `${loan}/transactions`)), [{ status: 'canceled' }], 'nothing was debited');
    t.same(failures, []);
  }
});

test('a plan and payments on the account of who stays on the loan stay', async (t) => {
  const paying = await openPaying(t);
  const { ask, loan, account, enroll, scheduled } = paying;
  const cora = await withCoBorrower(paying);
  const used = await account(CORA);
  await enroll(used);
  const payment = await scheduled(used, CORA);
  await ask('PUT', cora, { endDate: '2026-12-31', loanRelationType: 'guarantor' });
  t.match(dataOf(await ask('GET', `${loan}/autopay`)), { status: 'active' });
  t.match(dataOf(await ask('GET', payment)), { status: 'scheduled' });
});

test('the plan ends on the morning after which its payer has left by the date that was agreed', async (t) => {
  const paying = await openPaying(t);
  const { ask, loan, account, enroll, goTo } = paying;
  const cora = await withCoBorrower(paying);
  await enroll(await account(CORA));
  await ask('PUT', cora, { endDate: '2026-04-01' });
  await goTo('2026-03-20');
  t.match(listOf(await ask('GET', `${loan}/transactions`)), [{ status: 'succeeded' }]);
  await goTo('2026-04-20');
  t.equal(listOf(await ask('GET', `${loan}/transactions`)).length, 1);
  t.match(listOf(await ask('GET', `${loan}/autopay/history`)), LOST);
});

test('who owes on a loan that is serviced is neither deleted nor erased, and can be once off the loan', async (t) => {
  for (const [method, suffix, done] of [
    ['DELETE', '', 200],
    ['POST', '/erase', 204],
  ] as const) {
    const paying = await openPaying(t);
    const { ask } = paying;
    const cora = await withCoBorrower(paying);
    const { id } = dataOf(await ask('GET', CORA));
    const end = async () => ask(method, `/people/${String(id)}${suffix}`, method === 'POST' ? {} : undefined);
    for (const loanRelationType of ['coBorrower', 'coSigner', 'guarantor']) {
      await ask('PUT', cora, { loanRelationType });
      t.match(
        await end(),
        { status: 409, json: { errorType: 'invalidState', message: /it has loans that are serviced/ } },
        loanRelationType,
      );
    }
    await ask('DELETE', cora);
    t.match(await end(), { status: done });
    t.match(await ask('POST', `${paying.loan}/people`, { personId: String(id), loanRelationType: 'coBorrower' }), { status: 422 });
  }
});

test('a person who does not owe the loan can be erased, and the account is charged no more', async (t) => {
  const paying = await openPaying(t);
  const { ask, loan, account, enroll, scheduled, goTo, failures } = paying;
  await withCoBorrower(paying, 'authorizedUser');
  const used = await account(CORA);
  await enroll(used);
  const payment = await scheduled(used, CORA);
  t.match(await ask('POST', `/people/${String(dataOf(await ask('GET', CORA))['id'])}/erase`, {}), { status: 204 });
  await goTo('2026-03-17');
  t.match(listOf(await ask('GET', `${loan}/autopay/history`)), LOST);
  t.match(dataOf(await ask('GET', payment)), { status: 'canceled', cancelReason: 'instrumentInactive' });
  t.equal(listOf(await ask('GET', `${loan}/transactions`)).length, 1);
  t.same(failures, []);
});

test('an account that is frozen is debited no more until somebody makes it active again', async (t) => {
  const { ask, loan, account, enroll, goTo, failures } = await openPaying(t);
  const used = await account(ANN, { accountNumber: '1234569916' });
  await enroll(used);
  await goTo('2026-06-20');
  t.match(listOf(await ask('GET', `${loan}/transactions`)), [{ status: 'failed', achReturnCode: 'R16' }], 'one debit');
  t.match(listOf(await ask('GET', `${loan}/autopay/history`)), LOST);
  const instrument = `${ANN}/payment-instruments/${used}`;
  t.match(dataOf(await ask('GET', instrument)), { status: 'inactive', inactiveReason: 'other', failureReason: 'accountFrozen' });
  t.match(await ask('PUT', instrument, { status: 'active' }), { status: 200 });
  t.same(failures, []);
});
