import { test } from 'tap';
import { ACCOUNT } from '../../../actors/borrower/lender.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { openLoanOverHttp } from '../loan-over-http.js';

test('a collection agency is kept, archived and brought back, and deleted only if it never had a loan', async (t) => {
  const { ask, company } = await openLoanOverHttp(t);
  const path = `/companies/${company}/collection-agencies`;
  t.match(await ask('POST', path, { legalName: 'No Phone' }), { status: 400, json: { errors: [{ path: 'contactPhone' }] } });
  t.match(await ask('POST', path, { legalName: 'Greedy', contactPhone: '1', commissionRate: 1.5 }), { status: 400 });
  const made = await ask('POST', path, { legalName: 'Hounds', contactPhone: '+12125550100', externalId: 'hounds', commissionRate: 0.25 });
  t.match(made, { status: 200, json: { data: { id: /^CL-/, object: 'collectionAgency', status: 'active', commissionRate: 0.25 } } });
  t.match(await ask('PUT', `${path}/ext-hounds`, { status: 'archived' }), { status: 200, json: { data: { status: 'archived' } } });
  t.match(await ask('GET', path), { json: { total: 0 } });
  t.match(await ask('GET', `${path}?includeArchived=true`), { json: { total: 1 } });
  t.match(await ask('GET', `${path}?status=archived`), { json: { total: 1 } });
  t.match(await ask('PUT', `${path}/ext-hounds`, { status: 'active' }), { json: { data: { status: 'active' } } });
  t.match(await ask('DELETE', `${path}/ext-hounds`), { status: 204 });
  t.match(await ask('GET', `${path}/${idOf(made)}`), { status: 404 });
});

test('a charged-off loan is placed with an agency, which collects for a commission, and is taken back', async (t) => {
  const { ask, company, loan, goTo, h, askWith, failures } = await openLoanOverHttp(t);
  const agencies = `/companies/${company}/collection-agencies`;
  const agency = async (name: string, more: object): Promise<string> =>
    idOf(await ask('POST', agencies, { legalName: name, contactPhone: '+12125550100', ...more }));
  const hounds = await agency('Hounds', { externalId: 'hounds', commissionRate: 0.3333 });
  const buyers = await agency('Buyers', { commissionRate: 0.5 });
  const path = `${loan}/collection-agency`;
  const instrument = await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true });
  const paymentInstrumentId = listOf(instrument)[0]?.['id'];
  t.match(await ask('GET', path), { status: 200, json: { data: { status: 'unassigned', agencyId: null, agency: null, history: [] } } });
  t.match(await ask('POST', path, { agencyId: hounds, status: 'assigned' }), { status: 409 }, 'only charged-off loans are placed');
  await goTo('2026-04-20');
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' });
  const later = { type: 'oneTime', amount: 20, paymentInstrumentId, scheduledDate: '2026-05-20' };
  const scheduled = idOf(await ask('POST', `${loan}/transactions`, later));
  t.match(await ask('POST', path, { status: 'assigned' }), { status: 400, json: { errors: [{ path: 'agencyId' }] } });
  t.match(await ask('POST', path, { agencyId: 'ext-nobody', status: 'assigned' }), {
    status: 422,
    json: { errors: [{ path: 'agencyId' }] },
  });
  t.match(await ask('POST', path, { agencyId: hounds, status: 'assigned', assignedOnDate: '2026-05-01' }), { status: 422 });

  const placed = await ask('POST', path, { agencyId: 'ext-hounds', status: 'pendingAssignment' });
  t.match(placed, {
    status: 200,
    json: {
      data: {
        agencyId: hounds,
        agencyExternalId: 'hounds',
        status: 'pendingAssignment',
        assignmentType: 'contingency',
        assignedOnDate: '2026-04-20',
        agency: { legalName: 'Hounds', contactPhone: '+12125550100' },
      },
    },
  });
  t.match(await ask('GET', loan), { json: { data: { servicedBy: 'debtCollectionAgency' } } });
  t.match(await ask('GET', `${loan}/transactions/${scheduled}`), {
    json: { data: { status: 'canceled', cancelReason: 'loanStatusChange' } },
  });
  t.match(await ask('POST', `${loan}/transactions`, { ...later, scheduledDate: null }), {
    status: 409,
    json: { errors: [{ path: 'isExternal' }] },
  });
  t.match(await ask('PUT', loan, { servicedBy: 'creditor' }), { status: 409, json: { errors: [{ path: 'servicedBy' }] } });
  await goTo('2026-04-25');
  t.match(await ask('POST', path, { agencyId: hounds, status: 'assigned' }), {
    json: { data: { status: 'assigned', assignedOnDate: '2026-04-25' } },
  });
  t.match(
    await ask('POST', path, { agencyId: hounds, status: 'pendingAssignment' }),
    { status: 409 },
    'an assigned loan is not pending again',
  );
  t.match(await ask('GET', `${path}?toEffectiveDate=2026-04-22`), { json: { data: { status: 'pendingAssignment' } } });
  t.match(await ask('GET', `${path}?toEffectiveDate=2026-04-19`), { json: { data: { status: 'unassigned' } } });
  const yesterday = new Date(h.nowMs - 86_400_000).toISOString();
  t.match(await ask('GET', `${path}?recordedAsOf=${yesterday}`), { json: { data: { status: 'pendingAssignment' } } });
  await ask('PUT', `${agencies}/${hounds}`, { status: 'archived', commissionRate: 0.9 });

  await goTo('2026-05-02');
  const paid = (amount: number, effectiveDate: string): Promise<unknown> =>
    ask('POST', `${loan}/transactions`, { type: 'oneTime', amount, isExternal: true, status: 'succeeded', effectiveDate });
  await paid(10.01, '2026-04-27');
  await paid(10.01, '2026-05-01');
  await paid(7, '2026-04-21');
  t.match(dataOf(await ask('GET', path))['history'], [
    { status: 'pendingAssignment', assignedOnDate: '2026-04-20', endedOnDate: '2026-04-25', collectedAmount: 7, commissionAmount: 2.33 },
    {
      status: 'assigned',
      assignedOnDate: '2026-04-25',
      endedOnDate: null,
      commissionRate: 0.3333,
      collectedAmount: 20.02,
      commissionAmount: 6.68, // 3.34 of each payment, by the rate of the day of the assignment
    },
  ]);
  const seen = dataOf(await askWith(['loan.collection.agency:read'], 'GET', path));
  t.match(seen, { status: 'assigned', history: null, agency: { legalName: 'Hounds' } }, 'a borrower sees the agency, and no commission');

  const sold = { agencyId: buyers, status: 'assigned', assignmentType: 'wholeSale', metro2: { reportK2Segment: true } };
  t.match(await ask('POST', path, sold), {
    json: { data: { agencyId: buyers, assignmentType: 'wholeSale', metro2: { reportK2Segment: true } } },
  });
  await paid(5, '2026-05-02');
  t.match((dataOf(await ask('GET', path))['history'] as readonly unknown[])[2], { collectedAmount: 5, commissionAmount: 0 });
  t.match(await ask('POST', path, { agencyId: hounds, status: 'assigned' }), { status: 409 }, 'an archived agency gets no new loan');
  await h.restart();
  t.same(failures, []);
});

