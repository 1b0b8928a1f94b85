import { test } from 'tap';
import type { HttpAnswer } from '../harness.js';
import { dataOf, idOf, listOf, newCase } from './http-lender.js';
import { openLoanOverHttp, SMALL, withoutNames } from './loan-over-http.js';

type Row = Readonly<Record<string, unknown>>;

/** 400.00 of 1,200.00 are paid out at activation. */
const PRODUCT = { structure: { allowMultipleAdvances: true } };
const TERMS = { ...SMALL, principalAmount: 400 };

const rowsOf = (answer: HttpAnswer): readonly Row[] => dataOf(answer)['schedule'] as readonly Row[];
const principal = (amount: number): object => ({ json: { data: { outstandingBalances: { outstandingPrincipalAmount: amount } } } });

test('a settled advance raises principal from its time, today or before, as its preview has shown', async (t) => {
  const { ask, loan, emitted, goTo, failures } = await openLoanOverHttp(t, PRODUCT, TERMS);
  const caseId = await newCase({ ask });
  const advances = `${loan}/advances`;
  t.match(await ask('GET', advances), { status: 200, json: { count: 0, data: [] } });
  await goTo('2026-04-20');
  const body = {
    amount: 300,
    externalId: 'adv-1',
    caseId,
    sendNotice: false,
    metadata: { purpose: 'roof' },
    advanceDetails: { description: 'roof', pointOfSaleType: 'physical', merchantName: 'Roofers' },
  };
  const before = [await ask('GET', `${loan}/expected-payments`), await ask('GET', `${loan}/balances`)];
  const shown = await ask('POST', `${advances}/preview`, body);
  const preview = await ask('POST', advances, { ...body, previewMode: true });
  const after = [await ask('GET', `${loan}/expected-payments`), await ask('GET', `${loan}/balances`)];
  t.same(
    after.map(({ text }) => text),
    before.map(({ text }) => text),
    'previews change nothing',
  );
  const made = await ask('POST', `${advances}?sync=true`, body);
  t.strictSame(withoutNames(made.json), withoutNames(preview.json));
  t.match(made, {
    status: 200,
    json: {
      data: {
        id: /^LA-/,
        externalId: 'adv-1',
        status: 'settled',
        amount: 300,
        originalAmount: 300,
        advanceDate: '2026-04-20',
        metadata: { purpose: 'roof' },
        advanceDetails: { merchantName: 'Roofers', pointOfSaleType: 'physical' },
        timestamps: { createdAt: /^2026/, settledAt: /^2026/, canceledAt: null },
      },
    },
  });
  t.strictSame(rowsOf(shown), rowsOf(await ask('GET', `${loan}/expected-payments`)), 'the schedule is the one that was previewed');
  t.equal(rowsOf(shown).at(-1)?.['date'], '2027-02-15', 'the end date stays');
  t.match(await ask('GET', `${loan}/balances`), principal(700));
  t.match(await emitted('advance.statuschanged'), [{ advanceId: idOf(made), oldStatus: null, newStatus: 'settled' }]);
  const past = await ask('POST', advances, {
    amount: 100,
    advanceDate: '2026-03-05',
    advanceTimeOfDay: { hour: 10, minute: 0, second: 0 },
  });
  t.match(past, { json: { data: { advanceDate: '2026-03-05', advanceTimeOfDay: { hour: 10 } } } });
  t.match(await ask('GET', `${loan}/balances?toEffectiveDate=2026-03-06`), principal(500), 'a past one replays');
  const canceled = await ask('POST', `${advances}/ext-adv-1/cancel`, {});
  t.match(canceled, { json: { data: { status: 'canceled', timestamps: { canceledAt: /^2026/ } } } });
  t.match(await ask('GET', `${loan}/balances`), principal(500));
  t.match(await ask('POST', `${advances}/ext-adv-1/cancel`, {}), { status: 409 });
  t.match(await ask('GET', `${advances}?statuses=settled`), { json: { total: 1, data: [{ id: idOf(past) }] } });
  t.same(failures, []);
});

