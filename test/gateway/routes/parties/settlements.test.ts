import { createHash } from 'node:crypto';
import { test } from 'tap';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { openSftpServer } from '../campaigns/sftp-server.js';
import { openLoanOverHttp, SMALL } from '../loan-over-http.js';
import { ACCOUNT_OF_INVESTOR, type Data, openSettled } from './settled-lender.js';

test('settlement instruments are accounts of an investor, whose numbers nobody sees again', async (t) => {
  const { ask, company, askWith } = await openLoanOverHttp(t);
  const investorId = idOf(await ask('POST', `/companies/${company}/investors`, { legalName: 'First', externalId: 'first' }));
  const path = `/companies/${company}/investors/ext-first/settlement-instruments`;
  t.match(await ask('POST', path, { ...ACCOUNT_OF_INVESTOR, routingNumber: '123456789' }), {
    status: 400,
    json: { errors: [{ path: 'routingNumber' }] },
  });
  t.match(await ask('POST', path, { ...ACCOUNT_OF_INVESTOR, status: 'active' }), { status: 400, json: { errors: [{ path: 'status' }] } });
  const made = await ask('POST', path, { ...ACCOUNT_OF_INVESTOR, externalId: 'main' });
  t.match(made, {
    status: 201,
    json: { data: { id: /^SI-/, investorId, status: 'pending', verified: false, accountNumberLastFour: '6789', isExternal: false } },
  });
  t.notMatch(made.text, /123456789/);
  t.match(await ask('POST', `${path}?force=true`, { ...ACCOUNT_OF_INVESTOR, verified: true }), {
    json: { data: { status: 'active', verified: true } },
  });
  t.match(await askWith(['settlement.instrument:create'], 'POST', `${path}?force=true`, ACCOUNT_OF_INVESTOR), { status: 403 });
  t.match(await ask('PUT', `${path}/ext-main`, { nickname: 'main account', accountNumber: '999999' }), {
    status: 400,
    json: { errors: [{ path: 'accountNumber' }] },
  });
  t.match(await ask('PUT', `${path}/ext-main`, { nickname: 'main account' }), { json: { data: { nickname: 'main account' } } });
  t.match(await ask('DELETE', `${path}/ext-main`), { status: 204 });
  t.match(await ask('GET', `${path}/${idOf(made)}`), { json: { data: { status: 'inactive', inactiveReason: 'archived' } } });
  t.match(await ask('GET', `/companies/${company}/settlement-instruments`), { json: { total: 2 } });
  t.match(await ask('GET', `/companies/${company}/investors/${investorId}`), {
    json: { data: { settlementInstruments: [{ status: 'inactive' }, { status: 'active' }] } },
  });
  t.match(
    await ask('POST', `/companies/${company}/settlements`, { investorId }),
    {
      status: 422,
      json: { errors: [{ path: 'settlementInstrumentId', expected: 'an external instrument' }] },
    },
    'nobody can transfer money to it yet',
  );
});

