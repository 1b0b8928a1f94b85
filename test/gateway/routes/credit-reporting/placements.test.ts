import { test } from 'tap';
import { idOf, openCredit } from './credit-over-http.js';

test('a loan that came back from a collection agency keeps the months there in its history', async (t) => {
  const { ask, loan, company, goTo, madeFile, accountsOf } = await openCredit(t);
  const sentOn = async (date: string): Promise<unknown> => {
    await goTo(date);
    const file = await madeFile();
    t.match(file, { held: [] });
    return (await accountsOf(file)).map(({ base }) => [base.accountStatus, base.paymentHistoryProfile?.replace(/B+$/, '')]);
  };
  const agency = { legalName: 'Meadow Recoveries', contactPhone: '+12125550100' };
  const agencyId = idOf(await ask('POST', `/companies/${company}/collection-agencies`, agency));
  t.strictSame(await sentOn('2026-04-01'), [['11', '']]);
  await goTo('2026-04-20');
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' });
  t.match(await ask('POST', `${loan}/collection-agency`, { agencyId, status: 'assigned' }), { status: 200 });
  t.match(await ask('POST', `${loan}/reverse-charge-off`, {}), { status: 200 });
  t.strictSame(await sentOn('2026-05-01'), [['93', '0']]);
  await goTo('2026-05-10');
  t.match(await ask('DELETE', `${loan}/collection-agency`), { status: 200 });
  t.strictSame(await sentOn('2026-06-01'), [['78', 'G0']]);
  t.strictSame(await sentOn('2026-07-01'), [['80', '2G0']]);
});
