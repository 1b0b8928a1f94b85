import { type Test, test } from 'tap';
import { formatDay } from '../../../../engine/index.js';
import { type CreditOverHttp, idOf, openCredit } from './credit-over-http.js';

const CHAPTER_7 = { caseType: 'bankruptcy', courtCaseChapter: 'chapter7' };

async function opened({ ask }: CreditOverHttp, courtCaseFiledDate: string): Promise<string> {
  const made = await ask('POST', '/people/ext-ann-1/cases', { ...CHAPTER_7, courtCaseFiledDate });
  if (made.status >= 300) throw new Error(made.text);
  return `/people/ext-ann-1/cases/${idOf(made)}`;
}

/** Of the file that is made on a day: indicator, date of first delinquency, history without its blanks, balance. */
async function sentOn(t: Test, { goTo, madeFile, accountsOf }: CreditOverHttp, date: string): Promise<object> {
  await goTo(date);
  const file = await madeFile();
  t.match(file, { held: [] });
  const [account] = await accountsOf(file);
  if (account === undefined) throw new Error('the loan is in the file');
  const { consumerInformationIndicator: indicator, dateOfFirstDelinquency, paymentHistoryProfile, currentBalance } = account.base;
  return {
    indicator,
    first: dateOfFirstDelinquency === null ? null : formatDay(dateOfFirstDelinquency),
    history: paymentHistoryProfile?.replace(/B+$/, ''),
    isOwed: currentBalance > 0,
  };
}

test('a petition after the end of a month is reported with the next month', async (t) => {
  const lender = await openCredit(t, { specificDays: [10] });
  await lender.goTo('2026-04-05');
  await opened(lender, '2026-04-03');
  t.match(await sentOn(t, lender, '2026-04-10'), { indicator: null, first: null, history: '' });
  t.match(await sentOn(t, lender, '2026-05-10'), { indicator: 'A', history: '0' });
});

test('a discharge after the end of a month is reported with the next month', async (t) => {
  const lender = await openCredit(t, { specificDays: [10] });
  await lender.goTo('2026-03-20');
  const path = await opened(lender, '2026-03-18');
  await lender.goTo('2026-04-05');
  const discharged = { courtCaseDebtorDisposition: 'discharged', courtCaseDebtorDispositionDate: '2026-04-02' };
  t.match(await lender.ask('PUT', path, discharged), { status: 200 });
  t.match(await sentOn(t, lender, '2026-04-10'), { indicator: 'A', first: '2026-03-18', isOwed: true });
  t.match(await sentOn(t, lender, '2026-05-10'), { indicator: 'E', history: 'D', isOwed: false });
});

test('a dismissed bankruptcy stays reported until the petition of another one', async (t) => {
  const lender = await openCredit(t, { specificDays: [10] });
  await lender.goTo('2026-03-20');
  const path = await opened(lender, '2026-03-18');
  t.match(await lender.ask('PUT', path, { courtCaseDebtorDisposition: 'dismissed' }), { status: 200 });
  await lender.goTo('2026-04-05');
  await opened(lender, '2026-04-03');
  t.match(await sentOn(t, lender, '2026-04-10'), { indicator: 'I' });
  t.match(await sentOn(t, lender, '2026-05-10'), { indicator: 'A' });
});