test('a settlement pays each owner its part of what has come in, once, and takes back what has failed since', async (t) => {
  const lender = await openSettled(t);
  const { ask, loan, settlements, investors, settle, advance, pay, get, goTo, h, failures } = lender;
  const [alpha = '', beta = ''] = investors;
  await goTo('2026-03-20');
  const first = await pay(100.01, '2026-03-16');
  const second = await pay(50, '2026-03-17');
  const preview = await ask('POST', `${settlements}?previewMode=true`, { investorId: 'ext-alpha', periodEndDate: '2026-03-17' });
  t.match(preview, { status: 200, json: { data: { grossAmount: 90, netAmount: 90, transactionCount: 2 } } });
  t.match(await ask('GET', settlements), { json: { total: 0 } }, 'a preview records nothing');

  t.match(await ask('POST', settlements, { investorId: alpha, periodEndDate: '2026-03-20' }), { status: 400 }, 'the day is not over');
  const one = await settle(alpha, { periodEndDate: '2026-03-17' });
  t.match(one, {
    id: /^SE-/,
    status: 'pending',
    isComputed: true,
    periodStartDate: null,
    periodEndDate: '2026-03-17',
    settlementDate: '2026-03-23',
    grossAmount: 90, // 55.39 of 92.32 principal and 4.61 of 7.69 interest, and 30.00 of the second payment
    clawbackAmount: 0,
    netAmount: 90,
    transactionCount: 2,
    fileName: `remittance_${String(one['id'])}_20260317.csv`,
  });
  const others = await settle(beta, { periodEndDate: '2026-03-17' });
  t.match(others, { grossAmount: 60.01, netAmount: 60.01 });
  const split = dataOf(await ask('GET', `${loan}/transactions/${first}`));
  const parts = listOf(await ask('GET', `${settlements}/${String(one['id'])}/transactions`));
  const rest = listOf(await ask('GET', `${settlements}/${String(others['id'])}/transactions`));
  const sumOf = (name: string): number => Math.round((Number(parts[0]?.[name]) + Number(rest[0]?.[name])) * 100) / 100;
  t.equal(sumOf('principalAmount'), split['paidPrincipalAmount']);
  t.equal(sumOf('interestAmount'), split['paidInterestAmount']);
  t.match(await ask('GET', `${settlements}/${String(one['id'])}/transactions?limit=1`), {
    json: { total: 2, data: [{ transactionId: first }] },
  });
  t.match(await ask('GET', `${settlements}/${String(one['id'])}/transactions?limit=1&startingAfter=1`), {
    json: { data: [{ id: '2', transactionId: second, netAmount: 30 }] },
  });
  const file = await ask('GET', `${settlements}/${String(one['id'])}/file`);
  t.equal(createHash('sha256').update(file.text).digest('hex'), one['fileDigest']);
  t.match(file.text, /^loanId,transactionId,effectiveDate,principalAmount,.*\r\n.*,2026-03-16,.*,60\.00\r\n.*,2026-03-17,.*,30\.00\r\n$/);
  t.match(await ask('PUT', `${loan}/investors`, { effectiveDate: '2026-03-17', investors: [{ investorId: beta, share: 1 }] }), {
    status: 422,
    json: { errors: [{ path: 'effectiveDate', message: 'is in a settled period' }] },
  });

  t.match(await ask('POST', `${settlements}/${String(others['id'])}/cancel`, {}), { json: { data: { status: 'canceled' } } });
  const again = await settle(beta, { periodEndDate: '2026-03-18' });
  t.match(again, { periodStartDate: null, grossAmount: 60.01, netAmount: 60.01 }, 'what was canceled is settled again');

  await goTo('2026-03-23');
  await advance();
  t.match(await get(one['id']), { status: 'initiated' });
  t.match(await ask('POST', `${settlements}/${String(one['id'])}/cancel`, {}), { status: 409 }, 'the money has gone');
  await goTo('2026-03-24');
  await advance();
  t.match(await get(one['id']), { status: 'succeeded' });

  await ask('PUT', `${loan}/transactions/${second}`, { status: 'failed', failureReason: 'insufficientFunds' });
  await pay(10, '2026-03-16'); // late: effective in the period that is settled
  const two = await settle(alpha, { periodEndDate: '2026-03-23' });
  t.match(two, { periodStartDate: '2026-03-18', clawbackAmount: 30, grossAmount: 6, netAmount: -24, status: 'succeeded' });
  await goTo('2026-03-26');
  await pay(100, '2026-03-25');
  const three = await settle(alpha, { periodEndDate: '2026-03-25' });
  t.match(three, { carriedAmount: -24, grossAmount: 60, netAmount: 36, status: 'pending' });
  const none = await settle(alpha, { periodEndDate: '2026-03-25' }).catch((cause: unknown) => String(cause));
  t.match(none, /Payments through this day are settled/);
  t.match(await ask('GET', `${settlements}?investorId=ext-alpha&status=succeeded`), { json: { total: 2 } });

  await goTo('2026-03-27');
  await advance();
  t.match(await get(three['id']), { status: 'initiated' });
  const fail = (id: unknown, body: object) => ask('POST', `${settlements}/${String(id)}/fail`, body);
  t.match(await fail(three['id'], {}), { status: 400 }, 'the reason is required');
  t.match(await fail(two['id'], { failureReason: 'closed' }), { status: 409 }, 'nothing was transferred');
  t.match(await fail(three['id'], { failureReason: 'account closed' }), {
    json: { data: { status: 'failed', failureReason: 'account closed' } },
  });
  t.match(await fail(three['id'], { failureReason: 'account closed' }), { status: 409 }, 'it has failed already');
  const four = await settle(alpha, { periodEndDate: '2026-03-26' });
  t.match(
    four,
    { periodStartDate: '2026-03-24', carriedAmount: -24, grossAmount: 60, netAmount: 36 },
    'a failed transfer opens its transactions',
  );
  await h.restart();
  t.same(failures, []);
});

