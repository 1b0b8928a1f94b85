import { test } from 'tap';
import { dataOf, type HttpLender, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { openLoanOverHttp } from './loan-over-http.js';

interface Interest {
  readonly date: string;
  readonly charged: number;
  readonly thisYear: number;
}

/** What the statements of a loan say about interest, oldest first, in cents. */
async function statedInterest(ask: HttpLender['ask'], loan: string): Promise<readonly Interest[]> {
  const statements = [...listOf(await ask('GET', `${loan}/statements?limit=50`))].reverse();
  const details = statements.map(async ({ id }) => dataOf(await ask('GET', `${loan}/statements/${String(id)}/details`)));
  return (await Promise.all(details)).map((stated) => ({
    date: String(stated['statementDate']),
    charged: Math.round(Number(stated['totalInterestForThisPeriod']) * 100),
    thisYear: Math.round(Number(stated['yearToDateInterestCharged']) * 100),
  }));
}

const sumOf = (interest: readonly Interest[]): number => interest.reduce((sum, { charged }) => sum + charged, 0);

test('the interest charged this year is the sum of what the statements of the year have charged', async (t) => {
  const { ask, line, draw, goTo, failures } = await openLineOverHttp(t);
  for (let number = 0; number < 6; number += 1)
    await ask('POST', `${await draw({ nickname: `D${number}` })}/purchases`, { amount: 101.01 + number * 7.13 });
  await goTo('2026-12-31');
  const stated = await statedInterest(ask, line);
  t.ok(stated.length >= 9);
  stated.forEach(({ date, thisYear }, at) => t.equal(thisYear, sumOf(stated.slice(0, at + 1)), date));
  t.same(failures, []);
});

test('a new year begins with the interest of its days', async (t) => {
  const { ask, line, draw, goTo } = await openLineOverHttp(t);
  await ask('POST', `${await draw()}/purchases`, { amount: 1000 });
  await goTo('2027-03-31');
  const stated = (await statedInterest(ask, line)).filter(({ date }) => date > '2027');
  const [first, second, third] = stated;
  t.ok(first !== undefined && first.thisYear > 0 && first.thisYear < first.charged, 'the days of December are not counted');
  t.equal(second?.thisYear, (first?.thisYear ?? 0) + (second?.charged ?? 0));
  t.equal(third?.thisYear, (second?.thisYear ?? 0) + (third?.charged ?? 0));
});

test('a payment of an earlier cycle that is recorded later lowers the interest charged this year', async (t) => {
  const { ask, line, draw, goTo } = await openLineOverHttp(t);
  await ask('POST', `${await draw()}/purchases`, { amount: 1000 });
  await goTo('2026-05-10');
  const paid = { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 400, effectiveDate: '2026-03-20' };
  t.equal((await ask('POST', `${line}/transactions`, paid)).status, 201);
  await goTo('2026-06-01');
  const stated = await statedInterest(ask, line);
  t.same(stated, [
    { date: '2026-03-25', charged: 1134, thisYear: 1134 },
    { date: '2026-04-24', charged: 1479, thisYear: 2613 },
    { date: '2026-05-25', charged: 930, thisYear: 2868 },
  ]);
  const { interestAndFeesAmounts } = dataOf(await ask('GET', `${line}/balances?isRounded=true&toEffectiveDate=2026-05-25`));
  t.match(interestAndFeesAmounts, { interestAccruedYearToDateAmount: 28.69 }, 'the payment has lowered the first two by 6.75');
});

test('a minimum interest charge is part of the interest of the year', async (t) => {
  const { ask, line, draw, goTo } = await openLineOverHttp(t, { interest: { minimumInterestCharge: 2 } });
  await ask('POST', `${await draw()}/purchases`, { amount: 20 });
  await goTo('2026-08-01');
  const stated = await statedInterest(ask, line);
  t.equal(stated[0]?.charged, 200);
  stated.forEach(({ date, thisYear }, at) => t.equal(thisYear, sumOf(stated.slice(0, at + 1)), date));
});

test('the interest of the year of an installment loan is the sum of its statements', async (t) => {
  const { ask, loan, goTo } = await openLoanOverHttp(t);
  for (const date of ['2026-04-15', '2026-05-15', '2026-06-15']) {
    await goTo(date);
    await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 110 });
  }
  await goTo('2026-12-20');
  const stated = await statedInterest(ask, loan);
  t.ok(stated.length >= 8);
  stated.forEach(({ date, thisYear }, at) => t.equal(thisYear, sumOf(stated.slice(0, at + 1)), date));
});
