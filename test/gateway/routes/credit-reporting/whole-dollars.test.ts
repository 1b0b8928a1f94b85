import { type Test, test } from 'tap';
import { type CreditOverHttp, openCredit } from './credit-over-http.js';

interface Sent {
  readonly status: string | null | undefined;
  readonly balance: number | undefined;
  readonly pastDue: number | undefined;
  readonly history: string | undefined;
  readonly isDelinquent: boolean;
}

async function sentOn(t: Test, { goTo, madeFile, accountsOf }: CreditOverHttp, date: string): Promise<readonly Sent[]> {
  await goTo(date);
  const file = await madeFile();
  t.match(file, { held: [] });
  return (await accountsOf(file)).map(({ base }) => ({
    status: base.accountStatus,
    balance: base.currentBalance,
    pastDue: base.amountPastDue,
    history: base.paymentHistoryProfile?.replace(/B+$/, ''),
    isDelinquent: base.dateOfFirstDelinquency !== null,
  }));
}

async function pay(t: Test, { ask, loan }: CreditOverHttp, amount: number): Promise<void> {
  t.match(await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount }), { status: 201 });
}

test('a loan with cents of an installment past due is current', async (t) => {
  const lender = await openCredit(t);
  await lender.goTo('2026-03-16');
  await pay(t, lender, 108.9);
  await lender.goTo('2026-04-01');
  await lender.madeFile();
  t.match(await sentOn(t, lender, '2026-05-01'), [{ status: '11', pastDue: 0, history: '0', isDelinquent: false }]);
  t.match(await sentOn(t, lender, '2026-06-01'), [{ status: '71', pastDue: 109, history: '00', isDelinquent: true }]);
});

test('a loan that was charged off is 64 when only cents of it are left', async (t) => {
  const lender = await openCredit(t);
  await lender.goTo('2026-04-20');
  await lender.madeFile();
  t.match(await lender.ask('POST', `${lender.loan}/charge-off`, { chargedOffReason: 'term' }), { status: 200 });
  await pay(t, lender, 1228.9);
  t.match(await sentOn(t, lender, '2026-05-01'), [{ status: '64', balance: 0, pastDue: 0, history: '0' }]);
  t.strictSame(await sentOn(t, lender, '2026-06-01'), [], 'it is reported once');
});
