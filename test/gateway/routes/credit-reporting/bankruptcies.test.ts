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

async function put({ ask }: CreditOverHttp, path: string, ...bodies: readonly object[]): Promise<void> {
  for (const body of bodies) {
    const changed = await ask('PUT', path, body);
    if (changed.status !== 200) throw new Error(changed.text);
  }
}

const ENDS_IN_ERROR: Readonly<Record<string, (lender: CreditOverHttp, path: string) => Promise<unknown>>> = {
  canceled: async (lender, path) => await put(lender, path, { status: 'canceled' }),
  deleted: async ({ ask }, path) => await ask('DELETE', path),
  'completed as denied': async (lender, path) =>
    await put(lender, path, { status: 'processing' }, { status: 'completed', outcome: 'denied' }),
};

for (const [ended, end] of Object.entries(ENDS_IN_ERROR))
  test(`a bankruptcy whose case is ${ended} after it was reported is removed once, and leaves no petition behind`, async (t) => {
    const lender = await openCredit(t, { specificDays: [10] });
    await lender.goTo('2026-03-20');
    const path = await opened(lender, '2026-03-18');
    t.match(await sentOn(t, lender, '2026-04-10'), { indicator: 'A', first: '2026-03-18' });
    await end(lender, path);
    const sent = [await sentOn(t, lender, '2026-05-10'), await sentOn(t, lender, '2026-06-10')];
    t.match(sent[0], { indicator: 'Q', isOwed: true });
    t.match(sent[1], { indicator: null });
    t.notMatch(JSON.stringify(sent), /D/, 'no month counts as one of a bankruptcy');
  });

test('a bankruptcy whose case is canceled before it was reported is never mentioned', async (t) => {
  const lender = await openCredit(t, { specificDays: [10] });
  await lender.goTo('2026-03-20');
  await put(lender, await opened(lender, '2026-03-18'), { status: 'canceled' });
  t.match(await sentOn(t, lender, '2026-04-10'), { indicator: null, first: null });
});

test('a petition that was filed in error or taken back is reported as withdrawn', async (t) => {
  const lender = await openCredit(t, { specificDays: [10] });
  await lender.goTo('2026-03-20');
  const path = await opened(lender, '2026-03-18');
  t.match(await sentOn(t, lender, '2026-04-10'), { indicator: 'A' });
  await put(lender, path, { courtCaseLastStatus: 'closedFiledInError', courtCaseLastStatusUpdatedDate: '2026-05-02' });
  t.match(await sentOn(t, lender, '2026-05-10'), { indicator: 'A' }, 'it was not, at the end of the month');
  t.match(await sentOn(t, lender, '2026-06-10'), { indicator: 'M', history: /^[^D]+$/ });
  await put(lender, path, { courtCaseLastStatus: 'filed', status: 'processing' }, { status: 'completed', outcome: 'withdrawn' });
  t.match(await sentOn(t, lender, '2026-07-10'), { indicator: 'M' });
  await opened(lender, '2026-03-01');
  t.match(await sentOn(t, lender, '2026-08-10'), { indicator: 'A' }, 'a petition that stands counts before one that does not');
});

test('a reaffirmation of a bankruptcy that was an error is removed as one', async (t) => {
  const lender = await openCredit(t, { specificDays: [10] });
  await lender.goTo('2026-03-20');
  const path = await opened(lender, '2026-03-18');
  await put(lender, path, { reaffirmationDate: '2026-03-19' });
  t.match(await sentOn(t, lender, '2026-04-10'), { indicator: 'R' });
  await put(lender, path, { status: 'canceled' });
  t.match(await sentOn(t, lender, '2026-05-10'), { indicator: 'S' });
  t.match(await sentOn(t, lender, '2026-06-10'), { indicator: null });
});

test('after a discharge, which is reported once, an error is still removed', async (t) => {
  const lender = await openCredit(t, { specificDays: [10] });
  await lender.goTo('2026-03-20');
  const path = await opened(lender, '2026-03-18');
  await put(lender, path, { courtCaseDebtorDisposition: 'discharged', courtCaseDebtorDispositionDate: '2026-03-19' });
  t.match(await sentOn(t, lender, '2026-04-10'), { indicator: 'E', isOwed: false });
  await put(lender, path, { status: 'canceled' });
  t.match(await sentOn(t, lender, '2026-05-10'), { indicator: 'Q', isOwed: true });
});