test('a planned advance moves from scheduled over pending to settled, and is canceled the day after its day', async (t) => {
  const { ask, loan, emitted, goTo } = await openLoanOverHttp(t, PRODUCT, TERMS);
  const advances = `${loan}/advances`;
  const plan = async (advanceDate: string): Promise<string> =>
    `${advances}/${idOf(await ask('POST', advances, { status: 'scheduled', amount: 100, advanceDate }))}`;
  const [first, second] = [await plan('2026-03-20'), await plan('2026-03-25')];
  t.match(await ask('PUT', first, { amount: 150, metadata: { a: 'b' } }), {
    json: { data: { amount: 150, originalAmount: 100, metadata: { a: 'b' } } },
  });
  t.match(await emitted('advance.updated'), [{ changes: [{ field: 'amount', newValue: 150 }] }]);
  t.match(await ask('PUT', first, { status: 'scheduled' }), { status: 200 }, 'as it is');
  t.match(await ask('PUT', first, { status: 'pending' }), { json: { data: { status: 'pending' } } });
  t.match(await ask('PUT', first, { status: 'scheduled' }), { status: 400, json: { errors: [{ path: 'status' }] } });
  await goTo('2026-03-20');
  t.match(await ask('GET', `${loan}/balances`), principal(400), 'pending money raises nothing');
  const preview = await ask('PUT', first, { status: 'settled', previewMode: true });
  const settled = await ask('PUT', first, { status: 'settled' });
  t.strictSame(withoutNames(settled.json), withoutNames(preview.json));
  t.match(await ask('GET', `${loan}/balances`), principal(550));
  t.match(await ask('PUT', first, { amount: 5 }), { status: 409 });
  t.match(await ask('PUT', first, { status: 'pending' }), { status: 409 });
  await goTo('2026-03-25');
  t.match(await ask('GET', second), { json: { data: { status: 'scheduled' } } });
  await goTo('2026-03-26');
  t.match(await ask('GET', second), { json: { data: { status: 'canceled' } } });
  t.same(
    (await emitted('advance.statuschanged')).map((data) => data['newStatus']),
    ['scheduled', 'scheduled', 'pending', 'settled', 'canceled'],
  );
});

test('the schedule of advances is replaced as a whole', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t, PRODUCT, {
    ...SMALL,
    advanceSchedule: [
      { advanceDate: '2026-03-02', amount: 400 },
      { advanceDate: '2026-04-20', amount: 800, externalId: 'second' },
    ],
  });
  t.match(await ask('GET', `${loan}/balances`), principal(400));
  const rows = [
    { advanceDate: '2026-04-05', amount: 200 },
    { advanceDate: '2026-05-05', amount: 600, externalId: 'third' },
  ];
  const preview = await ask('PUT', `${loan}/advance-schedule`, { advanceSchedule: rows, previewMode: true });
  t.match(await ask('GET', `${loan}/advances?statuses=scheduled`), { json: { total: 1, data: [{ externalId: 'second' }] } });
  const replaced = await ask('PUT', `${loan}/advance-schedule`, { advanceSchedule: rows });
  t.match(replaced, {
    status: 200,
    json: {
      data: [
        { amount: 200, advanceDate: '2026-04-05' },
        { amount: 600, externalId: 'third' },
      ],
    },
  });
  t.strictSame(withoutNames(listOf(replaced)), withoutNames(listOf(preview)));
  t.match(await ask('GET', `${loan}/advances?statuses=scheduled,canceled`), { json: { total: 3 } });
  t.match(await ask('PUT', `${loan}/advance-schedule`, { advanceSchedule: [{ advanceDate: '2026-04-05', amount: 800.01 }] }), {
    status: 422,
  });
  t.match(await ask('PUT', `${loan}/advance-schedule`, { advanceSchedule: [{ amount: 1 }] }), {
    status: 400,
    json: { errors: [{ path: 'advanceSchedule[0].advanceDate' }] },
  });
});

