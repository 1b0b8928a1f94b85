import { type Test, test } from 'tap';
import { dataOf, idOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

const STRICT = { accelerationDueWithin: 30, chargeOffDueWithin: 60 };

interface Setting extends LoanOverHttp {
  openCase(body: object): Promise<string>;
  statusOf(loan: string): Promise<unknown>;
}

const idOfPath = (path: string): string => path.split('/').at(-1) ?? '';

/** Ann's loan, due on the 15th from 2026-03-15: unpaid, it is accelerated on 2026-04-14 and charged off on 2026-05-14. */
async function open(t: Test, product: object = STRICT): Promise<Setting> {
  const lender = await openLoanOverHttp(t, product);
  const { ask } = lender;
  return {
    ...lender,
    openCase: async (body) => {
      const made = await ask('POST', '/people/ext-ann-1/cases', body);
      t.match(made, { status: 200 });
      return `/people/ext-ann-1/cases/${idOf(made)}`;
    },
    statusOf: async (loan) => dataOf(await ask('GET', loan))['status'],
  };
}

for (const caseType of ['bankruptcy', 'deceased', 'militaryDuty', 'identityTheft']) {
  test(`no days overdue accelerate or charge off a loan while a case of ${caseType} is active`, async (t) => {
    const { ask, loan, openCase, statusOf, goTo, emitted, h, failures } = await open(t);
    await goTo('2026-04-01');
    const held = await openCase({ caseType });
    await goTo('2026-04-20');
    t.equal(await statusOf(loan), 'active');
    await goTo('2026-06-01');
    t.equal(await statusOf(loan), 'active');
    const balancesOf = async (): Promise<unknown> => (await ask('GET', `${loan}/balances?toEffectiveDate=2026-05-20`)).json;
    const asOf = await balancesOf();
    t.match(await ask('PUT', held, { status: 'processing' }), { status: 200 });
    t.match(await ask('PUT', held, { status: 'completed', outcome: 'resolved' }), { status: 200 });
    t.equal(await statusOf(loan), 'active', 'the next daily job checks again');
    await goTo('2026-06-02');
    t.equal(await statusOf(loan), 'chargedOff');
    t.same(await balancesOf(), asOf, 'it was held then, and still is in what is known now');
    t.match((await emitted('loan.statuschanged')).slice(-2), [
      { oldStatus: 'active', newStatus: 'accelerated', effectiveDate: '2026-06-02' },
      { oldStatus: 'accelerated', newStatus: 'chargedOff', effectiveDate: '2026-06-02' },
    ]);
    const shown = async (): Promise<unknown> => [
      await h.query('loan.get', idOfPath(loan)),
      await h.query('loan.balances', idOfPath(loan)),
      await h.query('loan.statusHistory', idOfPath(loan)),
    ];
    const before = await shown();
    h.forgetSnapshots();
    await h.restart();
    t.same(await shown(), before);
    t.same(failures, []);
  });
}

for (const caseType of ['generic', 'disputeOfDebt', 'ceaseCommunication', 'federalEmergency']) {
  test(`a case of ${caseType} holds nothing`, async (t) => {
    const { loan, openCase, statusOf, goTo } = await open(t);
    await openCase({ caseType });
    await goTo('2026-04-14');
    t.equal(await statusOf(loan), 'accelerated');
  });
}

test('the loan is released when the last of several cases ends or is deleted, and held again when one is reopened', async (t) => {
  const { ask, loan, openCase, statusOf, goTo } = await open(t);
  const [first, second] = [await openCase({ caseType: 'bankruptcy' }), await openCase({ caseType: 'militaryDuty' })];
  await goTo('2026-04-20');
  t.match(await ask('PUT', first, { status: 'canceled' }), { status: 200 });
  await goTo('2026-04-21');
  t.equal(await statusOf(loan), 'active');
  t.match(await ask('PUT', first, { status: 'reopened' }), { status: 200 });
  t.match(await ask('DELETE', second), { status: 200 });
  await goTo('2026-04-22');
  t.equal(await statusOf(loan), 'active');
  t.match(await ask('DELETE', first), { status: 200 });
  await goTo('2026-04-23');
  t.equal(await statusOf(loan), 'accelerated');
});

test('a case holds the loans that it is about, as it is associated with them', async (t) => {
  const { ask, loan, active, openCase, statusOf, goTo } = await open(t);
  const other = await active();
  const held = await openCase({ caseType: 'identityTheft', loanIds: [idOfPath(other)] });
  await goTo('2026-04-14');
  t.same([await statusOf(loan), await statusOf(other)], ['accelerated', 'active']);
  t.match(await ask('POST', `${held}/associations`, { loanId: idOfPath(loan) }), { status: 200 });
  t.match(await ask('DELETE', `${held}/associations/${idOfPath(other)}`), { status: 200 });
  await goTo('2026-05-14');
  t.same([await statusOf(loan), await statusOf(other)], ['accelerated', 'chargedOff'], 'from accelerated on it is held as well');
});

test('the loans that a petition names are held, also when they are named later', async (t) => {
  const { ask, loan, active, openCase, statusOf, goTo } = await open(t);
  const other = await active({ externalId: 'other' });
  const held = await openCase({ caseType: 'bankruptcy', loansIncluded: ['ext-other'] });
  await goTo('2026-04-14');
  t.same([await statusOf(loan), await statusOf(other)], ['accelerated', 'active']);
  t.match(await ask('PUT', held, { loansIncluded: ['ext-other', idOfPath(loan)] }), { status: 200 });
  await goTo('2026-05-14');
  t.same([await statusOf(loan), await statusOf(other)], ['accelerated', 'active']);
});

test('a loan activated while the case is active is held from its first day on', async (t) => {
  const { ask, active, openCase, statusOf, goTo } = await open(t);
  const held = await openCase({ caseType: 'militaryDuty' });
  const later = await active();
  await goTo('2026-06-01');
  t.equal(await statusOf(later), 'active');
  t.match(await ask('PUT', held, { status: 'canceled' }), { status: 200 });
  await goTo('2026-06-02');
  t.equal(await statusOf(later), 'chargedOff');
});

test('a loan that is migrated while the case is active is held from then on', async (t) => {
  const { ask, created, openCase, statusOf, goTo } = await open(t);
  await openCase({ caseType: 'bankruptcy' });
  const migrated = await created({ muteLoanNotices: true, migration: { activatedDate: '2026-02-20' } });
  t.match(await ask('POST', `${migrated}/migrate?sync=true`, {}), { status: 200, json: { data: { migrationStatus: 'migrated' } } });
  await goTo('2026-06-01');
  t.equal(await statusOf(migrated), 'active');
});

test('a held loan is accelerated and charged off on request, and a preview shows the result', async (t) => {
  const { ask, loan, openCase, statusOf, goTo } = await open(t);
  await openCase({ caseType: 'bankruptcy' });
  await goTo('2026-04-20');
  const preview = await ask('POST', `${loan}/accelerate`, { previewMode: true });
  const booked = await ask('POST', `${loan}/accelerate`, {});
  t.match([preview, booked], [{ status: 200 }, { status: 200 }]);
  t.match(dataOf(booked), dataOf(preview));
  t.equal(await statusOf(loan), 'accelerated');
  await goTo('2026-06-01');
  t.equal(await statusOf(loan), 'accelerated');
  t.match(await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'bankruptcy' }), { status: 200 });
  t.equal(await statusOf(loan), 'chargedOff');
});

