import { test } from 'tap';
import { EMAIL, HOME } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, openHttpLender } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { openLoanOverHttp, SMALL } from './loan-over-http.js';

/** What releases before these settings took effect stored with a loan type: anything. */
const STORED_BEFORE = {
  statements: { paper: 'recycled' },
  notices: { loanDetails: false },
  refunds: { billing: { merchant: { account: '1320' }, loanServicer: 7 } },
};
const NOTHING_SET = {
  statements: { includeEmptyPeriods: false },
  notices: { mutedSubjects: [] },
  refunds: { billing: { loanOwner: null, loanServicer: null, merchant: null } },
};

test('a period of a line without a balance and without entries has a statement if the loan type says so', async (t) => {
  const { ask, company, loanTypeId, line, goTo, failures } = await openLineOverHttp(t, { statements: { includeEmptyPeriods: true } });
  const stated = async (): Promise<readonly unknown[]> =>
    listOf(await ask('GET', `${line}/statements`)).map(({ statementDate, newBalanceAmount, minimumDueAmount }) => [
      statementDate,
      newBalanceAmount,
      minimumDueAmount,
    ]);
  await goTo('2026-03-26');
  t.strictSame(await stated(), [['2026-03-25', 0, 0]]);
  t.match(await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { statements: { includeEmptyPeriods: false } }), {
    json: { data: { statements: { includeEmptyPeriods: false }, effectiveDate: '2026-03-27' } },
  });
  await goTo('2026-07-01');
  t.strictSame(await stated(), [['2026-03-25', 0, 0]], 'from the day of the edit on, such periods have none');
  t.same(failures, []);
});

test('a notice that the loan type mutes is not sent by itself, and others are', async (t) => {
  const muting = { notices: { mutedSubjects: ['paymentConfirmation', 'loanDetails'] } };
  const lender = await openLoanOverHttp(t, muting, SMALL, { company: { withTemplates: true } });
  const { ask, h, company, loan, loanTypeId, goTo, failures } = lender;
  const person = '/people/ext-ann-1';
  await ask('POST', `${person}/contacts`, EMAIL);
  await ask('POST', `${person}/contacts`, HOME);
  const subjects = async (): Promise<readonly unknown[]> => {
    h.nowMs += 10_000;
    await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
    return listOf(await ask('GET', `${person}/interactions?limit=100`))
      .map(({ subject }) => subject)
      .toReversed();
  };
  const pay = { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 25 };
  await ask('POST', `${loan}/transactions`, pay);
  await ask('POST', `${loan}/freeze`, {});
  t.strictSame(await subjects(), ['loanFrozen']);
  await ask('POST', `${loan}/unfreeze`, { sendNotice: false });
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { notices: { mutedSubjects: [] } });
  await ask('POST', `${loan}/transactions`, pay);
  t.strictSame(await subjects(), ['loanFrozen'], 'an edit counts from the next day on');
  await goTo('2026-03-03');
  await ask('POST', `${loan}/transactions`, pay);
  t.strictSame(await subjects(), ['loanFrozen', 'paymentConfirmation']);
  t.same(failures, []);
});

test('a notice that the law requires, a reminder, and a message of no loan cannot be muted', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const product = { type: 'installment', name: 'Personal' };
  const types = `/companies/${company}/loan-types`;
  const mutedSubjects = ['paymentFailed', 'statementGenerated', 'paymentDueDateReminder', 'paymentFailed', 'passwordReset', 'freeForm'];
  t.match(await ask('POST', types, { ...product, notices: { mutedSubjects } }), {
    status: 400,
    json: {
      errors: [
        { path: 'notices.mutedSubjects[1]', message: 'cannot be muted' },
        { path: 'notices.mutedSubjects[2]', message: /repayment notification/ },
        { path: 'notices.mutedSubjects[3]', message: 'is listed twice' },
        { path: 'notices.mutedSubjects[4]', message: 'cannot be muted' },
        { path: 'notices.mutedSubjects[5]', message: 'cannot be muted' },
      ],
    },
  });
  for (const subject of ['creditNegativeInfoReported', 'loanTermsChanged', 'debtValidationNotice', 'timeBarredNotice'])
    t.match(await ask('POST', types, { ...product, notices: { mutedSubjects: [subject] } }), { status: 400 }, subject);
  t.match(await ask('POST', types, { ...product, notices: { mutedSubjects: ['somethingElse'] } }), {
    status: 400,
    json: { errors: [{ path: 'notices.mutedSubjects[0]' }] },
  });
});

