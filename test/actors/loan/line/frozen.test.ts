import { test } from 'tap';
import { itemsOf } from '../../harness.js';
import { openLineAutopay } from '../autopay/setting.js';

test('the periods of a frozen line go on, with statements that ask for nothing', async (t) => {
  const s = await openLineAutopay({ freezeAllowedForLineOfCredit: true });
  t.teardown(() => s.h.engine.close());
  await s.buy(1_000);
  await s.h.command('loan.freeze', s.loanId, {}, { params: { personId: s.personId } });
  await s.pass('2024-03-01');
  const stated = itemsOf(await s.h.query('statement.list', s.loanId));
  t.match(stated, [
    { statementDate: '2024-02-23', minimumDueAmount: 0, newBalanceAmount: 1_000 },
    { statementDate: '2024-01-25', minimumDueAmount: 0, newBalanceAmount: 1_000 },
  ]);
  t.match(await s.loan(), { status: 'frozen', current: { isOverdue: false, nextDueDate: null } });
  await s.h.command('loan.unfreeze', s.loanId, {}, { params: { personId: s.personId } });
  await s.pass('2024-03-26');
  const [newest] = itemsOf(await s.h.query('statement.list', s.loanId));
  t.match(newest, { statementDate: '2024-03-25', minimumDueAmount: 61.83 });
  t.same(s.h.reports, []);
});
