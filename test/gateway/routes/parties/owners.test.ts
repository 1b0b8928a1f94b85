import { test } from 'tap';
import { ANN } from '../../../actors/borrower/lender.js';
import { loanBody } from '../../../actors/loan/setting.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from '../loan-over-http.js';

const ADDRESS = { addressLine1: '1 Wall Street', city: 'New York', state: 'NY', postalCode: '10005' };

const investor = async ({ ask, company }: LoanOverHttp, legalName: string, more: object = {}): Promise<string> =>
  idOf(await ask('POST', `/companies/${company}/investors`, { legalName, ...more }));

test('investors are kept with their address, one of them as the default, and archived when they own nothing', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, company, created } = lender;
  const path = `/companies/${company}/investors`;
  const body = { legalName: 'First Fund', externalId: 'first', address: ADDRESS, contactEmail: 'ops@first.example', default: true };
  const made = await ask('POST', path, body);
  t.match(made, {
    status: 201,
    json: {
      data: {
        id: /^IR-/,
        object: 'investor',
        legalName: 'First Fund',
        externalId: 'first',
        default: true,
        status: 'active',
        address: { object: 'address', addressLine1: '1 Wall Street', country: 'US' },
        contactName: null,
      },
    },
  });
  const first = idOf(made);
  t.match(await ask('POST', path, { legalName: 'Second', externalId: 'first' }), { status: 409, json: { errorType: 'duplicate' } });
  const nowhere = { ...ADDRESS, state: 'ZZ' };
  t.match(await ask('POST', path, { legalName: 'Nowhere', address: nowhere }), {
    status: 400,
    json: { errors: [{ path: 'address.state' }] },
  });
  const second = idOf(await ask('POST', `${path}?validate=false`, { legalName: 'Second', address: nowhere, default: true }));
  t.match(await ask('GET', `${path}/ext-first`), { json: { data: { default: false } } }, 'another one is the default now');
  t.match(await ask('PUT', `${path}/${first}`, { contactPhone: '+12125550100', address: { addressLine2: 'Floor 2' } }), {
    status: 200,
    json: { data: { contactPhone: '+12125550100', address: { addressLine1: '1 Wall Street', addressLine2: 'Floor 2' } } },
  });

  const loan = await created({ externalId: 'loan-2' });
  t.match(await ask('GET', loan), { json: { data: { atOrigination: { investors: [{ investorId: second, share: 1 }] } } } });
  t.match(await ask('DELETE', `${path}/${second}`), { status: 409, json: { message: /owns shares of a loan/ } });
  t.match(await ask('DELETE', `${path}/${first}`), { status: 204 });
  t.match(await ask('GET', `${path}/${first}`), { json: { data: { status: 'archived' } } });
  t.match(await ask('PUT', `${path}/${first}`, { legalName: 'Revived' }), { status: 409 });
  t.match(await ask('GET', path), { json: { total: 2, data: [{ id: second }, { id: first }] } });
});

