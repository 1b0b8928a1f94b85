import { test } from 'tap';
import { dataOf, type HttpLender, idOf, listOf } from '../http-lender.js';
import { SMALL } from '../loan-over-http.js';
import { type Data, openGeneralLedger } from './lender.js';

const SHOP = { businessName: 'Shop', externalId: 'shop' };
const SOLD = { ...SMALL, merchantId: 'ext-shop', mdr: { mdrRate: 0.03, isAmortized: false } };

/** Role, debit and credit of the lines of a role's entries. */
async function linesOf(ask: HttpLender['ask'], root: string, role: string, loanId: string): Promise<readonly (readonly unknown[])[]> {
  const entries = listOf(await ask('GET', `${root}/entries?basis=accrual&role=${role}&loanId=${loanId}&limit=100`));
  return entries.map(({ accountingDate, rule, lines }) => [
    accountingDate,
    rule,
    ...(lines as readonly Data[]).map(({ role: of, debit, credit }) => `${String(of)} ${String(debit)} ${String(credit)}`),
  ]);
}

const reserveOf = async (ask: HttpLender['ask'], loan: string): Promise<unknown> =>
  (dataOf(await ask('GET', loan))['current'] as Data)['merchantReserve'];

const typesOf = (entries: readonly Data[]): readonly (readonly unknown[])[] =>
  entries.map(({ type, date, amount }) => [type, date, amount]);

const sumOf = (entries: readonly Data[]): number => Math.round(entries.reduce((sum, { amount }) => sum + Number(amount) * 100, 0)) / 100;

test('a part of what a merchant gets is held back, and released on its day less what refunds are at its fault', async (t) => {
  const lender = await openGeneralLedger(t);
  const { ask, company, root, active, sealTo, goTo, emitted, failures } = lender;
  const merchants = `/companies/${company}/merchants`;
  const shop = await ask('POST', merchants, { ...SHOP, reserveRate: 0.0505, reserveDays: 30 });
  t.match(dataOf(shop), { reserveRate: 0.0505, reserveDays: 30, reserveNetsRefunds: true });
  const loan = await active({ atOrigination: SOLD });
  const loanId = loan.split('/').at(-1) ?? '';
  // 1,200.00 less 36.00 of discount and 60.60 held back.
  t.strictSame(await reserveOf(ask, loan), {
    merchantId: idOf(shop),
    heldAmount: 60.6,
    releasedAmount: 0,
    nettedAmount: 0,
    remainingAmount: 60.6,
    releaseDate: '2026-04-01',
  });
  t.match(listOf(await ask('GET', `${loan}/payouts`)), [{ id: `${loanId}-0`, status: 'inProcessing', amount: 1103.4 }]);
  t.match(await emitted('loan.merchantreserve.held', loan), [{ merchantId: idOf(shop), amount: 60.6 }]);
  t.equal((await ask('POST', `${loan}/payouts/${loanId}-0/confirm`, {})).status, 200);
  await sealTo('2026-03-10');
  t.equal((await ask('POST', `${loan}/refunds`, { refundAmount: 20.35, atFaultParty: 'merchant' })).status, 200);
  await goTo('2026-03-31');
  t.match(await reserveOf(ask, loan), { remainingAmount: 60.6 });
  await goTo('2026-04-01');
  t.match(await reserveOf(ask, loan), { remainingAmount: 0 });
  await sealTo('2026-04-03');
  t.match(await reserveOf(ask, loan), { releasedAmount: 40.25, nettedAmount: 20.35, remainingAmount: 0 });
  t.match(await emitted('loan.merchantreserve.released', loan), [{ amount: 60.6, nettedAmount: 20.35, reason: 'days' }]);
  t.match(listOf(await ask('GET', `${loan}/payouts`)), [{ status: 'inProcessing', amount: 1143.65, bankAmount: 1103.4 }]);
  const lines = await linesOf(ask, root, 'merchantReserve', loanId);
  t.strictSame(lines[0], ['2026-03-02', 'merchantReserveHeld', 'merchantReserve 0.00 60.60', 'clearingOutgoing 60.60 0.00']);
  t.match(
    lines.slice(1).map(([, rule, ...rest]) => [rule, ...rest]),
    [
      ['merchantReserveNetted', 'merchantReceivable 0.00 20.35', 'merchantReserve 20.35 0.00'],
      ['merchantReserveReleased', 'clearingOutgoing 0.00 40.25', 'merchantReserve 40.25 0.00'],
    ],
  );
  t.match(dataOf(await ask('GET', `${root}/reports/clearing`)), { rows: [{ role: 'clearingOutgoing', amount: '40.25' }] });
  t.equal((await ask('POST', `${loan}/payouts/${loanId}-0/confirm`, {})).status, 200);

  const entries = listOf(await ask('GET', `${merchants}/ext-shop/remittance?limit=100`));
  t.strictSame(
    typesOf(entries).map(([type, , amount]) => [type, amount]),
    [
      ['financed', 1200],
      ['discount', -36],
      ['reserveHeld', -60.6],
      ['reserveReleased', 60.6],
      ['refundsNetted', -20.35],
      ['paid', -1103.4],
      ['paid', -40.25],
    ],
  );
  t.equal(sumOf(entries), 0, 'the merchant has all that it gets');
  t.strictSame(listOf(await ask('GET', `${merchants}/${idOf(shop)}/remittance?toDate=2026-03-02`)).length, 4);
  const file = await ask('GET', `${merchants}/ext-shop/remittance?format=csv&fromDate=2026-03-03`);
  t.match(file.headers['content-type'], /text\/csv/);
  t.match(file.text.split('\r\n').slice(0, 2), [
    'id,loanId,loanExternalId,type,date,amount',
    new RegExp(`^${loanId}-R4,${loanId},,reserveReleased,.*,60.60$`),
  ]);
  t.strictSame(failures, []);
});

