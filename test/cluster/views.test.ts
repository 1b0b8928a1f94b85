import { test } from 'tap';
import { loanBody } from '../actors/loan/setting.js';
import { rowsOf } from '../gateway/routes/campaigns/view-rows.js';
import { dataOf, type HttpLender, idOf, listOf, openHttpLender } from '../gateway/routes/http-lender.js';
import { sftpServerFor } from '../persistence/sftp-server.js';

const LOANS = 12;

/** Active loans of as many borrowers, in all units. */
async function lent({ ask, company }: HttpLender): Promise<{ readonly loanTypeId: string; readonly made: readonly string[] }> {
  const product = { type: 'installment', name: 'Loan', assetType: 'personalClosedEndUnsecured', assetDisplayName: 'A loan' };
  const loanTypeId = idOf(await ask('POST', `/companies/${company}/loan-types`, product));
  const made: string[] = [];
  while (made.length < LOANS) {
    const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Verde' } }));
    const id = idOf(await ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId)));
    await ask('POST', `/people/${personId}/loans/${id}/activate`, {});
    made.push(id);
  }
  return { loanTypeId, made };
}

test('views of a cluster have the company and its loan types once, and loans of all units', async (t) => {
  const lender = await openHttpLender(t, 'cluster');
  const { ask, company } = lender;
  const { loanTypeId, made } = await lent(lender);
  t.same(await rowsOf(lender, 'SELECT company_id FROM v_companies'), [[company]]);
  t.same(await rowsOf(lender, 'SELECT loan_type_id, name FROM v_loan_types'), [[loanTypeId, 'Loan']]);
  for (const view of ['v_periods', 'v_ledger_entries', 'v_balances_daily']) {
    const ids = (await rowsOf(lender, `SELECT DISTINCT loan_id FROM ${view} ORDER BY loan_id`)).flat();
    t.same(ids, [...made].sort(), view);
  }
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { name: 'Another' });
  t.same(await rowsOf(lender, 'SELECT loan_type_id, name FROM v_loan_types'), [[loanTypeId, 'Another']], 'they follow');
});

test('a tape of a cluster has each loan of all units once', async (t) => {
  const lender = await openHttpLender(t, 'cluster');
  const { ask, company, h } = lender;
  const { made } = await lent(lender);
  const server = await sftpServerFor(t, t.testdir({}));
  const type = { tapeName: 'Loans', tapeType: 'loans', fields: ['loanId'], compressionType: 'noCompression' };
  const loanTapeTypeId = idOf(await ask('POST', `/companies/${company}/loan-tape-types`, type));
  const address = { sftpHostname: `127.0.0.1:${server.port}`, sftpUsername: server.username, sftpPassword: server.password };
  const tapes = `/companies/${company}/loan-tapes`;
  const files = `${tapes}/${idOf(await ask('POST', tapes, { loanTapeTypeId, ...address, status: 'paused' }))}/files`;
  h.sectionLoans = 4;
  const { id } = dataOf(await ask('POST', files, {}));
  await h.campaigns.tapesSettled();
  t.match(listOf(await ask('GET', files)), [{ id, status: 'succeeded', rowCount: LOANS }]);
  const [head, ...rows] = (await ask('GET', `${files}/${String(id)}/content`)).text.trimEnd().split('\r\n');
  t.equal(head, 'loanId');
  t.same([...rows].sort(), [...made].sort());
});
