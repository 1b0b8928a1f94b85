import { test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { makeTemplate } from './make-template.js';

type Figures = Readonly<Record<string, number>>;

/** Money 5, rule 5. */
const balanced = (f: Figures): number => {
  const of = (name: string): number => f[name] ?? 0;
  const raised =
    of('totalPurchasesForThisPeriod') +
    of('totalCashAdvancesForThisPeriod') +
    of('totalInterestForThisPeriod') +
    of('totalFeesForThisPeriod');
  const back = of('totalPaymentReversalsForThisPeriod') + of('totalCreditReversalsForThisPeriod') + of('totalAdjustmentsForThisPeriod');
  const lowered = of('totalPaymentsForThisPeriod') + of('totalCreditsForThisPeriod') + of('totalRefundsForThisPeriod');
  return Math.round((of('previousBalance') + raised + back - lowered) * 100) / 100;
};

test('a line is stated on the day after each period that had something in it, with figures of each draw', async (t) => {
  const { ask, line, draw, goTo, emitted, failures, h } = await openLineOverHttp(t, {
    draws: { drawTypes: ['regularPurchase', 'cashAdvance'] },
  });
  const [shop, cash] = [await draw({ nickname: 'Shopping' }), await draw({ drawType: 'cashAdvance' })];
  await goTo('2026-03-10');
  const bought = await ask('POST', `${shop}/purchases`, { amount: 400, status: 'settled', purchaseDetails: { merchantName: 'Grocer' } });
  await ask('POST', `${cash}/purchases`, { amount: 100, type: 'cashAdvance', status: 'settled' });
  await goTo('2026-03-26');
  const [first] = listOf(await ask('GET', `${line}/statements`));
  t.match(first, {
    statementDate: '2026-03-25',
    paymentDueDate: '2026-04-15',
    billingCycleStartDate: '2026-03-02',
    billingCycleEndDate: '2026-03-24',
    version: 1,
    overdueAmount: 0,
  });
  t.match(await emitted('statement.created'), [{ dueDate: '2026-04-15', version: 1 }]);
  const path = `${line}/statements/${String(first?.['id'])}`;
  const details = dataOf(await ask('GET', `${path}/details`));
  t.match(details, {
    previousBalance: 0,
    totalPurchasesForThisPeriod: 400,
    totalCashAdvancesForThisPeriod: 100,
    newPrincipalBalance: 500,
    creditLimitAmount: 5000,
    nextStatementDate: '2026-04-24',
    drawInfos: [
      { id: /^SD-/, drawId: shop.split('/').at(-1), drawNickname: 'Shopping', purchasesForThisPeriod: 400, interestRate: 0.18 },
      { purchasesForThisPeriod: 100 },
    ],
  });
  t.equal(balanced(details as Figures), details['newBalanceAmount'], 'the totals make the new balance');
  t.match(await ask('GET', `${path}/activities?drawId=${shop.split('/').at(-1)}`), {
    json: { data: [{ type: 'purchase', description: 'Grocer', amount: 400, purchaseId: idOf(bought) }] },
  });
  t.match(await ask('GET', `${path}/draw-infos`), { json: { total: 2 } });
  t.match(await ask('GET', line), {
    json: { data: { current: { nextDueDate: '2026-04-15', nextDueAmount: details['minimumDueAmount'] } } },
  });
  await goTo('2026-04-01');
  await ask('POST', `${line}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 600 });
  await goTo('2026-04-27');
  const second = dataOf(
    await ask('GET', `${line}/statements/${String(listOf(await ask('GET', `${line}/statements`))[0]?.['id'])}/details`),
  );
  t.match(second, { statementDate: '2026-04-24', previousBalance: details['newBalanceAmount'], minimumDueAmount: 0, newBalanceAmount: 0 });
  t.equal(balanced(second as Figures), second['newBalanceAmount']);
  t.ok(Number(second['creditBalanceAmount']) > 90, 'what was paid over is the borrower’s');
  t.match(
    await ask('POST', `${line}/reimburse`, {
      isExternal: true,
      transactionStatus: 'succeeded',
      reimbursementAmount: second['creditBalanceAmount'],
    }),
    { status: 200 },
  );
  await goTo('2026-07-01');
  t.equal(listOf(await ask('GET', `${line}/statements`)).length, 2, 'periods without anything have none');
  t.match(await ask('POST', `${line}/periods/${String(first?.['periodId'])}/generate-statement`, {}), { json: { data: { version: 2 } } });
  t.same(failures, []);
  const before = await h.query('statement.list', line.split('/').at(-1) ?? '');
  h.forgetSnapshots();
  await h.restart();
  t.same(await h.query('statement.list', line.split('/').at(-1) ?? ''), before);
});

test('the timeline of a line shows purchases, terms and payments with their allocation', async (t) => {
  const { ask, line, draw, goTo, failures } = await openLineOverHttp(t);
  const shop = await draw();
  const drawId = shop.split('/').at(-1);
  await ask('POST', `${shop}/purchases`, { amount: 400, status: 'settled' });
  await goTo('2026-03-12');
  await ask('POST', `${line}/credit-limit`, { creditLimitAmount: 4000, adverseActionReason: 'income fell' });
  await ask('POST', `${line}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 50, drawId });
  const items = listOf(await ask('GET', `${line}/activity?limit=100`));
  t.match(
    items.map(({ action }) => action),
    ['payment', 'limitChanged', 'purchase', 'drawActivated', 'active', 'originated'],
  );
  t.match(items[0], { type: 'payment', amount: 50, entries: [{ entryType: 'payment', movements: [{ drawId }], allocations: [{}] }] });
  t.match(items[2], {
    type: 'purchase',
    amount: 400,
    entries: [{ entryType: 'purchase', movements: [{ component: 'principal', amount: '400.0000000000', drawId }] }],
  });
  t.same(failures, []);
});

