import { test } from 'tap';
import { apiKeyAuthenticator, keyDirectory, RESOURCE_ROUTES } from '../../gateway/index.js';
import { ask as askPort, gatewayFor } from './harness.js';
import { dataOf, idOf, listOf } from './routes/http-lender.js';
import { openLoanOverHttp, SMALL } from './routes/loan-over-http.js';

// Known mistakes of ledgers, provoked over HTTP. Their computation is tested with the engine.

type Row = Readonly<Record<string, unknown>>;

const PAYMENT = { type: 'oneTime', amount: 109.76, isExternal: true, status: 'succeeded' };

test('trap 10, a retried payment booked twice: tries at the same moment are one payment, and the key covers the amount', async (t) => {
  const { ask, loan, keys, h, failures } = await openLoanOverHttp(t);
  const path = `${loan}/transactions`;
  const once = { headers: { 'Idempotency-Key': 'march' } };
  const tries = await Promise.all(Array.from({ length: 24 }, () => ask('POST', path, PAYMENT, once)));
  for (const { status, json } of tries)
    t.ok(status === 201 || (status === 409 && json['errorType'] === 'idempotencyInProgress'), String(status));
  t.ok(tries.some(({ status }) => status === 201));
  t.match(await ask('GET', path), { json: { total: 1 } });
  const again = await ask('POST', path, PAYMENT, once);
  t.match(again, { status: 201, headers: { 'idempotent-replayed': 'true' } });
  for (const { status, json } of tries) if (status === 201) t.equal((json['data'] as Row)['id'], idOf(again));

  t.match(await ask('POST', path, { ...PAYMENT, amount: 109.77 }, once), { status: 409, json: { errorType: 'idempotencyConflict' } });
  t.match(await ask('POST', path, { ...PAYMENT, effectiveDate: '2026-03-02' }, once), { status: 409 });
  const rewritten = '{ "status": "succeeded", "isExternal": true, "amount": 109.760, "type": "oneTime" }';
  t.match(
    await ask('POST', path, undefined, { body: rewritten, ...once, headers: { ...once.headers, 'Content-Type': 'application/json' } }),
    { status: 201, headers: { 'idempotent-replayed': 'true' } },
    'the same amount, written otherwise',
  );

  const race = { headers: { 'Idempotency-Key': 'april' } };
  const racers = await Promise.all(
    Array.from({ length: 24 }, (_, cents) => ask('POST', path, { ...PAYMENT, amount: (100 + cents) / 100 }, race)),
  );
  const booked = racers.filter(({ status }) => status === 201);
  t.equal(booked.length, 1, 'of several amounts under one key one is booked');
  t.same([...new Set(racers.map(({ status }) => status))].sort(), [201, 409]);
  t.match(await ask('GET', path), { json: { total: 2 } });
  const { outstandingBalances } = dataOf(await ask('GET', `${loan}/balances`)) as { readonly outstandingBalances: Row };
  const [first] = booked;
  const paid = 109.76 + Number(first === undefined ? 0 : dataOf(first)['actualAmount']);
  t.equal(Math.round(100 * (Number(outstandingBalances['outstandingPrincipalAmount']) + paid)), 120_000);

  await h.restart();
  const { gateway } = await gatewayFor(t, {
    routes: RESOURCE_ROUTES,
    engine: h.engine,
    authenticator: apiKeyAuthenticator(keyDirectory(h.engine)),
  });
  t.teardown(() => h.engine.close());
  const question = { method: 'POST', key: keys.test, ...once };
  t.match(await askPort(gateway.port, `/api${path}`, { ...question, body: PAYMENT }), {
    status: 201,
    headers: { 'idempotent-replayed': 'true' },
    json: { data: { id: idOf(again) } },
  });
  t.match(
    await askPort(gateway.port, `/api${path}`, { ...question, body: { ...PAYMENT, amount: 1 } }),
    { status: 409 },
    'also in a later process',
  );
  t.same(failures, []);
});

test('trap 10, a retried payment booked twice: without a key the external id identifies it', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const tries = await Promise.all(
    Array.from({ length: 8 }, () => ask('POST', `${loan}/transactions`, { ...PAYMENT, externalId: 'check-7' })),
  );
  t.same(tries.map(({ status }) => status).sort(), [201, ...Array<number>(7).fill(409)]);
  t.match(await ask('GET', `${loan}/transactions`), { json: { total: 1 } });
});

