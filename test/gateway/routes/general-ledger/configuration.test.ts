import { test } from 'tap';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { openGeneralLedger } from './lender.js';

test('a company has settings, a chart and a mapping from its first day', async (t) => {
  const { ask, root, company } = await openGeneralLedger(t);
  t.match(await ask('GET', `${root}/settings`), {
    status: 200,
    json: {
      data: {
        object: 'generalLedgerSettings',
        companyId: company,
        settings: { bases: ['accrual', 'cash'], chargeOffInterest: 'reverseIncome', ownerBooks: 'gross' },
        begins: { bases: null, ownerBooks: null },
        coming: [],
      },
    },
  });
  const accounts = await ask('GET', `${root}/accounts?type=liability&limit=100`);
  t.match(listOf(accounts)[0], { id: 'GA-0000-2010', number: '2010', role: 'borrowerCredit', normalBalance: 'credit', isContra: false });
  t.match(await ask('GET', `${root}/accounts/GA-0000-1260`), { json: { data: { isContra: true, status: 'active', updatedAt: null } } });
  t.match(await ask('GET', `${root}/mappings`), {
    json: { total: 1, data: [{ id: 'GM-0000-0000', version: 0, status: 'approved', fromDate: null, rolesWithoutAccount: [] }] },
  });
});

test('settings hold from an open day on, and a closed day keeps its own', async (t) => {
  const { ask, root, goTo } = await openGeneralLedger(t);
  await goTo('2026-03-10');
  const known = (await ask('GET', `${root}/settings`)).json['data'];
  t.match(await ask('PUT', `${root}/settings?previewMode=true`, { exportDetail: 'summary' }), {
    json: { data: { settings: { exportDetail: 'summary' }, begins: { exportDetail: '2026-03-10' } } },
  });
  t.strictSame((await ask('GET', `${root}/settings`)).json['data'], known, 'a preview records nothing');
  t.match(await ask('PUT', `${root}/settings`, { exportDetail: 'summary', fromDate: '2026-03-09' }), {
    status: 409,
    json: { errors: [{ path: 'fromDate', expected: '2026-03-10 or later' }] },
  });
  t.match(await ask('PUT', `${root}/settings`, { exportDetail: 'summary', fromDate: '2026-03-12' }), {
    json: { data: { settings: { exportDetail: 'entries' }, coming: [{ fromDate: '2026-03-12', settings: { exportDetail: 'summary' } }] } },
  });
  await goTo('2026-03-12');
  t.match(await ask('GET', `${root}/settings`), {
    json: { data: { settings: { exportDetail: 'summary' }, begins: { exportDetail: '2026-03-12', bases: null }, coming: [] } },
  });
  t.match(await ask('GET', `${root}/settings?recordedAsOf=2026-03-09T12:00:00Z`), {
    json: { data: { settings: { exportDetail: 'entries' } } },
  });
  t.match(await ask('GET', `${root}/settings?recordedAsOf=2026-04-09T12:00:00Z`), { status: 400 });
  t.equal((await ask('PUT', `${root}/settings`, { exportDetail: 'none' })).status, 400);
  t.match(await ask('PUT', `${root}/settings`, { waivers: 'expense', deferredInterestPromo: 'deferUntilLost' }), {
    status: 422,
    json: { errors: [{ path: 'waivers' }, { path: 'deferredInterestPromo', expected: '"accrue"' }] },
  });
  t.match(await ask('PUT', `${root}/settings`, { ownerBooks: 'eachOwner' }), {
    status: 422,
    json: { errors: [{ path: 'ownerBooks', expected: '"gross" or "ownShare"', message: 'cannot be changed in this release' }] },
  });
  for (const kept of ['ownShare', 'gross'])
    t.match(await ask('PUT', `${root}/settings`, { ownerBooks: kept }), {
      status: 200,
      json: { data: { settings: { ownerBooks: kept, lenderInvestorId: null } } },
    });
  t.match(await ask('PUT', `${root}/settings`, { ownerBooks: 'ownShare', lenderInvestorId: 'ext-nobody' }), {
    status: 400,
    json: { errors: [{ path: 'lenderInvestorId', expected: 'an investor' }] },
  });
});