test('a loan has owners by share and day, on both time axes, with what each took over', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, company, created, goTo, emitted, h, failures } = lender;
  const [a, b, c] = [
    await investor(lender, 'Alpha'),
    await investor(lender, 'Beta', { externalId: 'beta' }),
    await investor(lender, 'Gamma'),
  ];
  const loan = await created({
    externalId: 'sold',
    atOrigination: { amountFinanced: 1200, duration: 12, interestRates: [{ rate: 0.18 }], investors: [{ investorId: a, share: 1 }] },
  });
  const owners = `${loan}/investors`;
  const whole = { effectiveDate: '2026-04-01', investors: [{ investorId: b, share: 1 }] };
  t.match(await ask('PUT', owners, whole), { status: 409 }, 'not before activation');
  await ask('POST', `${loan}/activate`, {});
  t.match(await ask('GET', owners), {
    status: 200,
    json: { data: [{ id: /^IA-/, investorId: a, share: 1, effectiveDate: '2026-03-02', endDate: null, cutOff: null }] },
  });
  await goTo('2026-04-20');
  const refused = await ask('PUT', owners, {
    effectiveDate: '2026-04-01',
    investors: [
      { investorId: 'ext-nobody', share: 0.5 },
      { investorId: b, share: 0.25 },
      { investorId: 'ext-beta', share: 0.125 },
    ],
  });
  t.match(refused, {
    status: 400,
    json: { errors: [{ path: 'investors' }, { path: 'investors[0].investorId' }, { path: 'investors[2].investorId' }] },
  });
  t.match(await ask('PUT', owners, { ...whole, effectiveDate: '2026-03-01' }), {
    status: 422,
    json: { errors: [{ path: 'effectiveDate' }] },
  });
  t.match(await ask('PUT', owners, { investors: whole.investors }), { status: 400, json: { errors: [{ path: 'effectiveDate' }] } });

  const beforeSale = h.nowMs;
  await goTo('2026-04-21');
  const sale = {
    effectiveDate: '2026-04-01',
    investors: [
      { investorId: 'ext-beta', share: 0.6, metro2: { reportK2Segment: true } },
      { investorId: c, share: 0.4 },
    ],
  };
  const sold = await ask('PUT', owners, sale);
  t.equal(sold.status, 204, sold.text);
  t.match(await emitted('loan.ownerchanged', loan), [
    {
      oldInvestors: [{ investorId: a, share: 1 }],
      newInvestors: [
        { investorId: b, share: 0.6 },
        { investorId: c, share: 0.4 },
      ],
      effectiveDate: '2026-04-01',
    },
  ]);
  t.equal((await ask('PUT', owners, { dateEffective: '2026-06-01', investors: [{ investorId: a, share: 1 }] })).status, 204);
  const ofDay = async (day: string): Promise<readonly unknown[]> =>
    listOf(await ask('GET', `${owners}?effectiveDate=${day}`)).map(({ investorId, share }) => [investorId, share]);
  t.same(await ofDay('2026-03-31'), [[a, 1]]);
  t.same(await ofDay('2026-04-01'), [
    [b, 0.6],
    [c, 0.4],
  ]);
  t.same(await ofDay('2026-06-01'), [[a, 1]]);
  const known = await ask('GET', `${owners}?effectiveDate=2026-04-01&recordedAsOf=${new Date(beforeSale).toISOString()}`);
  t.match(known, { json: { total: 1, data: [{ investorId: a }] } }, 'before it was recorded nobody knew of the sale');
  t.match(await ask('GET', `${owners}?recordedAsOf=2020-01-01T00:00:00Z`), { status: 404 });

  const history = await ask('GET', `/companies/${company}/people/ext-ann-1/loans/ext-sold/investors?includeHistory=true`);
  const balances = dataOf(await ask('GET', `${loan}/balances?toEffectiveDate=2026-03-31`)) as {
    readonly outstandingBalances: Readonly<Record<string, number>>;
  };
  const { outstandingPrincipalAmount: principal = 0, outstandingInterestAmount: interest = 0 } = balances.outstandingBalances;
  t.ok(interest > 0, 'interest had accrued by the cut-off');
  const rows = listOf(history) as readonly { readonly cutOff: Readonly<Record<string, number>> | null }[];
  t.match(rows, [
    { investorId: a, effectiveDate: '2026-03-02', endDate: '2026-03-31', cutOff: null },
    { investorId: b, endDate: '2026-05-31', metro2: { reportK2Segment: true } },
    { investorId: c, endDate: '2026-05-31', metro2: { reportK2Segment: false } },
    { investorId: a, effectiveDate: '2026-06-01', endDate: null, cutOff: null },
  ]);
  const sumOf = (name: string): number => rows.slice(1, 3).reduce((sum, { cutOff }) => sum + Math.round((cutOff?.[name] ?? 0) * 100), 0);
  t.equal(sumOf('principalAmount'), Math.round(principal * 100));
  t.equal(sumOf('interestAmount'), Math.round(interest * 100));
  t.equal((await ask('PUT', owners, { effectiveDate: '2026-05-01', investors: [{ investorId: c, share: 1 }] })).status, 204);
  t.same(await ofDay('2026-06-01'), [[c, 1]], 'a change replaces later ones, too');
  await h.restart();
  t.same(failures, []);
});