test('a refund is billed to the account that the loan type names for the party at fault', async (t) => {
  const billing = { merchant: '1320-MERCHANTS', loanServicer: '1325' };
  const { ask, company, loan, loanTypeId, goTo, emitted, failures } = await openLoanOverHttp(t, { refunds: { billing } });
  const made = await ask('POST', `${loan}/refunds`, { refundAmount: 100, atFaultParty: 'merchant' });
  t.match(made, { json: { data: { atFaultParty: 'merchant', billedAccount: '1320-MERCHANTS' } } });
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { refunds: { billing: { merchant: '1399', loanServicer: null } } });
  await goTo('2026-03-04');
  const path = `${loan}/refunds/${idOf(made)}`;
  t.match(await ask('PUT', path, { refundAmount: 80 }), { json: { data: { billedAccount: '1320-MERCHANTS' } } }, 'as it was recorded');
  t.match(await ask('PUT', path, { atFaultParty: 'loanServicer' }), { json: { data: { billedAccount: null } } });
  t.match(await ask('PUT', path, { atFaultParty: 'merchant' }), { json: { data: { billedAccount: '1399' } } });
  t.match(await ask('PUT', path, { refundDetails: { description: 'two of three' } }), { status: 200 });
  t.match(dataOf(await ask('GET', `${loan}/refunds`)), { refunds: [{ billedAccount: '1399', atFaultParty: 'merchant' }] });
  const refundId = idOf(made);
  t.strictSame(await emitted('loan.refunded'), [
    { refundId, transactionIds: [], amount: 100, atFaultParty: 'merchant', billedAccount: '1320-MERCHANTS' },
    { refundId, transactionIds: [], amount: 80, atFaultParty: 'merchant', billedAccount: '1320-MERCHANTS' },
    { refundId, transactionIds: [], amount: 80, atFaultParty: 'loanServicer', billedAccount: null },
    { refundId, transactionIds: [], amount: 80, atFaultParty: 'merchant', billedAccount: '1399' },
  ]);
  t.same(failures, []);
});

test('settings of the other product, and names that nothing carries out, are refused by name', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const types = `/companies/${company}/loan-types`;
  const refused = async (body: object): Promise<unknown> => {
    const { status, json } = await ask('POST', types, { name: 'Product', ...body });
    return { status, errors: json['errors'] };
  };
  t.match(await refused({ type: 'installment', statements: { includeEmptyPeriods: true } }), {
    status: 422,
    errors: [{ path: 'statements.includeEmptyPeriods' }],
  });
  t.match(await refused({ type: 'lineOfCredit', refunds: { billing: { merchant: '1320', loanOwner: null } } }), {
    status: 422,
    errors: [{ path: 'refunds.billing.merchant' }],
  });
  t.match(await refused({ type: 'installment', ...STORED_BEFORE }), {
    status: 400,
    errors: ['statements.paper', 'notices.loanDetails', 'refunds.billing.loanServicer', 'refunds.billing.merchant'].map((path) => ({
      path,
    })),
  });
});

test('what an earlier release stored under these names takes no effect, and stops no update', async (t) => {
  const lender = await openLoanOverHttp(t, STORED_BEFORE, SMALL, { company: { withTemplates: true } });
  const { ask, company, loan, loanTypeId, active, h } = lender;
  const product = `/companies/${company}/loan-types/${loanTypeId}`;
  t.match(dataOf(await ask('GET', product)), { ...NOTHING_SET, version: 1 });
  t.match(await ask('PUT', product, { description: 'old' }), { status: 200, json: { data: { version: 1, ...NOTHING_SET } } });
  t.match(await ask('POST', `${loan}/refunds`, { refundAmount: 10, atFaultParty: 'merchant' }), {
    json: { data: { billedAccount: null } },
  });
  await ask('POST', '/people/ext-ann-1/contacts', EMAIL);
  await ask('POST', '/people/ext-ann-1/contacts', HOME);
  await active();
  h.nowMs += 10_000;
  await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
  await h.engine.settled();
  t.match(listOf(await ask('GET', '/people/ext-ann-1/interactions?subject=loanDetails')), { length: 1 });
});

test('a loan type names the processor of its payments by either id, and nothing else', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const types = `/companies/${company}/loan-types`;
  const product = { type: 'installment', name: 'Personal' };
  const processor = {
    paymentTypes: ['ach'],
    processorType: 'achDirectUS',
    processorName: 'First Bank',
    externalId: 'first',
    status: 'draft',
  };
  const made = await ask('POST', '/payment-processors?skipConnectionTest=true', processor);
  t.equal(made.status, 201, made.text);
  const named = await ask('POST', types, { ...product, processors: { ach: 'ext-first' } });
  t.match(named, { status: 201, json: { data: { processors: { ach: idOf(made) } } } });
  t.match(await ask('PUT', `${types}/${idOf(named)}`, { processors: { ach: null } }), { json: { data: { processors: { ach: null } } } });
  t.match(await ask('POST', types, { ...product, processors: { ach: 'PX-AAAA-AAAA', pigeon: idOf(made) } }), {
    status: 422,
    json: { errors: [{ path: 'processors.ach' }, { path: 'processors.pigeon' }] },
  });
});