test('a case holds a line like a loan', async (t) => {
  const { ask, line, draw, goTo, failures } = await openLineOverHttp(t, STRICT);
  const statusOfLine = async (): Promise<unknown> => dataOf(await ask('GET', line))['status'];
  t.match(await ask('POST', `${await draw()}/purchases`, { amount: 400, status: 'settled' }), { status: 200 });
  await goTo('2026-05-01');
  const made = await ask('POST', '/people/ext-ann-1/cases', { caseType: 'militaryDuty' });
  await goTo('2026-07-01');
  t.equal(await statusOfLine(), 'active');
  t.match(await ask('PUT', `/people/ext-ann-1/cases/${idOf(made)}`, { status: 'canceled' }), { status: 200 });
  await goTo('2026-07-02');
  t.equal(await statusOfLine(), 'chargedOff');
  t.same(failures, []);
});

test('a replay considers the days on which the loan was held, and the activity lists them', async (t) => {
  const { ask, loan, openCase, statusOf, goTo } = await open(t);
  await goTo('2026-04-01');
  const held = await openCase({ caseType: 'deceased' });
  await goTo('2026-05-20');
  const paid = await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 5, isExternal: true, effectiveDate: '2026-03-20' });
  t.match(paid, { status: 201 });
  t.equal(await statusOf(loan), 'active');
  t.match(await ask('POST', `${loan}/replay`, {}), { status: 200 });
  t.equal(await statusOf(loan), 'active');
  t.match(await ask('PUT', held, { status: 'canceled' }), { status: 200 });
  await goTo('2026-05-21');
  t.equal(await statusOf(loan), 'chargedOff');
  const caseId = idOfPath(held);
  t.match(await ask('GET', `${loan}/activity`), { json: { data: [{}, {}, { action: 'thresholdsReleased', caseId }] } });
});
