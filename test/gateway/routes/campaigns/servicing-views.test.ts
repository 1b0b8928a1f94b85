import { test } from 'tap';
import { must } from '../../../../engine/index.js';
import { ACCOUNT } from '../../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, signedDocument } from '../http-lender.js';
import { openCampaigns } from './campaign-over-http.js';
import { othersFindNone, rowsOf } from './view-rows.js';

test('payments that are expected have a row each, as the schedule shows them, until they are met', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, loan, loanId } = lender;
  const expected = `SELECT expected_date, payment_type, amount, principal_amount, interest_amount FROM v_expected_payments
    WHERE loan_id = '${loanId}' ORDER BY expected_date`;
  const shown = async (): Promise<unknown> => {
    const rows = dataOf(await ask('GET', `${loan}/expected-payments`))['schedule'] as readonly Record<string, number | string>[];
    const money = (value: unknown): string => Number(value).toFixed(2);
    return rows.map(({ date, paymentType, amount, principalAmount, interestAmount }) => [
      date,
      paymentType,
      money(amount),
      money(principalAmount),
      money(interestAmount),
    ]);
  };
  const before = await rowsOf(lender, expected);
  t.equal(before.length, 12);
  t.same(before, await shown());
  await lender.goTo('2026-03-16');
  t.equal((await rowsOf(lender, expected)).length, 12, 'what fell due is not paid yet');
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 109.14 });
  t.equal((await rowsOf(lender, expected)).length, 11);
  await othersFindNone(t, lender, 'v_expected_payments', 'loan_id');
});

test('fees have a row each, canceled ones too', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, loan, loanId, loanTypeId } = lender;
  const type = { name: { displayName: 'Paper', apiName: 'paper' }, feeType: 'adHoc', amountLogic: 'fixed', amount: 30 };
  const feeTypeId = idOf(await ask('POST', `/loan-types/${loanTypeId}/fee-types`, type));
  for (const externalId of ['one', 'two']) t.ok((await ask('POST', `${loan}/fees`, { apiName: 'paper', externalId })).status < 300);
  const rows = `SELECT loan_id, type, fee_type_id, api_name, status, amount, original_amount, remaining_amount, created_date FROM v_fees
    ORDER BY status`;
  const fee = (status: string, amount: string): readonly unknown[] => [
    loanId,
    'dynamicFee',
    feeTypeId,
    'paper',
    status,
    amount,
    '30.00',
    amount,
    '2026-03-02',
  ];
  t.same(await rowsOf(lender, rows), [fee('booked', '30.00'), fee('booked', '30.00')]);
  const [first] = listOf(await ask('GET', `${loan}/fees`));
  await ask('PUT', `${loan}/fees/${String(first?.['id'])}/cancel`, { reason: 'courtesy' });
  t.same(await rowsOf(lender, rows), [fee('booked', '30.00'), fee('canceled', '0.00')]);
  await othersFindNone(t, lender, 'v_fees', 'fee_id');
});

test('rates, statements and automatic payments have a row each', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, loan, loanId, goTo } = lender;
  const rates = 'SELECT loan_id, kind, interest_type, rate, start_date, end_date, is_active, is_of_origination FROM v_rates';
  t.same(await rowsOf(lender, rates), [[loanId, 'interestRate', 'absolute', '0.18', '2026-03-02', null, true, true]]);
  await othersFindNone(t, lender, 'v_rates', 'rate_id');

  const account = await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true });
  const paymentInstrumentId = String(listOf(account)[0]?.['id']);
  const plan = await ask('POST', `${loan}/autopay`, { paymentInstrumentId, agreementDocumentId: await signedDocument(ask, loan) });
  t.equal(plan.status, 200, plan.text);
  const plans =
    'SELECT autopay_id, loan_id, status, payment_instrument_id, instrument_type, amount_type, extra_amount, cancel_reason FROM v_autopay';
  const row = [idOf(plan), loanId, 'active', paymentInstrumentId, 'bankAccount', 'scheduledAmount', '0.00', null];
  t.same(await rowsOf(lender, plans), [row]);
  await ask('DELETE', `${loan}/autopay?cancelReason=canceledByBorrower`);
  t.same(await rowsOf(lender, plans), [[...row.slice(0, 2), 'canceled', ...row.slice(3, -1), 'canceledByBorrower']]);
  await othersFindNone(t, lender, 'v_autopay', 'autopay_id');

  await goTo('2026-03-16');
  const [statement] = listOf(await ask('GET', `${loan}/statements`));
  const issued = must(statement, 'a statement was issued');
  const figures = 'minimum_due_amount, previous_balance, new_balance, new_principal_balance, interest_amount, fees_amount';
  t.same(
    await rowsOf(lender, `SELECT statement_id, version, due_date, statement_date, ${figures}, is_external FROM v_statements`),
    // 1,200.00 at 18 % for 13 days.
    [[issued['id'], 1, '2026-03-15', issued['statementDate'], '109.14', '0.00', '1207.69', '1200.00', '7.69', '0.00', false]],
  );
  await othersFindNone(t, lender, 'v_statements', 'statement_id');
});

test('what stops contacts has a row each, with its case, and follows', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, personId } = lender;
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'ceaseCommunication' }));
  const path = `/people/${personId}/cases/${caseId}/do-not-interacts`;
  const block = await ask('POST', path, { channels: ['voice', 'text'], endDate: '2026-03-20', daysOfWeek: [0, 4] });
  t.equal(block.status, 200, block.text);
  const rows = `SELECT do_not_interact_id, case_id, person_id, status, channels, themes, days_of_week, contact_labels, start_date, end_date,
    source FROM v_do_not_interact`;
  const row = [idOf(block), caseId, personId, 'active', 'voice,text', 'all', '0,4', '', '2026-03-02', '2026-03-20', 'api'];
  t.same(await rowsOf(lender, rows), [row]);
  await ask('PUT', `${path}/${idOf(block)}`, { channels: ['all'], endDate: null });
  t.same(await rowsOf(lender, 'SELECT channels, end_date FROM v_do_not_interact'), [['all', null]]);
  await othersFindNone(t, lender, 'v_do_not_interact', 'do_not_interact_id');
});

test('the language that a borrower prefers is there for callers who may read borrowers', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, askWith, personId } = lender;
  t.same(await rowsOf(lender, 'SELECT preferred_language FROM v_people'), [[null]]);
  await ask('PUT', `/people/${personId}`, { commPreferences: { language: 'es' } });
  t.same(await rowsOf(lender, 'SELECT preferred_language FROM v_people'), [['es']]);
  const blind = await askWith(['report:ask'], 'POST', '/questions', { sql: 'SELECT preferred_language FROM v_people' });
  t.match(blind.json, { statusCode: 400, errors: [{ path: 'query' }] });
});