test('a new owner gets what is paid from its first day on, and the file goes to the server of the investor', async (t) => {
  const lender = await openSettled(t);
  const { ask, company, loan, investors, settle, advance, pay, get, goTo, h } = lender;
  const [alpha = '', beta = ''] = investors;
  const login = { username: 'tenor', password: 'a long password' };
  const server = await openSftpServer(t, login);
  const shown = await ask('PUT', `/companies/${company}/investors/${beta}`, {
    sftpSettings: { host: server.host, ...login, cdDir: '/in' },
  });
  t.match(shown, { json: { data: { sftpSettings: { host: server.host, password: '********' } } } });
  await goTo('2026-03-20');
  await ask('PUT', `${loan}/investors`, { effectiveDate: '2026-03-17', investors: [{ investorId: beta, share: 1 }] });
  await pay(100, '2026-03-16');
  await pay(100, '2026-03-17');
  t.match(await settle(alpha), { grossAmount: 60 });
  const whole = await settle(beta);
  t.match(whole, { grossAmount: 140, status: 'pending', fileDeliveredAt: null });
  server.refuses = 1;
  await goTo('2026-03-23');
  await advance();
  t.match(await get(whole['id']), { status: 'pending', fileDeliveryError: /SFTP/ });
  h.nowMs += 16 * 60_000;
  await advance();
  const sent = await get(whole['id']);
  t.match(sent, { status: 'initiated', fileDeliveryError: null, fileDeliveredAt: /^2026-03-23/ });
  const put = server.files.get(`/in/${String(sent['fileName'])}`) ?? '';
  t.equal(createHash('sha256').update(put).digest('hex'), sent['fileDigest'], 'the file is the one that was recorded');
  t.equal(server.files.size, 1);
});

test('what is charged back of a payment, and is owed again by the order of the product, comes back from its owners', async (t) => {
  const order = { interestMethod: 'periodic', chargebackOrder: ['interest', 'principal', 'fees', 'penalties'] };
  const terms = { amountFinanced: 1200, duration: 12, specificDays: [2], interestRates: [{ rate: 0.18 }] };
  const { ask, loan, investors, settle, pay, goTo } = await openSettled(t, { byInstalment: order }, terms);
  await goTo('2026-04-10');
  const payment = await pay(110.02, '2026-04-02');
  // 60 % of 92.02 principal and 18.00 interest
  t.match(await settle(investors[0] ?? '', { periodEndDate: '2026-04-02' }), { principalAmount: 55.21, interestAmount: 10.8 });
  await ask('POST', `${loan}/transactions/${payment}/chargebacks`, { amount: 50, status: 'lost' });
  // 18.00 of interest and 32.00 of principal are owed again
  t.match(await settle(investors[0] ?? ''), { principalAmount: -19.2, interestAmount: -10.8, clawbackAmount: 30, netAmount: -30 });
});

