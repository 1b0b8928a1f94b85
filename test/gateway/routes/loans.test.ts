import { type Test, test } from 'tap';
import { ANN, HOME } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { lineBody } from './line-over-http.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from './http-lender.js';

interface LoansOverHttp extends HttpLender {
  readonly loanTypeId: string;
  /** `/people/…/loans` */
  readonly path: string;
}

async function openLoans(t: Test): Promise<LoansOverHttp> {
  const lender = await openHttpLender(t);
  const { id: loanTypeId } = await lender.h.data('loanType.create', lender.company, { type: 'installment', name: 'Personal loan' });
  await lender.ask('POST', '/people', ANN);
  return { ...lender, loanTypeId, path: '/people/ext-ann-1/loans' };
}

test('a loan goes from application to an active ledger over HTTP', async (t) => {
  const { ask, path, loanTypeId, failures } = await openLoans(t);
  const created = await ask('POST', `${path}?validate=false`, loanBody(loanTypeId, { status: 'pending', externalId: 'kitchen' } as object));
  t.match(created, { status: 200, json: { status: 200, message: 'OK', data: { id: /^LN-/, status: 'pending', displayId: 'kitchen' } } });
  t.ok(created.text.includes('"amountFinanced":10000.00'), 'amounts carry two decimals');
  const loan = `${path}/ext-kitchen`;
  t.match(await ask('PUT', loan, { status: 'originated', metadata: { branch: 'north' } }), {
    status: 200,
    json: { data: { status: 'originated', metaData: { branch: 'north' } } },
  });
  const preview = await ask('POST', `${loan}/activate`, { previewMode: true });
  t.equal(dataOf(preview)['operationId'], undefined);
  t.match(await ask('GET', loan), { json: { data: { status: 'originated' } } });
  const activated = await ask('POST', `${loan}/activate?sync=true`);
  t.match(activated, {
    status: 200,
    json: {
      data: {
        operationId: /^[0-9a-f]{32}$/,
        schedule: [{ date: '2026-03-15', amount: 299.06 }],
        amountsValidation: { principalMatch: true },
      },
    },
  });
  t.match(await ask('GET', `/operations/${String(dataOf(activated)['operationId'])}`), {
    status: 200,
    json: { data: { status: 'succeeded' } },
  });
  t.match(await ask('POST', `${loan}/activate`, {}), { status: 409, json: { errorType: 'invalidState' } });
  for (const part of [
    'lock-status',
    'payoff',
    'activity',
    'status-history',
    'periods',
    'obligations',
    'balances',
    'balances/history',
    'interest',
    'fees',
    'rates',
    'rates/details',
  ]) {
    t.equal((await ask('GET', `${loan}/${part}`)).status, 200, part);
  }
  t.match(await ask('GET', `${loan}/expected-payments`), {
    json: { count: 36, data: { paymentFrequency: 'monthly', specificDays: ['15'] } },
  });
  const [period] = listOf(await ask('GET', `${loan}/periods?dueDate=2026-04-15`));
  t.match(await ask('GET', `${loan}/periods/${String(period?.['id'])}`), {
    json: { data: { object: 'loanPeriod', dueDate: '2026-04-15', statementDate: '2026-04-15' } },
  });
  t.match(await ask('GET', `${loan}/periods?fromDate=2026-04-01`), { status: 400, json: { errors: [{ path: 'toDate' }] } });
  t.same(failures, []);
});

