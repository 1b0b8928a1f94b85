import { test } from 'tap';
import type { HttpAnswer } from '../../harness.js';
import { type CreditOverHttp, dataOf, EQUIFAX, idOf, listOf, openCredit } from './credit-over-http.js';

/** What a preview says of each loan, and how a file that is made by hand comes out. */
async function compared({ ask, files, agencyId, madeFile }: CreditOverHttp, creditAgencyId = agencyId): Promise<readonly object[]> {
  const shown = await ask('POST', `${files}?previewMode=true`, { creditAgencyId });
  await ask('POST', files, { creditAgencyId });
  const { recordCount, heldCount } = await madeFile();
  return [recordsOf(shown), { recordCount, heldCount }];
}

const recordsOf = (shown: HttpAnswer): object => {
  const records = dataOf(shown)['records'] as readonly { outcome: string; metro2: { accountStatus: string } | null }[];
  return records.map(({ outcome, metro2 }) => [outcome, metro2?.accountStatus ?? null]);
};

test('a loan that was deleted is in neither the preview nor the file', async (t) => {
  const credit = await openCredit(t);
  const { ask, loan, goTo, madeFile } = credit;
  const [known] = listOf(await ask('GET', `${loan}/credit-reporting`));
  await goTo('2026-04-01');
  await madeFile();
  await ask('DELETE', `${loan}/credit-reporting/${String(known?.['id'])}`, { deletedReason: 'reportedInError' });
  t.strictSame(await compared(credit), [[['reported', 'DA']], { recordCount: 1, heldCount: 0 }]);
  t.strictSame(await compared(credit), [[['nothing', null]], { recordCount: 0, heldCount: 0 }]);
});

test('loans that are enrolled with a file are in its preview, which enrolls none', async (t) => {
  const credit = await openCredit(t);
  const { ask, company, loanTypeId, agencyId, goTo, madeFile, loan, files } = credit;
  const agency = { ...EQUIFAX, agencyName: 'transUnion', enrollExistingLoans: true, specificDays: [28] };
  const other = idOf(await ask('POST', `/companies/${company}/credit-agencies`, agency));
  const keys = { metro2TransUnionIdentificationNumber: '55555', metro2TransUnionProgramIdentifier: 'TU1' };
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { creditAgencyIds: [agencyId, other], ...keys });
  await goTo('2026-04-02');
  await madeFile();
  t.match(dataOf(await ask('POST', `${files}?previewMode=true`, { creditAgencyId: other })), { loanCount: 2 });
  t.equal(listOf(await ask('GET', `${loan}/credit-reporting`)).length, 1);
  t.strictSame(await compared(credit, other), [
    [
      ['reported', '11'],
      ['reported', '11'],
    ],
    { recordCount: 2, heldCount: 0 },
  ]);
});

test('a preview is refused for what a file is refused for', async (t) => {
  const { ask, company, loanTypeId, files, agencyId, goTo, madeFile } = await openCredit(t);
  await goTo('2026-04-02');
  await madeFile();
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { metro2ReporterName: '' });
  const refused = await ask('POST', `${files}?previewMode=true`, { creditAgencyId: agencyId });
  t.match(refused, { status: 422, json: { errors: [{ path: 'metro2ReporterName' }] } });
  t.match((await ask('POST', files, { creditAgencyId: agencyId })).json, { errors: [{ path: 'metro2ReporterName' }] });
  t.equal((await ask('POST', `${files}?previewMode=true`, { creditAgencyId: 'CA-0000-0000' })).status, 400);
});

test('a preview says what a charge-off for fraud comes to', async (t) => {
  const credit = await openCredit(t);
  const { ask, loan, goTo, madeFile } = credit;
  await goTo('2026-04-02');
  await madeFile();
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'fraudulent' });
  t.strictSame(await compared(credit), [[['reported', 'DF']], { recordCount: 1, heldCount: 0 }]);
});