test('a loan that is taken back is serviced by the company that the lender names, and its agency cannot be deleted', async (t) => {
  const { ask, company, loan } = await openLoanOverHttp(t);
  const agencies = `/companies/${company}/collection-agencies`;
  const agencyId = idOf(await ask('POST', agencies, { legalName: 'Hounds', contactPhone: '+12125550100' }));
  const path = `${loan}/collection-agency`;
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' });
  t.match(await ask('DELETE', path), { status: 409 });
  await ask('POST', path, { agencyId, status: 'assigned' });
  t.match(await ask('DELETE', `${path}?servicedBy=debtCollectionAgency`), {
    status: 200,
    json: { data: { status: 'unassigned', agencyId: null } },
  });
  t.match(await ask('GET', loan), { json: { data: { servicedBy: 'debtCollectionAgency' } } });
  t.match(await ask('DELETE', `${path}?servicedBy=debtCollectionAgency`), { status: 409 });
  t.match(await ask('DELETE', path), { status: 200, json: { data: { status: 'unassigned' } } });
  t.match(await ask('GET', loan), { json: { data: { servicedBy: 'creditor' } } });
  t.match(await ask('DELETE', path), { status: 409 });
  await ask('POST', path, { agencyId, status: 'assigned' });
  t.match(await ask('POST', path, { status: 'unassigned' }), { json: { data: { status: 'unassigned' } } });
  t.match(await ask('GET', loan), { json: { data: { servicedBy: 'creditor' } } });
  t.match(await ask('DELETE', `${agencies}/${agencyId}`), { status: 409 });
});

test('a commission is taken once, and of what is left of a payment', async (t) => {
  const { ask, company, loan, goTo, failures } = await openLoanOverHttp(t);
  const agency = async (legalName: string): Promise<string> =>
    idOf(await ask('POST', `/companies/${company}/collection-agencies`, { legalName, contactPhone: '+12125550100', commissionRate: 0.25 }));
  const [hounds, wolves] = [await agency('Hounds'), await agency('Wolves')];
  const path = `${loan}/collection-agency`;
  const collected = async (): Promise<readonly (readonly unknown[])[]> =>
    (dataOf(await ask('GET', path))['history'] as readonly Record<string, unknown>[]).map((each) => [
      each['collectedAmount'],
      each['commissionAmount'],
    ]);
  await goTo('2026-04-01');
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' });
  await ask('POST', path, { agencyId: hounds, status: 'assigned' });
  await goTo('2026-04-10');
  const paid = { type: 'oneTime', amount: 100, isExternal: true, status: 'succeeded', effectiveDate: '2026-04-05' };
  const payment = `${loan}/transactions/${idOf(await ask('POST', `${loan}/transactions`, paid))}`;
  t.same(await collected(), [[100, 25]]);
  const dispute = await ask('POST', `${payment}/chargebacks`, { amount: 40, status: 'open' });
  t.same(await collected(), [[100, 25]], 'the money is still there while it is in dispute');
  t.match(await ask('PUT', `${payment}/chargebacks/${idOf(dispute)}`, { status: 'lost' }), { status: 200 });
  t.same(await collected(), [[60, 15]], 'a part was charged back');
  t.match(await ask('PUT', `${payment}/chargebacks/${idOf(dispute)}`, { status: 'reversed' }), { status: 200 });
  t.same(await collected(), [[100, 25]], 'and came again');

  await ask('DELETE', path);
  t.match(
    await ask('POST', path, { agencyId: wolves, status: 'assigned', assignedOnDate: '2026-04-03' }),
    { status: 400, json: { errors: [{ path: 'assignedOnDate', expected: '2026-04-10 or later' }] } },
    'the other agency had it then',
  );
  t.match(await ask('POST', path, { agencyId: wolves, status: 'assigned' }), { status: 200 });
  t.same(await collected(), [
    [100, 25],
    [0, 0],
  ]);
  t.same(failures, []);
});