test('a settlement whose account was archived fails before money and file leave, and the next one covers its transactions', async (t) => {
  const l = await openSettled(t);
  const [alpha = ''] = l.investors;
  const instruments = `/companies/${l.company}/investors/${alpha}/settlement-instruments`;
  await l.goTo('2026-03-20');
  await l.pay(100, '2026-03-16');
  const one = await l.settle(alpha);
  t.match(one, { status: 'pending', netAmount: 60 });
  const archived = String(listOf(await l.ask('GET', instruments))[0]?.['id']);
  t.equal((await l.ask('DELETE', `${instruments}/${archived}`)).status, 204);
  await l.goTo('2026-03-23');
  await l.advance();
  t.match(await l.get(one['id']), { status: 'failed', failureReason: `The settlement instrument ${archived} is no longer active.` });
  await l.ask('POST', instruments, { ...ACCOUNT_OF_INVESTOR, accountNumber: '1122334455', isExternal: true });
  const two = await l.settle(alpha);
  t.match(two, { status: 'pending', grossAmount: 60, clawbackAmount: 0, carriedAmount: 0, netAmount: 60 });
  await l.goTo('2026-03-24');
  await l.advance();
  t.match(await l.get(two['id']), { status: 'initiated' });
});

test('what owners were paid of a loan that is canceled since comes back from them', async (t) => {
  const l = await openSettled(t);
  const [alpha = ''] = l.investors;
  await l.goTo('2026-03-20');
  await l.pay(100, '2026-03-16');
  t.match(await l.settle(alpha), { netAmount: 60, clawbackAmount: 0 });
  t.equal((await l.ask('POST', `${l.loan}/cancel?force=true`, {})).status, 200);
  await l.goTo('2026-03-24');
  await l.advance();
  const preview = await l.ask('POST', `${l.settlements}?previewMode=true`, { investorId: alpha });
  t.match(dataOf(preview), { grossAmount: 0, clawbackAmount: 60 });
  t.match(await l.settle(alpha), { grossAmount: 0, clawbackAmount: 60, transactionCount: 1 });
  await l.goTo('2026-03-26');
  await l.advance();
  t.match(await l.settle(alpha), { clawbackAmount: 0, carriedAmount: -60 }, 'once');
});

test('investors with a schedule are settled on the first business day after each period', async (t) => {
  const lender = await openSettled(t);
  const { ask, company, investors, advance, pay, goTo, settlements } = lender;
  const [alpha = '', beta = ''] = investors;
  await ask('PUT', `/companies/${company}/investors/${alpha}`, { settlementFrequency: 'weekly' });
  await ask('PUT', `/companies/${company}/investors/${beta}`, { settlementFrequency: 'monthly' });
  const of = async (investorId: string): Promise<readonly Data[]> => listOf(await ask('GET', `${settlements}?investorId=${investorId}`));
  await goTo('2026-03-20');
  await pay(100, '2026-03-16');
  await advance();
  t.match(await of(alpha), [{ periodEndDate: '2026-03-15', grossAmount: 0, status: 'succeeded' }]);
  t.match(await of(beta), [{ periodEndDate: '2026-02-28' }]);
  await goTo('2026-03-22');
  await advance();
  t.equal((await of(alpha)).length, 1, 'Sunday is no business day, and its week is not over');
  await goTo('2026-03-23');
  await advance();
  await advance();
  t.match(await of(alpha), [{ periodStartDate: '2026-03-16', periodEndDate: '2026-03-22', grossAmount: 60 }, {}]);
  await goTo('2026-04-01');
  await advance();
  await advance();
  t.match(await of(beta), [{ periodEndDate: '2026-03-31', grossAmount: 40 }, {}]);
});

test('payments of a loan that was made without investors are not settled before a share is sold', async (t) => {
  const { ask, active, investors, settle, goTo } = await openSettled(t);
  const [alpha = ''] = investors;
  const sold = await active({ externalId: 'sold', atOrigination: SMALL });
  await goTo('2026-03-12');
  await ask('PUT', `${sold}/investors`, { effectiveDate: '2026-03-10', investors: [{ investorId: alpha, share: 1 }] });
  for (const effectiveDate of ['2026-03-09', '2026-03-10'])
    await ask('POST', `${sold}/transactions`, { type: 'oneTime', amount: 40, isExternal: true, status: 'succeeded', effectiveDate });
  t.match(await settle(alpha), { grossAmount: 40, transactionCount: 1 });
});
