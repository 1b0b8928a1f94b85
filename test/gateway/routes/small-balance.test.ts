import { test } from 'tap';
import { dataOf } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

/** 1,200.00 without interest over twelve months of 100.00. */
const TERMS = { amountFinanced: 1200, duration: 12, specificDays: [2], interestRates: [{ interestType: 'absolute', days: null, rate: 0 }] };

test('a payment that leaves no more than the loan type forgives pays the loan off, and its failure brings all back', async (t) => {
  const { ask, loan, goTo, emitted } = await openLoanOverHttp(t, { smallBalanceForgivenessAmount: 2.5 }, TERMS);
  await goTo('2026-03-10');
  const pay = { type: 'oneTime', amount: 1197.5, isExternal: true, status: 'succeeded' };
  t.match(await ask('POST', `${loan}/transactions`, { ...pay, previewMode: true }), {
    json: { data: { paidPrincipalAmount: 1197.5, paidOverAmount: 0 } },
  });
  t.match(await ask('GET', loan), { json: { data: { status: 'active' } } });
  const paid = dataOf(await ask('POST', `${loan}/transactions`, pay));
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
  t.match(await ask('GET', `${loan}/balances`), {
    json: {
      data: {
        outstandingBalances: { outstandingTotalAmount: 0 },
        paidBalances: { paidPaymentsAmount: 1197.5, paidCreditsAmount: 2.5, paidPrincipalAmount: 1200 },
      },
    },
  });
  t.equal((await emitted('loan.statuschanged')).at(-1)?.['newStatus'], 'paidOff');
  for (const path of ['activity', 'obligations', 'expected-payments', 'payoff', 'periods', 'transactions'])
    t.equal((await ask('GET', `${loan}/${path}`)).status, 200, path);
  await ask('PUT', `${loan}/transactions/${String(paid['id'])}`, { status: 'failed', failureReason: 'insufficientFunds' });
  t.match(await ask('GET', loan), { json: { data: { status: 'active' } } });
  t.match(await ask('GET', `${loan}/balances`), {
    json: { data: { outstandingBalances: { outstandingTotalAmount: 1200 }, paidBalances: { paidCreditsAmount: 0 } } },
  });
});

test('a loan type of lines refuses an amount that nothing would forgive', async (t) => {
  const { ask, company } = await openLoanOverHttp(t);
  const body = { type: 'lineOfCredit', name: 'Line', smallBalanceForgivenessAmount: 1 };
  t.match(await ask('POST', `/companies/${company}/loan-types`, body), {
    status: 422,
    json: { errorType: 'ruleViolation', errors: [{ path: 'smallBalanceForgivenessAmount' }] },
  });
  t.match(await ask('POST', `/companies/${company}/loan-types`, { ...body, smallBalanceForgivenessAmount: 0 }), { status: 201 });
});