test('a declined loan or draw has a reason, and another type is refused', async (t) => {
  const { ask, path, loanTypeId, h, company, failures } = await openLoans(t);
  const body = (more: object): object => loanBody(loanTypeId, more);
  const declineReason = { mainExternalReasonCode: '12', mainText: 'Income', subReasons: [{ reasonText: 'too low' }] };
  const missing = { status: 400, json: { errorType: 'validationError', errors: [{ path: 'declineReason' }] } };
  t.match(await ask('POST', path, body({ status: 'declined' })), missing);
  t.match(await ask('POST', path, body({ status: 'declined', declineReason })), {
    status: 200,
    json: { data: { status: 'declined', declineReason } },
  });
  const loan = `${path}/${idOf(await ask('POST', path, body({ status: 'pending' })))}`;
  t.match(await ask('PUT', loan, { status: 'declined' }), missing);
  t.match(await ask('PUT', loan, { type: 'lineOfCredit' }), { status: 400, json: { errors: [{ path: 'type' }] } });
  t.match(await ask('PUT', loan, { declineReason }), { status: 200 });
  t.match(await ask('PUT', loan, { status: 'declined' }), { status: 200, json: { data: { status: 'declined', declineReason } } });
  t.match(await ask('PUT', loan, { declineReason: null }), missing);
  t.match(await ask('PUT', loan, { declineReason: { mainText: 'Income and age of the file' } }), { status: 200 });
  const { id: lineTypeId } = await h.data('loanType.create', company, { type: 'lineOfCredit', name: 'Card' });
  const draws = `${path}/${idOf(await ask('POST', path, lineBody(lineTypeId)))}/draws`;
  t.match(await ask('POST', draws, { status: 'declined' }), missing);
  const draw = `${draws}/${idOf(await ask('POST', draws, { status: 'pending' }))}`;
  t.match(await ask('PUT', draw, { status: 'declined' }), missing);
  t.match(await ask('PUT', draw, { status: 'declined', declineReason }), {
    status: 200,
    json: { data: { status: 'declined', declineReason } },
  });
  t.same(failures, []);
});

test('lists page by cursor in both directions and refuse unknown parameters', async (t) => {
  const { ask, path, loanTypeId } = await openLoans(t);
  const ids = [];
  for (const externalId of ['a', 'b', 'c']) ids.unshift(idOf(await ask('POST', path, loanBody(loanTypeId, { externalId }))));
  const first = await ask('GET', '/loans?limit=2');
  t.match(first.json, { count: 2, total: 3, previousUrl: null });
  t.same(
    listOf(first).map((loan) => loan['id']),
    ids.slice(0, 2),
  );
  const next = new URL(String(first.json['nextUrl']));
  t.same(
    listOf(await ask('GET', `${next.pathname.replace('/api', '')}${next.search}`)).map((loan) => loan['id']),
    ids.slice(2),
  );
  t.match(await ask('GET', '/loans?fields=idsOnly&statuses=originated,active&sortBy=[createdAt]'), {
    json: { data: [{ externalId: 'a' }, {}, {}] },
  });
  t.match(await ask('GET', `${path}?status=active`), { status: 200, json: { count: 0, data: [] } });
  const managed = async (value: string): Promise<unknown> => (await ask('GET', `/loans?managedByService=${value}`)).json['total'];
  t.same([await managed('null'), await managed('false'), await managed('true')], [3, 3, 0], 'null filters nothing');
  t.match(await ask('GET', '/loans?managedByService=perhaps'), { status: 400, json: { errors: [{ path: 'managedByService' }] } });
  t.match(await ask('GET', '/loans?statuses=lost'), { status: 400, json: { errors: [{ path: 'statuses' }] } });
  t.match(await ask('GET', '/loans?sortBy=color'), { status: 400, json: { errors: [{ path: 'sortBy' }] } });
  t.match(await ask('GET', '/loans?limit=0'), { status: 400 });
  t.match(await ask('GET', '/people/ext-nobody/loans'), { status: 404 });
  t.match(await ask('GET', `${path}/LN-AAAA-AAAA`), { status: 404 });
});

test('a loan of another borrower is not found under this one', async (t) => {
  const { ask, path, loanTypeId } = await openLoans(t);
  const id = idOf(await ask('POST', path, loanBody(loanTypeId)));
  const other = idOf(await ask('POST', '/people', { ...ANN, externalId: 'bea', identity: { identityType: 'SSN', value: '219-09-9998' } }));
  t.match(await ask('GET', `/people/${other}/loans/${id}`), { status: 404 });
  t.match(await ask('POST', `/people/${other}/loans/${id}/activate`, {}), { status: 404 });
});

