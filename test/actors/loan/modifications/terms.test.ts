import { test } from 'tap';
import { itemsOf } from '../../harness.js';
import { openSetting } from '../setting.js';
import { rowsOf, SMALL } from './rows.js';

test('due dates change from the next period on, over the same time', async (t) => {
  const { h, active, goTo } = await openSetting({ limits: { maxDueDateChangesPerYear: 2 } });
  const loan = await active(SMALL);
  await goTo('2024-02-01');
  const before = rowsOf(await h.query('loan.expectedPayments', loan.id));
  const body = { dueDatesFrequency: 'weekly', specificDays: ['friday'] };
  const preview = await h.data('loan.changeDueDates', loan.id, { ...body, previewMode: true });
  const { operationId: _id, ...booked } = await h.data('loan.changeDueDates', loan.id, body);
  t.strictSame(booked, preview);
  const rows = rowsOf(preview);
  t.match(preview, { paymentFrequency: 'weekly', specificDays: ['5'] });
  t.match(rows[0], { date: '2024-02-15', amount: before[0]?.amount });
  t.equal(rows[1]?.date, '2024-02-23');
  t.ok((rows[1]?.amount ?? 0) < (before[1]?.amount ?? 0) / 3);
  t.equal(rows.at(-1)?.date, '2025-01-10');
  t.match(await h.query('loan.get', loan.id), { current: { paymentFrequency: 'weekly', specificDays: ['5'], duration: rows.length } });
  const later = rowsOf(await h.data('loan.changeDueDates', loan.id, { dueDatesFrequency: 'monthly', specificDays: [20] }));
  t.same(
    later.slice(0, 3).map((row) => row.date),
    ['2024-02-15', '2024-03-20', '2024-04-20'],
  );
  t.match(await h.refusal('loan.changeDueDates', loan.id, body), { statusCode: 409 });
  const view = await h.query('loan.get', loan.id);
  await h.restart();
  t.same(await h.query('loan.get', loan.id), view);
});

test('only days that fit, and frequencies that the product has', async (t) => {
  const { h, active } = await openSetting({ schedule: { allowedFrequencies: ['monthly', 'singleTerm'], minDaysToFirstDueDate: 40 } });
  const loan = await active({ atOrigination: { ...SMALL.atOrigination } });
  const refused = async (id: string, body: object): Promise<number> => (await h.refusal('loan.changeDueDates', id, body)).statusCode;
  t.equal(await refused(loan.id, { dueDatesFrequency: 'monthly', specificDays: ['friday'] }), 400);
  t.equal(await refused(loan.id, { dueDatesFrequency: 'weekly', specificDays: [1] }), 422);
  t.equal(await refused(loan.id, { dueDatesFrequency: 'singleTerm', specificDays: [1] }), 422);
  t.equal(await refused(loan.id, { dueDatesFrequency: 'monthly', specificDays: [15] }), 422, 'a month is nearer than 40 days');
  const single = await active({
    atOrigination: { ...SMALL.atOrigination, duration: 1, paymentFrequency: 'singleTerm', specificDays: [15] },
  });
  const [row] = rowsOf(await h.query('loan.expectedPayments', single.id));
  t.equal(await refused(single.id, { dueDatesFrequency: 'monthly', specificDays: [20] }), 422);
  const changed = await h.data('loan.changeDueDates', single.id, { dueDatesFrequency: 'singleTerm', specificDays: [20] });
  t.match(rowsOf(changed), [{ date: `${row?.date.slice(0, 8)}20` }]);
  t.match(changed, { paymentFrequency: 'singleTerm', specificDays: ['20'] });
});

test('new terms: interest alone for a while, more due dates, another amount', async (t) => {
  const { h, active, goTo } = await openSetting();
  const loan = await active(SMALL);
  const change = async (body: object): Promise<ReturnType<typeof rowsOf>> =>
    rowsOf(await h.data('loan.changeTerms', loan.id, { selectedDueDate: '2024-03-15', previewMode: true, ...body }));
  const interestOnly = await change({ isInterestOnly: true, numberOfPeriods: 3 });
  t.equal(interestOnly.length, 12);
  t.same(
    interestOnly.slice(1, 4).map((row) => row.principalAmount),
    [0, 0, 0],
  );
  t.ok((interestOnly[4]?.principalAmount ?? 0) > 0);
  t.equal((await change({ isInterestOnly: true, numberOfPeriods: 3, isExtendLoanDuration: true })).length, 15);
  t.equal((await change({ numberOfPeriods: 24, isExtendLoanDuration: true })).length, 25);
  t.equal((await change({ numberOfPeriods: 6 })).length, 7);
  const smaller = await change({ amount: 60, isExtendLoanDuration: true });
  t.equal(smaller[1]?.amount, 60);
  t.ok(smaller.length > 20 && (smaller.at(-1)?.amount ?? 0) <= 60);
  const balloon = await change({ amount: 60 });
  t.equal(balloon.length, 12);
  t.ok((balloon.at(-1)?.amount ?? 0) > 500, 'the last due date takes the rest');
  t.equal((await change({ dueDatesFrequency: 'weekly', specificDays: [5] }))[2]?.date, '2024-03-22');
  const status = async (body: object): Promise<number> =>
    (await h.refusal('loan.changeTerms', loan.id, { selectedDueDate: '2024-03-15', ...body })).statusCode;
  t.equal(await status({ numberOfPeriods: 24 }), 422);
  t.equal(await status({ amount: 1, isExtendLoanDuration: true }), 422);
  t.equal(await status({ isInterestOnly: true }), 400);
  t.equal(await status({ selectedDueDate: '2024-03-14' }), 422);

  await h.command('loan.changeTerms', loan.id, {
    selectedDueDate: '2024-03-15',
    isInterestOnly: true,
    numberOfPeriods: 2,
    agreementDocumentId: 'DD-AAAA-BBBB',
  });
  t.match(itemsOf(await h.query('loan.scheduleModifications', loan.id)), [
    {
      type: 'changeLoanTerms',
      selectedDueDate: '2024-03-15',
      isInterestOnly: true,
      numberOfPeriods: 2,
      agreementDocumentId: 'DD-AAAA-BBBB',
    },
  ]);
  await goTo('2024-03-20');
  const { obligations } = (await h.query('loan.obligations', loan.id)) as unknown as {
    obligations: readonly { dueDate: string; obligationAmount: number }[];
  };
  t.match(obligations[1], { dueDate: '2024-03-15' });
  t.equal(obligations[1]?.obligationAmount, 17.16, 'a month of interest on the 1,200.00 of which nothing was paid');
  await h.restart();
  t.match(await h.query('loan.obligations', loan.id), { obligations: [{}, { obligationAmount: 17.16 }, { isOpen: true }] });
});
