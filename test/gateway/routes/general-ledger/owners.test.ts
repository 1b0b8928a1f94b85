import { test } from 'tap';
import { dataOf, listOf } from '../http-lender.js';
import { type Data, openSettled } from '../parties/settled-lender.js';
import { sealingOf } from './lender.js';

const BASES = ['accrual', 'cash'];
/** Of rules that loans do not use. */
const ROLES_OF_OWNERS = [
  'investorPayable',
  'investorReceivable',
  'memoServicedPrincipal',
  'memoServicedInterest',
  'memoServicedFees',
  'gainOnSale',
  'servicingIncome',
];

test('the books hold the whole loan of two investors through payments, a return, settlements and a new owner', async (t) => {
  const lender = await openSettled(t);
  const { ask, company, loan, investors, settle, pay, goTo, advance, get, failures } = lender;
  const [alpha = '', beta = ''] = investors;
  const root = `/companies/${company}/general-ledger`;
  const sealTo = sealingOf(lender);
  const loanId = String(dataOf(await ask('GET', loan))['id']);
  const entriesOf = async (role: string, basis: string): Promise<readonly Data[]> =>
    listOf(await ask('GET', `${root}/entries?loanId=${loanId}&role=${role}&basis=${basis}&limit=100`));
  const creditedOn = async (date: string, basis: string): Promise<unknown> => {
    const found = (await entriesOf('principalReceivable', basis)).find(({ effectiveDate }) => effectiveDate === date);
    return (found?.['lines'] as readonly Data[] | undefined)?.find(({ role }) => role === 'principalReceivable')?.['credit'];
  };

  await goTo('2026-03-20');
  const first = await pay(100.01, '2026-03-16');
  const second = await pay(50, '2026-03-17');
  const settled = await settle(alpha, { periodEndDate: '2026-03-17' });
  t.match(settled, { grossAmount: 90 });
  await sealTo('2026-03-23');
  await advance();
  await sealTo('2026-03-24');
  await advance();
  t.match(await get(settled['id']), { status: 'succeeded' });
  await ask('PUT', `${loan}/transactions/${second}`, { status: 'failed', failureReason: 'insufficientFunds' });
  const changed = await ask('PUT', `${loan}/investors`, { effectiveDate: '2026-03-25', investors: [{ investorId: beta, share: 1 }] });
  t.equal(changed.status, 204, changed.text.slice(0, 300));
  await sealTo('2026-03-27');

  const { paidPrincipalAmount } = dataOf(await ask('GET', `${loan}/transactions/${first}`));
  for (const basis of BASES) {
    for (const date of ['2026-03-19', '2026-03-20', '2026-03-23', '2026-03-24', '2026-03-25', '2026-03-26']) {
      const report = dataOf(await ask('GET', `${root}/reports/subledger?basis=${basis}&date=${date}`));
      for (const row of report['rows'] as readonly Data[])
        t.match(row, { difference: '0.00' }, `${date} ${basis} ${String(row['component'])}`);
    }
    t.equal(await creditedOn('2026-03-16', basis), Number(paidPrincipalAmount).toFixed(2), 'the principal of all owners');
    for (const role of ROLES_OF_OWNERS) t.strictSame(await entriesOf(role, basis), [], `${basis} ${role}`);
  }
  t.same(failures, []);
});