test('amounts and rates beyond what a loan may carry are refused by name', async (t) => {
  const { ask, path, loanTypeId, failures } = await openLoans(t);
  const wrong = await ask(
    'POST',
    path,
    loanBody(loanTypeId, { atOrigination: { amountFinanced: 10_000_000_000, interestRates: [{ rate: 1000 }], duration: 0 } }),
  );
  t.equal(wrong.status, 400);
  t.same((wrong.json['errors'] as { path: string }[]).map((error) => error.path).sort(), [
    'atOrigination.amountFinanced',
    'atOrigination.duration',
    'atOrigination.interestRates[0].rate',
  ]);
  const extreme = { amountFinanced: 999_999_999.99, interestRates: [{ rate: 99.99999999 }], duration: 1566, bufferToPushOutSchedule: 3660 };
  t.ok([200, 422].includes((await ask('POST', path, loanBody(loanTypeId, { atOrigination: extreme }))).status));
  const compounding = await ask('POST', path, loanBody(loanTypeId, { atOrigination: { ...extreme, enforcedEndDate: '2026-03-02' } }));
  t.match(compounding, { status: 422 });
  t.same(failures, []);
});

test('a loan that names its date of activation is created for migration', async (t) => {
  const { ask, path, loanTypeId } = await openLoans(t);
  const body = (migration: object | null): object => loanBody(loanTypeId, { migration } as object);
  t.match(await ask('POST', path, body({ migrationStatus: 'prepMigration' })), {
    status: 400,
    json: { errors: [{ path: 'migration.activatedDate' }] },
  });
  t.match(await ask('POST', path, body({ activatedDate: '2025-01-15' })), {
    status: 200,
    json: { data: { migrationStatus: 'prepMigration' } },
  });
  for (const migration of [null, { migrationStatus: 'nonMigrated' }]) {
    t.match(await ask('POST', path, body(migration)), { status: 200, json: { data: { migrationStatus: 'nonMigrated' } } });
  }
});

test('a loan shows its end before activation when its schedule was given', async (t) => {
  const { ask, path, loanTypeId } = await openLoans(t);
  const dynamicFeeDetails = {
    chargeDate: '2026-04-15',
    chargeTimeOfDay: { hour: 9, minute: 0, second: 0 },
    dynamicFeeTypeId: 'FT-AAAA-AAAA',
  };
  const given = [
    { date: '2026-04-15', amount: 5100, dynamicFeeDetails },
    { date: '2026-05-15', amount: 5100 },
  ];
  t.match(dataOf(await ask('POST', path, loanBody(loanTypeId))), { endDate: null });
  const created = dataOf(await ask('POST', path, loanBody(loanTypeId, { atOrigination: { expectedPayments: given, duration: 2 } })));
  t.match(created, { endDate: '2026-05-15', atOrigination: { expectedPayments: [{ dynamicFeeDetails }, { dynamicFeeDetails: null }] } });
  const again = { atOrigination: created['atOrigination'] as object };
  t.equal((await ask('PUT', `${path}/${String(created['id'])}`, again)).status, 200, 'sent back as it was read');
});

test('the calculator and the preview need no loan to change', async (t) => {
  const { ask, path, loanTypeId } = await openLoans(t);
  const calculated = await ask('POST', '/utilities/amortize', {
    loanTypeId,
    amountFinanced: 1200,
    duration: 12,
    paymentFrequency: 'monthly',
    specificDays: ['15'],
    startDate: '2024-01-20',
    interestRates: [{ rate: 0.18 }],
  });
  t.match(calculated, {
    status: 200,
    json: { data: { periodicPaymentAmount: 109.76, totalInterestAmount: 117.04, schedule: [{ interestAmount: 15.39 }] } },
  });
  const id = idOf(await ask('POST', path, loanBody(loanTypeId)));
  t.match(await ask('POST', `${path}/${id}/schedule-preview`, { duration: 24 }), {
    status: 200,
    json: { data: { schedule: { length: 24 } } },
  });
  t.match(await ask('POST', `${path}/${id}/validate`), { status: 200, json: { data: { issues: [] } } });
});

