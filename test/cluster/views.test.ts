import { test } from 'tap';
import { loanBody } from '../actors/loan/setting.js';
import { rowsOf } from '../gateway/routes/campaigns/view-rows.js';
import { idOf, openHttpLender } from '../gateway/routes/http-lender.js';

const LOANS = 12;

test('views of a cluster have the company and its loan types once, and loans of all units', async (t) => {
  const lender = await openHttpLender(t, 'cluster');
  const { ask, company } = lender;
  const product = { type: 'installment', name: 'Loan', assetType: 'personalClosedEndUnsecured', assetDisplayName: 'A loan' };
  const loanTypeId = idOf(await ask('POST', `/companies/${company}/loan-types`, product));
  const made: string[] = [];
  while (made.length < LOANS) {
    const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Verde' } }));
    const id = idOf(await ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId)));
    await ask('POST', `/people/${personId}/loans/${id}/activate`, {});
    made.push(id);
  }
  t.same(await rowsOf(lender, 'SELECT company_id FROM v_companies'), [[company]]);
  t.same(await rowsOf(lender, 'SELECT loan_type_id, name FROM v_loan_types'), [[loanTypeId, 'Loan']]);
  for (const view of ['v_periods', 'v_ledger_entries', 'v_balances_daily']) {
    const ids = (await rowsOf(lender, `SELECT DISTINCT loan_id FROM ${view} ORDER BY loan_id`)).flat();
    t.same(ids, [...made].sort(), view);
  }
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { name: 'Another' });
  t.same(await rowsOf(lender, 'SELECT loan_type_id, name FROM v_loan_types'), [[loanTypeId, 'Another']], 'they follow');
});