test('trap 1, month-end drift: a loan that is due on the 31st is due on the 31st after February, whatever moved meanwhile', async (t) => {
  const { ask, active } = await openLoanOverHttp(t);
  const loan = await active({ atOrigination: { ...SMALL, specificDays: [31] } });
  const dates = async (): Promise<readonly unknown[]> =>
    (dataOf(await ask('GET', `${loan}/expected-payments`))['schedule'] as readonly Row[]).map((row) => row['date']);
  const ends = [
    '2026-03-31',
    '2026-04-30',
    '2026-05-31',
    '2026-06-30',
    '2026-07-31',
    '2026-08-31',
    '2026-09-30',
    '2026-10-31',
    '2026-11-30',
    '2026-12-31',
    '2027-01-31',
    '2027-02-28',
  ];
  t.same(await dates(), ends);
  await ask('PUT', `${loan}/expected-payments/defer-due-date`, { existingDueDate: '2026-05-31' });
  t.same(await dates(), [...ends, '2027-03-31'], 'the date after February is the 31st again');
  await ask('POST', `${loan}/change-loan-terms`, { selectedDueDate: '2026-06-30', numberOfPeriods: 12, isExtendLoanDuration: true });
  t.same((await dates()).slice(-3), ['2027-03-31', '2027-04-30', '2027-05-31']);
});

test('trap 4, one backdated payment: interest is there once for each day, however often the payment is moved', async (t) => {
  const { ask, loan, active, goTo } = await openLoanOverHttp(t);
  const plain = await active();
  await ask('POST', `${plain}/transactions`, PAYMENT);
  await goTo('2026-05-20');
  const made = await ask('POST', `${loan}/transactions`, { ...PAYMENT, effectiveDate: '2026-04-20' });
  for (const effectiveDate of ['2026-04-02', '2026-03-20', '2026-03-02']) {
    t.match(await ask('POST', `${loan}/transactions/${idOf(made)}/backdate`, { effectiveDate }), { status: 200 });
  }
  const shown = async (of: string, part: string): Promise<unknown> => {
    const { updatedAt: _updatedAt, ...data } = dataOf(await ask('GET', `${of}/${part}`));
    return JSON.parse(
      JSON.stringify(data, (key, value: unknown) =>
        key === 'id' || key === 'loanId' || key === 'periodId' || key.endsWith('At') ? undefined : value,
      ),
    );
  };
  for (const part of ['balances', 'obligations', 'interest?fromEffectiveDate=2026-03-02&toEffectiveDate=2026-05-19']) {
    t.strictSame(await shown(loan, part), await shown(plain, part), part);
  }
});

test('trap 7, several disbursements out of order: the loan is the one that they were recorded for in order', async (t) => {
  const { ask, active, goTo } = await openLoanOverHttp(
    t,
    { structure: { allowMultipleAdvances: true } },
    { ...SMALL, principalAmount: 400 },
  );
  const [inOrder, mixed] = [await active(), await active()];
  await goTo('2026-03-14');
  const advances = [
    { amount: 100, advanceDate: '2026-03-04' },
    { amount: 250, advanceDate: '2026-03-07' },
    { amount: 50, advanceDate: '2026-03-11' },
  ];
  for (const body of advances) t.equal((await ask('POST', `${inOrder}/advances`, body)).status, 200);
  const [first, second, third] = advances;
  const ids: string[] = [];
  for (const body of [third, first, second]) ids.push(idOf(await ask('POST', `${mixed}/advances`, body)));
  const schedule = async (of: string): Promise<unknown> =>
    (dataOf(await ask('GET', `${of}/expected-payments`))['schedule'] as readonly Row[]).map(({ periodId: _periodId, ...row }) => row);
  t.strictSame(await schedule(mixed), await schedule(inOrder));
  const outstanding = async (of: string): Promise<unknown> => dataOf(await ask('GET', `${of}/balances`))['outstandingBalances'];
  t.strictSame(await outstanding(mixed), await outstanding(inOrder));
  await ask('POST', `${mixed}/advances/${ids[0] ?? ''}/cancel`, {});
  await ask('POST', `${mixed}/advances`, third);
  t.strictSame(await schedule(mixed), await schedule(inOrder), 'taken back and paid out again');
  await goTo('2027-03-01');
  t.match(await ask('POST', `${mixed}/advances`, { amount: 100 }), { status: 200 }, 'past maturity it is owed, too');
  t.match(await outstanding(mixed), { outstandingPrincipalAmount: 900 });
  t.equal(listOf(await ask('GET', `${mixed}/advances?statuses=settled`)).length, 4);
});