test('who buys a charged-off loan takes over what was charged off', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan, goTo, failures } = lender;
  const [a, b] = [await investor(lender, 'Alpha'), await investor(lender, 'Beta')];
  await goTo('2026-04-10');
  t.match(await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' }), { status: 200 });
  await goTo('2026-04-20');
  const owned = [
    { investorId: a, share: 0.25 },
    { investorId: b, share: 0.75 },
  ];
  t.equal((await ask('PUT', `${loan}/investors`, { effectiveDate: '2026-04-20', investors: owned })).status, 204);
  const { chargedOffBalances } = dataOf(await ask('GET', `${loan}/balances?isRounded=true`)) as {
    readonly chargedOffBalances: Readonly<Record<string, number>>;
  };
  const rows = listOf(await ask('GET', `${loan}/investors?includeHistory=true`)) as readonly {
    readonly cutOff: Readonly<Record<string, number>> | null;
  }[];
  const sumOf = (name: string): number => rows.reduce((sum, { cutOff }) => sum + Math.round((cutOff?.[name] ?? 0) * 100), 0) / 100;
  t.ok(sumOf('interestAmount') > 0);
  t.equal(sumOf('principalAmount'), chargedOffBalances['chargedOffPrincipalAmount']);
  t.equal(sumOf('interestAmount'), chargedOffBalances['chargedOffInterestAmount']);
  t.same(failures, []);
});

test('the owners of many loans change in one piece of work, with a result for each', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, company, active, created, loan, goTo, h } = lender;
  const [a, b] = [await investor(lender, 'Alpha'), await investor(lender, 'Beta')];
  const second = await active({ externalId: 'second' });
  const pending = await created({ externalId: 'pending' });
  const idOfLoan = (path: string): string => path.split('/').at(-1) ?? '';
  const path = `/companies/${company}/loan-owner-changes`;
  const body = { effectiveDate: '2026-03-10', investors: [{ investorId: a, share: 1 }] };
  t.match(await ask('POST', path, body), { status: 400, json: { errors: [{ path: 'loanIds' }] } });
  t.match(await ask('POST', path, { ...body, query: {} }), { status: 400, json: { errors: [{ path: 'query' }] } });
  t.match(await ask('POST', path, { ...body, query: { statuses: ['nonsense'], labels: [] } }), {
    status: 400,
    json: { errors: [{ path: 'query.statuses[0]' }, { path: 'query.labels' }] },
  });
  t.match(await ask('POST', path, { ...body, query: { labels: ['sold', 'ext-none'] } }), {
    status: 400,
    json: { errors: [{ path: 'query.labels', message: 'There is no loan label sold, ext-none.' }] },
  });
  t.match(await ask('POST', path, { ...body, loanIds: ['ext-none'] }), { status: 404 });
  const made = await ask('POST', path, { ...body, loanIds: [idOfLoan(loan), 'ext-second', 'ext-pending'] });
  t.match(made, { status: 201, json: { data: { id: /^OC-/, operationId: /\w/ } } });
  await h.engine.settled();
  const shown = await ask('GET', `${path}/${idOf(made)}`);
  t.match(shown, {
    json: {
      data: {
        status: 'partiallyFailed',
        succeededCount: 2,
        failedCount: 1,
        results: [
          { loanId: idOfLoan(loan), status: 'succeeded' },
          { loanId: idOfLoan(second), status: 'succeeded' },
          { loanId: idOfLoan(pending), status: 'failed', errorType: 'invalidState', errorMessage: /pending|originated/ },
        ],
      },
    },
  });
  t.match(await ask('GET', `${second}/investors`), { json: { data: [] } }, 'the lender owns it alone until then');
  await goTo('2026-03-10');
  t.match(await ask('GET', `${second}/investors`), { json: { data: [{ investorId: a }] } });
  const all = await ask('POST', path, {
    effectiveDate: '2026-03-20',
    investors: [{ investorId: b, share: 1 }],
    query: { statuses: ['active'] },
  });
  await h.engine.settled();
  t.match(await ask('GET', `${path}/${idOf(all)}`), { json: { data: { status: 'succeeded', succeededCount: 2, failedCount: 0 } } });
  await goTo('2026-03-25');
  t.match(await ask('GET', `${loan}/investors`), { json: { data: [{ investorId: b }] } });
  t.match(await ask('DELETE', `/companies/${company}/investors/${a}`), { status: 204 }, 'it owns nothing any more');
  t.match(await ask('DELETE', `/companies/${company}/investors/${b}`), { status: 409, json: { message: /2 loans/ } });
});

