import { test } from 'tap';
import { openLoanOverHttp } from './loan-over-http.js';

test('balances are projected for sixty years, and a day outside is refused with the first and the last one', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const expected = '2026-03-02 to 2086-03-02';
  for (const [day, message] of [
    ['2026-03-01', 'is before the first balances'],
    ['2086-03-03', 'is after the last day that is projected'],
  ]) {
    t.match(await ask('GET', `${loan}/balances?toEffectiveDate=${day}`), {
      status: 422,
      json: { errors: [{ path: 'toEffectiveDate', expected, message }] },
    });
  }
  t.match(await ask('GET', `${loan}/balances?toEffectiveDate=2086-03-02`), { status: 200 });
});
