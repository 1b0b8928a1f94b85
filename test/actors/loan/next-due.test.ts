import { test } from 'tap';
import { itemsOf } from '../harness.js';
import { external, openPaySetting, type PaySetting } from './transactions/setting.js';

/** The next due date as the loan shows it, and whether lists find the loan by it and by no other. */
async function nextDue({ h, loan, loanId }: PaySetting): Promise<unknown> {
  const { nextDueDate } = (await loan())['current'] as { readonly nextDueDate: string | null };
  const listed = async (dueDate: string): Promise<boolean> =>
    itemsOf(await h.query('loan.list', null, { dueDate })).some(({ id }) => id === loanId);
  const days = ['2024-02-15', '2024-03-15', '2024-04-15', '2024-05-15'];
  const found: string[] = [];
  for (const day of days) if (await listed(day)) found.push(day);
  return [nextDueDate, ...found];
}

test('lists filter by the next due date that the loan shows', async (t) => {
  const setting = await openPaySetting();
  const { post, pass } = setting;
  t.same(await nextDue(setting), ['2024-02-15', '2024-02-15']);
  await post(external({ amount: 599.44, status: 'succeeded', enablePrepayments: true }));
  t.same(await nextDue(setting), ['2024-04-15', '2024-04-15'], 'two rows are paid ahead');
  await pass('2024-03-20');
  t.same(await nextDue(setting), ['2024-04-15', '2024-04-15']);
  await pass('2024-04-15');
  t.same(await nextDue(setting), ['2024-04-15', '2024-04-15'], 'what is due today comes first');
  await pass('2024-04-16');
  t.same(await nextDue(setting), ['2024-05-15', '2024-05-15'], 'what is overdue is not next');
  await post(external({ amount: 19_000, status: 'pending' }));
  t.same(await nextDue(setting), [null], 'nothing is left to fall due');
});

test('a row that asks for nothing is no due date', async (t) => {
  const rows = [0, 0, 5100, 5100].map((amount, index) => ({ date: `2024-0${index + 2}-15`, amount, isForcedAmount: index < 2 }));
  const setting = await openPaySetting({}, { atOrigination: { expectedPayments: rows, duration: 4 } });
  t.same(await nextDue(setting), ['2024-04-15', '2024-04-15']);
});

test('a fee shows its due date as soon as its charge logic decides it', async (t) => {
  const { h, loanId, loanTypeId, pass } = await openPaySetting();
  for (const chargeLogic of ['immediate', 'nextDueDate', 'lastDueDate', 'nonDue']) {
    const name = { displayName: chargeLogic, apiName: chargeLogic };
    await h.data(
      'feeType.create',
      h.company,
      { name, feeType: 'adHoc', amountLogic: 'fixed', amount: 5, trigger: 'manual', chargeLogic },
      { params: { loanTypeId } },
    );
    await h.command('loanFee.charge', loanId, { apiName: chargeLogic, externalId: chargeLogic });
    await h.command('loanFee.charge', loanId, { apiName: chargeLogic, chargeDate: '2024-03-01', externalId: `later-${chargeLogic}` });
  }
  const dueDates = async (): Promise<unknown> => {
    const fees = itemsOf(await h.query('loanFee.list', loanId)) as unknown as readonly {
      readonly dueDate: string;
      readonly dynamicFeeDetails: { readonly loanFeeExternalId: string };
    }[];
    return Object.fromEntries(fees.map(({ dueDate, dynamicFeeDetails }) => [dynamicFeeDetails.loanFeeExternalId, dueDate]));
  };
  t.same(await dueDates(), {
    immediate: '2024-01-15',
    nextDueDate: '2024-02-15',
    lastDueDate: '2027-01-15',
    nonDue: null,
    'later-immediate': '2024-03-01',
    'later-nextDueDate': '2024-03-15',
    'later-lastDueDate': '2027-01-15',
    'later-nonDue': null,
  });
  await pass('2024-02-15');
  t.match(await dueDates(), { immediate: '2024-02-15', nextDueDate: '2024-02-15', 'later-nextDueDate': '2024-03-15' });
});