test('accounts are added, renamed and archived, but not while a mapping names them', async (t) => {
  const { ask, askWith, root } = await openGeneralLedger(t);
  const made = await ask('POST', `${root}/accounts`, { number: '4011.5', name: 'Waived interest', type: 'income', externalId: 'waived' });
  t.match(made, { status: 201, json: { data: { id: /^GA-/, normalBalance: 'credit', role: null, status: 'active' } } });
  const id = idOf(made);
  t.match(await ask('POST', `${root}/accounts`, { number: '4011.5', name: 'Again', type: 'income', externalId: 'waived' }), {
    status: 409,
    json: { errors: [{ path: 'number' }, { path: 'externalId' }] },
  });
  t.match(await ask('PUT', `${root}/accounts/ext-waived`, { name: 'Interest given up' }), {
    json: { data: { id, name: 'Interest given up', number: '4011.5' } },
  });
  t.match(await ask('PUT', `${root}/accounts/GA-0000-1200`, { number: '12000', name: 'Loans' }), {
    json: { data: { id: 'GA-0000-1200', number: '12000', role: 'principalReceivable' } },
  });
  t.match(await ask('DELETE', `${root}/accounts/GA-0000-1200`), { status: 409 });
  t.equal((await ask('DELETE', `${root}/accounts/${id}`)).status, 204);
  t.match(await ask('GET', `${root}/accounts/${id}`), { json: { data: { status: 'archived' } } });
  t.match(await ask('GET', `${root}/accounts?status=archived`), { json: { total: 1, data: [{ id }] } });
  t.equal((await ask('GET', `${root}/accounts/GA-0000-9999`)).status, 404);
  t.equal((await askWith(['generalledger:read'], 'POST', `${root}/accounts`, { number: '1', name: 'x', type: 'asset' })).status, 403);
  t.equal((await askWith(['generalledger:update'], 'GET', `${root}/accounts`)).status, 403);
});

test('a mapping is proposed by one person, approved by another, and holds from its first day', async (t) => {
  const { ask, root, goTo, h, company } = await openGeneralLedger(t);
  await goTo('2026-03-10');
  const rows = [
    { role: 'principalReceivable', accountId: 'GA-0000-1200' },
    { role: 'principalReceivable', dimensions: { loanTypeId: 'TY-1' }, accountId: 'GA-0000-1210' },
  ];
  t.match(await ask('POST', `${root}/mappings`, { rows: [...rows, rows[0], { role: 'bank', accountId: 'GA-0000-9999' }] }), {
    status: 400,
    json: { errors: [{ path: 'rows[2]' }, { path: 'rows[3].accountId' }] },
  });
  t.match(await ask('POST', `${root}/mappings`, { rows, fromDate: '2026-03-09' }), { status: 409 });
  t.match(await ask('POST', `${root}/mappings`, { rows, reclassify: true }), { status: 422 });
  t.equal(dataOf(await ask('POST', `${root}/mappings?previewMode=true`, { rows }))['status'], 'proposed');
  t.match(await ask('GET', `${root}/mappings`), { json: { total: 1 } });
  const made = await ask('POST', `${root}/mappings`, { rows });
  t.match(made, { status: 201, json: { data: { id: /^GM-/, version: 1, status: 'proposed', fromDate: '2026-03-10' } } });
  t.match(dataOf(made)['rolesWithoutAccount'], ['bank', 'clearingIncoming']);
  const path = `${root}/mappings/${idOf(made)}`;
  t.match(await ask('POST', `${path}/approve`, {}), { status: 403 }, 'the one who has proposed it');
  const approved = await h.data('generalLedgerMapping.approve', company, {}, { mode: 'test', params: { mappingId: idOf(made) } });
  t.match(approved, { status: 'approved', approvedBy: { id: 'AK-TEST-TEST' } });
  t.match(await ask('POST', `${path}/approve`, {}), { status: 409 });
  t.match(await ask('DELETE', `${root}/accounts/GA-0000-1210`), { status: 409 });
});
