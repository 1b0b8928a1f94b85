import { test } from 'tap';
import { dataOf } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

type Row = Readonly<Record<string, unknown>>;

/** 1,200.00 at 18 % over three months, due on the 2nd from 2026-04-02 on. */
const TERMS = {
  amountFinanced: 1200,
  duration: 3,
  specificDays: [2],
  interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }],
};

for (const recalculation of ['none', 'progressive', 'cumulative'] as const) {
  test(`a charge-off makes all due at once, and its reversal restores the rows: recalculation ${recalculation}`, async (t) => {
    const opened = await openLoanOverHttp(t, { byInstalment: { recalculation } }, TERMS);
    const { ask, goTo, loan } = opened;
    const twin = await opened.active();
    const obligationsOf = async (of: string): Promise<readonly Row[]> =>
      dataOf(await ask('GET', `${of}/obligations`))['obligations'] as readonly Row[];
    const chargedOff = async (): Promise<unknown> =>
      (dataOf(await ask('GET', `${loan}/balances`))['chargedOffBalances'] as Row)['chargedOffTotalAmount'];
    await goTo('2026-04-10');
    const { chargeOffAmount } = dataOf(await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' }));
    t.ok(Number(chargeOffAmount) >= 1200);
    t.match(await ask('GET', loan), { json: { data: { status: 'chargedOff' } } });
    t.match(await obligationsOf(loan), [{ dueDate: '2026-04-02', obligationAmount: chargeOffAmount, remainingAmount: chargeOffAmount }]);
    const rows = dataOf(await ask('GET', `${loan}/expected-payments`))['schedule'] as readonly Row[];
    t.same(
      rows.filter(({ status }) => status !== 'canceled'),
      [],
      'no row is left to come',
    );
    await goTo('2026-04-20');
    t.equal(await chargedOff(), chargeOffAmount, 'it bears no interest');
    t.match(await ask('POST', `${loan}/reverse-charge-off`, {}), { status: 200 });
    t.match(await ask('GET', loan), { json: { data: { status: 'active' } } });
    const shown = async (of: string): Promise<unknown> =>
      (dataOf(await ask('GET', `${of}/expected-payments`))['schedule'] as readonly Row[]).map(
        ({ date, amount, interestAmount, status }) => [date, amount, interestAmount, status],
      );
    t.same(await shown(loan), await shown(twin), 'as if it had not been');
  });
}
