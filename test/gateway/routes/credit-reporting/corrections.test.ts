import { type Test, test } from 'tap';
import { type CreditOverHttp, listOf, openCredit } from './credit-over-http.js';

/** Status, history without its blanks, and what keeps the record back, of the file that is made on a day. */
async function sent({ goTo, madeFile, accountsOf }: CreditOverHttp, date: string): Promise<object> {
  await goTo(date);
  const file = await madeFile();
  const [account] = await accountsOf(file);
  const { accountStatus, paymentHistoryProfile } = account?.base ?? {};
  return { status: accountStatus, history: paymentHistoryProfile?.replace(/B+$/, ''), held: file['held'] };
}

const RECORDED_LATE = { type: 'oneTime', amount: 109.14, isExternal: true, status: 'succeeded' };

async function pay(t: Test, { ask, loan }: CreditOverHttp, effectiveDate: string): Promise<void> {
  t.match(await ask('POST', `${loan}/transactions`, { ...RECORDED_LATE, effectiveDate }), { status: 201 });
}

test('payments that are recorded late correct the month that was reported last', async (t) => {
  const lender = await openCredit(t);
  t.match(await sent(lender, '2026-04-01'), { status: '11', history: '' });
  t.match(await sent(lender, '2026-05-01'), { status: '71', history: '0' });
  await lender.goTo('2026-05-05');
  for (const date of ['2026-03-14', '2026-04-14']) await pay(t, lender, date);
  t.match(await sent(lender, '2026-06-01'), { status: '11', history: '00', held: [] });
  const [, april] = listOf(await lender.ask('GET', `${lender.loan}/credit-reporting/records`));
  t.match(april, { activityDate: '2026-04-30', metro2: { accountStatus: '71' } }, 'what was sent stays as it was');
});

test('a charge-off that is reversed after it was reported is corrected with the next file', async (t) => {
  const lender = await openCredit(t);
  const { ask, loan, goTo } = lender;
  t.match(await sent(lender, '2026-04-01'), { status: '11' });
  await goTo('2026-04-20');
  t.match(await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' }), { status: 200 });
  t.match(await sent(lender, '2026-05-01'), { status: '97', history: '0', held: [] });
  t.match(await ask('POST', `${loan}/reverse-charge-off`, {}), { status: 200 });
  t.match(await sent(lender, '2026-06-01'), { status: '78', history: '10', held: [] });
  t.match(await sent(lender, '2026-07-01'), { status: '80', history: '210', held: [] });
});

test('a payment before a charge-off that is recorded after it corrects the original charge-off amount', async (t) => {
  const lender = await openCredit(t);
  const { ask, loan, goTo } = lender;
  t.match(await sent(lender, '2026-04-01'), { status: '11' });
  await goTo('2026-04-20');
  t.match(await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' }), { status: 200 });
  t.match(await sent(lender, '2026-05-01'), { status: '97', held: [] });
  await goTo('2026-05-05');
  await pay(t, lender, '2026-04-18');
  t.match(await sent(lender, '2026-06-01'), { status: '97', held: [] });
});
