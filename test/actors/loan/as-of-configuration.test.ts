import { test } from 'tap';
import { lineBody, loanBody } from './setting.js';
import { openPaySetting } from './transactions/setting.js';

const LATE = {
  name: { apiName: 'late', displayName: 'Late' },
  feeType: 'lateFee',
  amountLogic: 'fixed',
  amount: 12.5,
  chargeLogic: 'immediate',
  trigger: 'overdueDays',
  triggerDays: 5,
};

const PRODUCTS = [
  { name: 'an installment loan', product: {}, body: loanBody },
  { name: 'a line of credit', product: { type: 'lineOfCredit' }, body: lineBody },
] as const;

for (const { name, product, body } of PRODUCTS) {
  test(`what was known of ${name} knows nothing of what became of its product later`, async (t) => {
    const fees = { originationFeeAmount: 20, originationFeeLogic: 'firstPayment' };
    const { h, loanId, loanTypeId, personId, pass } = await openPaySetting(product, { atOrigination: { fees } }, undefined, body);
    t.teardown(() => h.engine.close());
    const later = { toEffectiveDate: '2024-04-01' };
    const served: { readonly at: string; readonly balances: unknown }[] = [];
    const look = async (): Promise<void> => {
      h.nowMs += 1_000;
      served.push({ at: new Date(h.nowMs).toISOString(), balances: await h.query('loan.balances', loanId, later) });
      h.nowMs += 60_000;
    };
    await look();
    await h.command('feeType.create', h.company, LATE, { params: { loanTypeId } });
    await pass('2024-01-20');
    await look();
    await h.command('loanType.update', h.company, { interest: { accrueOnOverdue: false } }, { params: { loanTypeId } });
    await pass('2024-02-25');
    await look();
    await h.command('loan.replay', loanId, { fromDate: '2024-01-15' }, { permissions: ['*'], params: { personId } });
    await look();
    t.not(JSON.stringify(served[0]?.balances), JSON.stringify(served[2]?.balances), 'a late fee has come');
    const check = async (): Promise<void> => {
      for (const { at, balances } of served)
        t.same(await h.query('loan.balances', loanId, { ...later, recordedAsOf: at }), balances, `as known at ${at}`);
    };
    await check();
    await h.restart();
    await check();
    t.same(h.reports, []);
  });
}