test('the address at origination may be a contact of the borrower, and stays as it was', async (t) => {
  const { ask, path, loanTypeId } = await openLoans(t);
  const contactId = idOf(await ask('POST', '/people/ext-ann-1/contacts', HOME));
  const body = loanBody(loanTypeId, { atOrigination: { personAddress: null, personAddressId: contactId } });
  const created = await ask('POST', path, body);
  t.match(created, {
    status: 200,
    json: { data: { atOrigination: { personAddressId: contactId, validAddress: true, personAddress: { city: 'Albany', state: 'NY' } } } },
  });
  await ask('PUT', `/people/ext-ann-1/contacts/${contactId}`, { address: { ...HOME.address, city: 'Troy' } });
  t.match(await ask('GET', `${path}/${idOf(created)}`), { json: { data: { atOrigination: { personAddress: { city: 'Albany' } } } } });
  await ask('PUT', `/people/ext-ann-1/contacts/${contactId}`, { valid: false });
  t.match(await ask('GET', `${path}/${idOf(created)}`), { json: { data: { atOrigination: { validAddress: true } } } }, 'as it was then');
  t.match(await ask('POST', path, body), { json: { data: { atOrigination: { validAddress: false } } } });
  t.match(
    await ask('POST', path, loanBody(loanTypeId)),
    { json: { data: { atOrigination: { validAddress: null } } } },
    'nobody has verified it',
  );
  const unknown = await ask('POST', path, loanBody(loanTypeId, { atOrigination: { personAddressId: 'CT-AAAA-AAAA' } }));
  t.match(unknown, { status: 422, json: { errors: [{ path: 'atOrigination.personAddressId' }] } });
});

test('the merchant discount may come as the array of an older client', async (t) => {
  const { ask, path, loanTypeId } = await openLoans(t);
  const mdr = { mdrRate: 0.025, mdrAmount: 12.5, amortizationPeriod: 3, isAmortized: true };
  for (const sent of [mdr, [mdr]]) {
    t.match(await ask('POST', path, loanBody(loanTypeId, { atOrigination: { mdr: sent } })), {
      status: 200,
      json: { data: { atOrigination: { mdr } } },
    });
  }
  const wrong = await ask('POST', path, loanBody(loanTypeId, { atOrigination: { mdr: [{ mdrRate: 'much' }] } }));
  t.match(wrong, { status: 400, json: { errors: [{ path: /mdr/ }] } });
});

test('a date that an action refuses is named as the body names it', async (t) => {
  const { ask, path, loanTypeId } = await openLoans(t);
  const loan = `${path}/${idOf(await ask('POST', path, loanBody(loanTypeId)))}`;
  await ask('POST', `${loan}/activate`, {});
  t.match(await ask('POST', `${loan}/replay`, { fromDate: '2026-01-01' }), { status: 422, json: { errors: [{ path: 'fromDate' }] } });
  t.match(await ask('POST', `${loan}/accelerate`, { effectiveDate: '2026-12-01' }), {
    status: 422,
    json: { errors: [{ path: 'effectiveDate' }] },
  });
  const refund = { refundAmount: 10, atFaultParty: 'merchant', refundDate: '2026-12-01' };
  t.match(await ask('POST', `${loan}/refunds`, refund), { status: 422, json: { errors: [{ path: 'refundDate' }] } });
});

test('a loan is canceled without a reason, and a preview of a refresh changes nothing', async (t) => {
  const { ask, path, loanTypeId } = await openLoans(t);
  const loan = `${path}/${idOf(await ask('POST', path, loanBody(loanTypeId)))}`;
  t.match(await ask('POST', `${loan}/cancel`, {}), { status: 200, json: { message: /is canceled/ } });
  t.match(await ask('GET', loan), { json: { data: { status: 'canceled', cancellationReason: null } } });
  t.match(await ask('POST', `${path}/${idOf(await ask('POST', path, loanBody(loanTypeId)))}/cancel`, { cancellationReason: 'boredom' }), {
    status: 400,
  });
  const active = `${path}/${idOf(await ask('POST', path, loanBody(loanTypeId)))}`;
  await ask('POST', `${active}/activate`, {});
  const preview = await ask('POST', `${active}/refresh`, { previewMode: true });
  t.match(preview, { status: 200, json: { data: { status: 'active' } } });
  t.equal(dataOf(preview)['operationId'], undefined);
  t.match(await ask('POST', `${active}/refresh`), { status: 200, json: { data: { operationId: /./ } } });
});