test('a reserve is released by order, in parts, and without netting where the merchant is billed', async (t) => {
  const { ask, company, root, active, sealTo, goTo, failures } = await openGeneralLedger(t);
  const merchants = `/companies/${company}/merchants`;
  const shop = await ask('POST', merchants, { ...SHOP, reserveRate: 0.1, reserveNetsRefunds: false });
  t.match(dataOf(shop), { reserveRate: 0.1, reserveDays: null, reserveNetsRefunds: false });
  const loan = await active({ atOrigination: { ...SMALL, merchantId: idOf(shop) } });
  const loanId = loan.split('/').at(-1) ?? '';
  t.match(await reserveOf(ask, loan), { heldAmount: 120, releaseDate: null });
  t.equal((await ask('PUT', `${merchants}/ext-shop`, { reserveRate: null })).status, 200);
  t.match(dataOf(await ask('GET', `${merchants}/ext-shop`)), { reserveRate: null, reserveDays: null, reserveNetsRefunds: null });
  t.equal(await reserveOf(ask, await active({ atOrigination: { ...SMALL, merchantId: idOf(shop) } })), null, 'it ends for new loans');
  t.equal((await ask('POST', `${loan}/refunds`, { refundAmount: 50, atFaultParty: 'merchant' })).status, 200);
  const release = `${loan}/merchant-reserve/release`;
  t.match(await ask('POST', release, { amount: 120.01 }), {
    status: 422,
    json: { errors: [{ path: 'amount', expected: '120.00 or less' }] },
  });
  t.match(await ask('POST', release, { amount: 45.5 }), {
    status: 200,
    json: { data: { releasedAmount: 45.5, nettedAmount: 0, remainingAmount: 74.5 } },
  });
  await sealTo('2026-03-05');
  t.match(await linesOf(ask, root, 'merchantReserve', loanId), [
    ['2026-03-02', 'merchantReserveHeld', 'merchantReserve 0.00 120.00', 'clearingOutgoing 120.00 0.00'],
    ['2026-03-02', 'merchantReserveReleased', 'clearingOutgoing 0.00 45.50', 'merchantReserve 45.50 0.00'],
  ]);
  await goTo('2027-03-01');
  t.match(await reserveOf(ask, loan), { remainingAmount: 74.5 }, 'no day releases it');
  t.match(await ask('POST', release, {}), { status: 200, json: { data: { releasedAmount: 120, remainingAmount: 0 } } });
  t.match(await ask('POST', release, {}), { status: 409 });
  t.strictSame(failures, []);
});

test('a reserve is at most what is paid out, and its days need a rate', async (t) => {
  const { ask, company, active, failures } = await openGeneralLedger(t);
  const merchants = `/companies/${company}/merchants`;
  t.match(await ask('POST', merchants, { ...SHOP, reserveDays: 30 }), { status: 400, json: { errors: [{ path: 'reserveDays' }] } });
  t.match(await ask('POST', merchants, { ...SHOP, reserveRate: 1.01 }), { status: 400, json: { errors: [{ path: 'reserveRate' }] } });
  t.match(await ask('POST', merchants, { ...SHOP, reserveRate: 0 }), { status: 400 });
  t.equal((await ask('POST', merchants, { ...SHOP, reserveRate: 1 })).status, 200);
  const loan = await active({ atOrigination: SOLD });
  t.match(await reserveOf(ask, loan), { heldAmount: 1164 });
  t.match(listOf(await ask('GET', `${loan}/payouts`)), []);
  t.match(await ask('GET', `${merchants}/ext-none/remittance`), { status: 404 });
  t.strictSame(failures, []);
});
