import { test } from 'tap';
import { dataOf, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { openLoanOverHttp } from './loan-over-http.js';

/*
 * Who pays the obligation of the open period before its due date has paid it: statements, expected payments and what is due next say so,
 * too.
 */

type Row = Readonly<Record<string, unknown>>;

const PAID = { type: 'oneTime', isExternal: true, status: 'succeeded' };

test('an installment that was paid ten days early is met on its statement, and the next statement does not ask for it', async (t) => {
  const { ask, loan, active, goTo } = await openLoanOverHttp(t);
  const unpaid = await active();
  await goTo('2026-03-05');
  await ask('POST', `${loan}/transactions`, { ...PAID, amount: 109.14 });
  const rows = async (of: string): Promise<readonly Row[]> =>
    dataOf(await ask('GET', `${of}/expected-payments`))['schedule'] as readonly Row[];
  const dues = async (of: string): Promise<unknown> => (await rows(of)).slice(0, -1).map(({ date, amount }) => [date, amount]);
  t.strictSame(await dues(loan), await dues(unpaid), 'later rows stay as scheduled, but for the last, which has less interest');
  t.match((await rows(loan))[0], { date: '2026-03-15', amount: 109.14, principalAmount: 109.14, interestAmount: 0 }, 'booked as paid');
  t.match(dataOf(await ask('GET', loan))['current'], { nextDueDate: '2026-04-15', nextDueAmount: 109.14, isOverdue: false });
  t.match(dataOf(await ask('GET', unpaid))['current'], { nextDueDate: '2026-03-15', nextDueAmount: 109.14 });

  await goTo('2026-03-16');
  const stated = async (of: string): Promise<readonly Row[]> => listOf(await ask('GET', `${of}/statements?sortBy=statementDate`));
  const met = { paymentDueDate: '2026-03-15', minimumDueAmount: 109.14, fulfilledAmount: 109.14, remainingAmount: 0, overdueAmount: 0 };
  t.match(await stated(loan), [met]);
  t.match(await stated(unpaid), [{ ...met, fulfilledAmount: 0, remainingAmount: 109.14 }]);
  t.match((await rows(loan))[0], { date: '2026-03-15', status: 'completed' });

  await goTo('2026-04-16');
  const next = { paymentDueDate: '2026-04-15', minimumDueAmount: 109.14, fulfilledAmount: 0, remainingAmount: 109.14 };
  t.match((await stated(loan))[1], { ...next, overdueAmount: 0 }, 'it asks for its own installment alone');
  t.match((await stated(unpaid))[1], { ...next, overdueAmount: 109.14 });
});

test('a minimum payment that was paid before its statement is met on it, and the next statement does not ask for it', async (t) => {
  const { ask, line, draw, goTo } = await openLineOverHttp(t);
  const own = await draw();
  await goTo('2026-03-10');
  await ask('POST', `${own}/purchases`, { amount: 400, status: 'settled' });
  await goTo('2026-03-20');
  await ask('POST', `${line}/transactions`, { ...PAID, amount: 30 });
  await goTo('2026-03-26');
  const newest = async (): Promise<Row | undefined> => listOf(await ask('GET', `${line}/statements`))[0];
  const first = { statementDate: '2026-03-25', paymentDueDate: '2026-04-15', minimumDueAmount: 25 };
  t.match(await newest(), { ...first, fulfilledAmount: 25, remainingAmount: 0, overdueAmount: 0 });
  t.match(dataOf(await ask('GET', line))['current'], { nextDueDate: '2026-05-15', isOverdue: false }, 'nothing is due before May');
  await goTo('2026-04-25');
  t.match(await newest(), { paymentDueDate: '2026-05-15', minimumDueAmount: 25.01, remainingAmount: 25.01, overdueAmount: 0 });
  t.match(dataOf(await ask('GET', line))['current'], { isOverdue: false, daysOverdue: 0, overdueAmount: 0 });
});