test('each invalid advance is refused with its status code', async (t) => {
  const { ask, askWith, loan, created, loanTypeId, company, h, failures } = await openLoanOverHttp(t, PRODUCT, TERMS);
  const advances = `${loan}/advances`;
  for (const [body, status, path] of [
    [{}, 400, 'amount'],
    [{ amount: 0 }, 400, 'amount'],
    [{ amount: 1.001 }, 400, 'amount'],
    [{ amount: 1, status: 'canceled' }, 400, 'status'],
    [{ amount: 1, status: 'scheduled' }, 400, 'advanceDate'],
    [{ amount: 1, advanceDate: '2026-13-01' }, 400, 'advanceDate'],
    [{ amount: 1, externalId: 'x'.repeat(51) }, 400, 'externalId'],
    [{ amount: 1, advanceDate: '2026-03-03' }, 422, 'advanceDate'],
    [{ amount: 1, advanceDate: '2026-03-01' }, 422, 'advanceDate'],
    [{ amount: 1, status: 'scheduled', advanceDate: '2026-03-02' }, 422, 'advanceDate'],
    [{ amount: 800.01 }, 422, 'amount'],
  ] as const) {
    for (const to of [advances, `${advances}/preview`]) {
      t.match(await ask('POST', to, body), { status, json: { errors: [{ path }] } }, `${to} ${JSON.stringify(body)}`);
    }
  }
  t.match(await ask('POST', advances, { amount: 5, externalId: 'twice' }), { status: 200 });
  t.match(await ask('POST', advances, { amount: 5, externalId: 'twice' }), { status: 409, json: { errorType: 'duplicate' } });
  t.match(await ask('GET', `${advances}/LA-AAAA-AAAA`), { status: 404 });
  t.match(await ask('PUT', `${advances}/ext-none`, {}), { status: 404 });
  const pending = await created();
  t.match(await ask('POST', `${pending}/advances`, { amount: 5 }), { status: 409 });
  t.match(
    await ask('POST', `${pending}/advances`, { amount: 5, status: 'scheduled', advanceDate: '2026-05-01' }),
    { status: 200 },
    'planned before activation',
  );
  for (const [permission, method, path, body] of [
    ['loan.advance:create', 'POST', advances, { amount: 1 }],
    ['loan.advance:read', 'GET', advances, undefined],
    ['loan.advance:read', 'POST', `${advances}/preview`, { amount: 1 }],
    ['loan.advance:update', 'PUT', `${advances}/ext-twice`, {}],
    ['loan.advance:update', 'PUT', `${loan}/advance-schedule`, { advanceSchedule: [] }],
    ['loan.advance:cancel', 'POST', `${advances}/ext-twice/cancel`, {}],
  ] as const) {
    const others = ['loan.advance:create', 'loan.advance:read', 'loan.advance:update', 'loan.advance:cancel'].filter(
      (other) => other !== permission,
    );
    t.equal((await askWith(others, method, path, body)).status, 403, `${method} ${path}`);
    t.equal((await askWith([permission], method, path, body)).status, 200, `${method} ${path} with ${permission}`);
  }
  t.match(await ask('POST', `${loan}/close`, { closeReasonDescription: 'no more' }), { status: 200 });
  t.match(await ask('POST', advances, { amount: 5 }), { status: 409 }, 'a closed loan takes no more');
  const { id: plain } = await h.data('loanType.create', company, { type: 'installment', name: 'Plain loan' });
  t.not(plain, loanTypeId);
  const single = await created({ loanTypeId: plain });
  await ask('POST', `${single}/activate`, {});
  t.match(await ask('POST', `${single}/advances`, { amount: 5 }), { status: 409 }, 'a product of one advance');
  t.same(failures, []);
});