test('a loan of a change of many that does not exist fails with that reason', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, company, loan, h } = lender;
  const a = await investor(lender, 'Alpha');
  const path = `/companies/${company}/loan-owner-changes`;
  const body = { effectiveDate: '2026-03-10', investors: [{ investorId: a, share: 1 }], loanIds: [loan.split('/').at(-1), 'LN-AAAA-AAAA'] };
  const made = await ask('POST', path, body);
  await h.engine.settled();
  t.match(dataOf(await ask('GET', `${path}/${idOf(made)}`)), {
    status: 'partiallyFailed',
    failedCount: 1,
    results: [
      { status: 'succeeded', errorMessage: null },
      { loanId: 'LN-AAAA-AAAA', status: 'failed', errorType: 'notFound', errorMessage: 'There is no loan LN-AAAA-AAAA.' },
    ],
  });
});

test('both spellings of the day of a change of owners are the same day', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, company, loan, loanTypeId } = lender;
  const owner = { investorId: await investor(lender, 'Alpha'), share: 1 };
  const dates = { effectiveDate: '2026-03-10', dateEffective: '2026-03-11' };
  const isAnotherDay = { status: 400, json: { errors: [{ path: 'dateEffective', expected: /2026-03-10/ }] } };
  const body = { ...dates, investors: [owner] };
  t.match(await ask('PUT', `${loan}/investors`, body), isAnotherDay);
  const many = { ...body, loanIds: [loan.split('/').at(-1)] };
  t.match(await ask('POST', `/companies/${company}/loan-owner-changes`, many), isAnotherDay);
  t.equal((await ask('PUT', `${loan}/investors`, { ...body, dateEffective: '2026-03-10' })).status, 204);
  const sold = loanBody(loanTypeId, { externalId: 'sold', atOrigination: { ...SMALL, investors: [{ ...owner, ...dates }] } });
  t.match(await ask('POST', '/people/ext-ann-1/loans', sold), {
    status: 400,
    json: { errors: [{ path: 'atOrigination.investors[0].dateEffective' }] },
  });
});

test('a change of the owners of many loans is under its case, which each loan must be about', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, h, company, loan, loanTypeId, failures } = lender;
  const a = await investor(lender, 'First Fund');
  const identity = { identityType: 'SSN', value: '219-09-9998' };
  const bob = idOf(await ask('POST', '/people', { ...ANN, externalId: 'bob', identity }));
  const others = idOf(await ask('POST', `/people/${bob}/loans`, loanBody(loanTypeId, { externalId: 'others', atOrigination: SMALL })));
  t.match(await ask('POST', `/people/${bob}/loans/${others}/activate`, {}), { status: 200 });
  const caseId = idOf(await ask('POST', '/people/ext-ann-1/cases', { caseType: 'generic', externalId: 'sale' }));
  const path = `/companies/${company}/loan-owner-changes`;
  const made = await ask('POST', path, {
    effectiveDate: '2026-03-10',
    investors: [{ investorId: a, share: 1 }],
    loanIds: [loan.split('/').at(-1), others],
    caseId: 'ext-sale',
  });
  await h.engine.settled();
  t.match(await ask('GET', `${path}/${idOf(made)}`), {
    json: {
      data: {
        status: 'partiallyFailed',
        results: [{ status: 'succeeded' }, { loanId: others, status: 'failed', errorMessage: /no case ext-sale of the borrower/ }],
      },
    },
  });
  t.match(listOf(await ask('GET', `/events?caseId=${caseId}&eventType=loan.ownerchanged`)), [{ caseId, loanId: loan.split('/').at(-1) }]);
  t.match(await ask('GET', `/events?loanId=${others}&eventType=loan.ownerchanged`), { json: { data: [] } });
  t.same(failures, []);
});

test('an order of an earlier release whose filter is refused ends without a change, and stops nobody', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, company, loan, h } = lender;
  const a = await investor(lender, 'Alpha');
  const body = { effectiveDate: '2026-03-10', investors: [{ investorId: a, share: 1 }] };
  const order = await h.data('loanOwnerChange.create', company, { ...body, query: { statuses: ['nonsense'] } });
  await h.engine.settled();
  const path = `/companies/${company}/loan-owner-changes/${order.id}`;
  t.match(await ask('GET', path), { json: { data: { status: 'succeeded', succeededCount: 0 } } });
  const pay = async (): Promise<number> =>
    (await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 10, isExternal: true, status: 'succeeded' })).status;
  t.ok((await pay()) < 300, 'payments are posted');
  await h.restart();
  await h.engine.settled();
  const again = await h.data('loanOwnerChange.create', company, { ...body, loanIds: [loan.split('/').at(-1)] });
  t.match(again, { loanIds: [/^LN-/] }, 'writes pass after a start, too');
});