test('interest that a restored grace removes was never charged, and the money that paid it is owed to the borrower', async (t) => {
  const { ask, line, draw, goTo, failures } = await openLineOverHttp(t);
  const gracePeriod = { isGracePeriodApplicable: true, numPeriodsToRestoreGrace: 1 };
  await ask('POST', `${await draw({ atOrigination: { gracePeriod } })}/purchases`, { amount: 1000 });
  await goTo('2026-05-10');
  await ask('POST', `${line}/transactions`, { type: 'oneTime', amount: 1022.68, isExternal: true, status: 'succeeded' });
  await goTo('2026-06-01');
  const stated = listOf(await ask('GET', `${line}/statements`)).find(({ statementDate }) => statementDate === '2026-05-25');
  t.match(dataOf(await ask('GET', `${line}/statements/${String(stated?.['id'])}/details`)), {
    previousBalance: 1014.79,
    totalPaymentsForThisPeriod: 1014.79,
    totalInterestForThisPeriod: 0,
    yearToDateInterestCharged: 14.79,
    newBalanceAmount: 0,
    creditBalanceAmount: 7.89,
    drawInfos: [{ paymentsForThisPeriod: 1014.79, interestForThisPeriod: 0 }],
    activities: [
      { type: 'payment', postedDate: '2026-05-10', amount: 1022.68 },
      { type: 'payment', postedDate: '2026-05-16', amount: -7.89 },
    ],
  });
  t.same(failures, []);
});

test('a statement of a line warns of what only minimum payments would cost, and keeps what it has said', async (t) => {
  const { ask, line, draw, goTo, failures, h } = await openLineOverHttp(t);
  const shop = await draw();
  await ask('POST', `${shop}/purchases`, { amount: 3000, status: 'settled' });
  await goTo('2026-03-26');
  const [first] = listOf(await ask('GET', `${line}/statements`));
  const path = `${line}/statements/${String(first?.['id'])}`;
  const warning = dataOf(await ask('GET', `${path}/details`))['minimumPaymentWarning'];
  // The minimum payment of 184.02 is more than the payment that repays the balance in three years.
  t.strictSame(warning, { monthsToPayoff: 58, totalPaidAmount: 3875.29, threeYearPaymentAmount: null, threeYearSavingsAmount: null });
  t.match(await ask('GET', `${path}/document?contentType=html`), { status: 200, text: /<p>Minimum Payment Warning: If you make only/ });
  t.match(await ask('GET', `${path}/document?contentType=html`), { text: />5 years</ });
  const generate = `${line}/periods/${String(first?.['periodId'])}/generate-statement`;
  await ask('POST', `${shop}/purchases`, { amount: 1000, status: 'settled', purchaseDate: '2026-03-20' });
  const again = dataOf(await ask('POST', generate, { sendNotice: false }));
  const later = dataOf(await ask('GET', `${line}/statements/${String(again['id'])}/details`))['minimumPaymentWarning'];
  t.match(later, { monthsToPayoff: 64, totalPaidAmount: 5177.79 });
  const trial = dataOf(await ask('POST', generate, { isTest: true }));
  t.match(dataOf(await ask('GET', `${line}/statements/${String(trial['id'])}/details`)), { minimumPaymentWarning: later });
  h.forgetSnapshots();
  await h.restart();
  const ofFirst = { params: { statementId: String(first?.['id']) } };
  const kept = await h.query('statement.details', line.split('/').at(-1) ?? '', {}, ofFirst);
  t.match(kept, { minimumPaymentWarning: warning }, 'it is stored: later facts and a replay do not change it');
  t.same(failures, []);
});

test('the template of a statement prints the minimum payment warning', async (t) => {
  const lender = await openLineOverHttp(t);
  const { ask, line, draw, goTo } = lender;
  const contentHtmlTemplate =
    '{% assign warning = statement.minimumPaymentWarning %}{% if warning %}<p>{{ warning.monthsToPayoff }} months: ' +
    '{{ warning.totalPaidAmount | money }}</p>{% else %}<p>No warning</p>{% endif %}';
  await makeTemplate(lender, { subject: 'statementGenerated', channel: 'document' }, { contentHtmlTemplate });
  await ask('POST', `${await draw()}/purchases`, { amount: 3000, status: 'settled' });
  await goTo('2026-03-26');
  const [first] = listOf(await ask('GET', `${line}/statements`));
  const page = `${line}/statements/${String(first?.['id'])}/document`;
  t.match(await ask('GET', page), { text: /<p>58 months: \$3,875\.29<\/p>/ });
  await ask('POST', `${line}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 3100 });
  await goTo('2026-04-26');
  const [second] = listOf(await ask('GET', `${line}/statements`));
  t.match(await ask('GET', `${line}/statements/${String(second?.['id'])}/document`), { text: /<p>No warning<\/p>/ });
});
