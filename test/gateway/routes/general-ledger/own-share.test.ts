import { test } from 'tap';
import { addDays } from '../../../../engine/index.js';
import { dayFrom } from '../../../engine/numbers.js';
import { dataOf, listOf } from '../http-lender.js';
import { SMALL } from '../loan-over-http.js';
import { type Data, openSettled, type SettledLender } from '../parties/settled-lender.js';
import { sealingOf } from './lender.js';

interface HeldByOwn {
  /** Debits minus credits of a role through the last sealed day, in cents; of one investor. */
  held(role: string, investorId?: string): Promise<number>;
  /** The lines of the entries of a rule, as `role investor debit credit`. */
  posted(rule: string, basis?: string): Promise<readonly string[]>;
  entries(basis?: string): Promise<readonly Data[]>;
}

const centsOf = (value: unknown): number => Math.round(Number(value) * 100);

function ownLedgerOf({ ask, company }: SettledLender, loan: string): HeldByOwn {
  const root = `/companies/${company}/general-ledger`;
  const entries = async (basis = 'accrual'): Promise<readonly Data[]> => {
    const loanId = String(dataOf(await ask('GET', loan))['id']);
    const found: Data[] = [];
    for (let after = ''; ; ) {
      const page = listOf(await ask('GET', `${root}/entries?loanId=${loanId}&basis=${basis}&limit=100${after}`));
      found.push(...page);
      if (page.length < 100) return found;
      after = `&startingAfter=${String(page.at(-1)?.['id'])}`;
    }
  };
  const linesOf = (entry: Data): readonly Data[] => entry['lines'] as readonly Data[];
  const investorOf = ({ dimensions }: Data): unknown => (dimensions as Data)['investor'];
  return {
    entries,
    async held(role, investorId) {
      const lines = (await entries()).flatMap(linesOf);
      return lines
        .filter((line) => line['role'] === role && (investorId === undefined || investorOf(line) === investorId))
        .reduce((sum, { debit, credit }) => sum + centsOf(debit) - centsOf(credit), 0);
    },
    posted: async (rule, basis) =>
      (await entries(basis))
        .filter((entry) => entry['rule'] === rule)
        .flatMap(linesOf)
        .map((line) => [line['role'], investorOf(line) ?? '-', line['debit'], line['credit']].join(' ')),
  };
}

test('the books of the own share pass on what others get of payments, and settlements pay it', async (t) => {
  const lender = await openSettled(t);
  const { ask, company, loan, investors, settle, pay, goTo, advance, get, failures, h } = lender;
  const [alpha = '', beta = ''] = investors;
  const root = `/companies/${company}/general-ledger`;
  const sealTo = sealingOf(lender);
  const { held, posted } = ownLedgerOf(lender, loan);
  const adopted = await ask('PUT', `${root}/settings`, { ownerBooks: 'ownShare', lenderInvestorId: 'ext-beta' });
  t.match(adopted, { status: 200, json: { data: { settings: { ownerBooks: 'ownShare', lenderInvestorId: beta } } } });
  await goTo('2026-03-20');
  const first = await pay(100.01, '2026-03-16');
  const second = await pay(50, '2026-03-17');
  t.match(await settle(alpha, { periodEndDate: '2026-03-17' }), { grossAmount: 90 });
  await sealTo('2026-03-21');
  t.equal(await held('investorPayable', alpha), -9_000, 'owed before the transfer');
  t.equal(await held('investorPayable', beta), 0, 'the lender owes itself nothing');
  const paid = await Promise.all([first, second].map((id) => ask('GET', `${loan}/transactions/${id}`)));
  const principal = paid.reduce((rest, reply) => rest - centsOf(dataOf(reply)['paidPrincipalAmount']), 120_000);
  t.equal(await held('principalReceivable'), Math.round(principal * 0.4));
  t.equal((await held('memoServicedPrincipal')) + (await held('principalReceivable')), principal);
  t.equal(await held('investorReceivable', alpha), 72_000, 'its part of what was paid out to the borrower');

  await sealTo('2026-03-23');
  await advance();
  await sealTo('2026-03-24');
  t.strictSame(await posted('settlement'), [`investorPayable ${alpha} 90.00 0.00`, 'clearingOutgoing - 0.00 90.00'].toSorted(byRole));
  t.equal(await held('investorPayable', alpha), 0, 'the transfer has left');
  t.equal(await held('clearingOutgoing'), -120_000 - 9_000);
  await advance();
  await sealTo('2026-03-25');
  t.strictSame(await posted('payoutSettledAtBank'), ['clearingOutgoing - 90.00 0.00', 'bank - 0.00 90.00'].toSorted(byRole));
  await ask('PUT', `${loan}/transactions/${second}`, { status: 'failed', failureReason: 'insufficientFunds' });
  await pay(10, '2026-03-24');
  const two = await settle(alpha, { periodEndDate: '2026-03-24' });
  t.match(two, { clawbackAmount: 30, grossAmount: 6, netAmount: -24, status: 'succeeded' });
  await sealTo('2026-03-26');
  t.equal(await held('investorPayable', alpha), 2_400, 'what comes back is carried as a debit');
  await pay(100, '2026-03-25');
  const three = await settle(alpha, { periodEndDate: '2026-03-25' });
  t.match(three, { carriedAmount: -24, grossAmount: 60, netAmount: 36 });
  await sealTo('2026-03-27');
  await advance();
  t.match(await get(three['id']), { status: 'initiated' });
  await sealTo('2026-03-28');
  t.equal(await held('investorPayable', alpha), 0, 'the transfer has paid what was carried, too');
  await h.command('settlement.fail', String(three['id']), { failureReason: 'account closed' }, { permissions: ['*'] });
  await h.engine.settled();
  await sealTo('2026-03-30');
  t.equal(await held('investorPayable', alpha), -3_600, 'a failed transfer is owed again');
  t.equal(await held('clearingOutgoing'), -120_000, 'no transfer is under way');
  t.match(await settle(alpha, { periodEndDate: '2026-03-29' }), { carriedAmount: -24, grossAmount: 60, netAmount: 36 });
  await sealTo('2026-03-31');
  await advance();
  await sealTo('2026-04-01');
  await advance();
  await sealTo('2026-04-02');
  t.equal(await held('investorPayable', alpha), 0);

  for (const basis of ['accrual', 'cash']) {
    for (const date of ['2026-03-20', '2026-03-25', '2026-04-01']) {
      const report = dataOf(await ask('GET', `${root}/reports/subledger?basis=${basis}&date=${date}`));
      for (const row of report['rows'] as readonly Data[])
        if (basis === 'accrual' || row['component'] !== 'interest')
          t.match(row, { difference: '0.00', loansWithDifference: 0 }, `${date} ${basis}`);
    }
  }
  t.equal((await posted('serviced')).length > 0, true);
  t.match(await ask('GET', `${root}/batches?status=different`), { json: { total: 0 } });
  const loanId = String(dataOf(await ask('GET', loan))['id']);
  const daysAgain = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let day = dayFrom('2026-03-02'); day <= dayFrom('2026-04-01'); day = addDays(day, 1))
      found.push(
        JSON.stringify(await h.query('loan.accountingEntriesOf', loanId, { bases: ['accrual', 'cash'], from: day, through: day })),
      );
    return found;
  };
  const answered = await daysAgain();
  await h.restart();
  t.same(await daysAgain(), answered, 'closed days asked again');
  t.same(failures, []);
});

const byRole = (a: string, b: string): number => (a < b ? -1 : 1);

test('a share that is sold leaves the books at its price, and one that is bought back enters them', async (t) => {
  const lender = await openSettled(t);
  const { ask, company, active, investors, goTo, failures, h } = lender;
  const [alpha = '', beta = ''] = investors;
  const root = `/companies/${company}/general-ledger`;
  const sealTo = sealingOf(lender);
  const alone = await active({ externalId: 'sold', atOrigination: SMALL });
  const { posted, held, entries } = ownLedgerOf(lender, alone);
  await ask('PUT', `${root}/settings`, { ownerBooks: 'ownShare', lenderInvestorId: beta });
  await goTo('2026-03-10');
  const sold = [
    { investorId: alpha, share: 0.6, priceRatio: 1.01 },
    { investorId: beta, share: 0.4 },
  ];
  t.match(await ask('PUT', `${alone}/investors`, { effectiveDate: '2026-03-10', investors: [{ ...sold[0], priceRatio: 11 }, sold[1]] }), {
    status: 400,
    json: { errors: [{ path: 'investors[0].priceRatio' }] },
  });
  t.match(await ask('PUT', `${alone}/investors`, { effectiveDate: '2026-03-10', investors: sold }), { status: 204 });
  t.match(listOf(await ask('GET', `${alone}/investors`)), [{ priceRatio: 1.01 }, { priceRatio: null }]);
  await sealTo('2026-03-11');
  // 8 days of interest on 1,200.00 at 18 %: 4.73, of which 60 % are 2.84. 720.00 of principal cost 727.20.
  t.strictSame([...(await posted('sale'))].sort(byRole), [
    'gainOnSale - 0.00 7.20',
    'interestReceivable - 0.00 2.84',
    `investorReceivable ${alpha} 730.04 0.00`,
    'principalReceivable - 0.00 720.00',
  ]);
  t.strictSame([...(await posted('sale', 'cash'))].sort(byRole), [
    'gainOnSale - 0.00 7.20',
    'interestIncome - 0.00 2.84',
    `investorReceivable ${alpha} 730.04 0.00`,
    'principalReceivable - 0.00 720.00',
  ]);
  t.strictSame([...(await posted('servicedSold'))].sort(byRole), [
    'memoContra - 0.00 722.84',
    'memoServicedInterest - 2.84 0.00',
    'memoServicedPrincipal - 720.00 0.00',
  ]);
  await goTo('2026-03-20');
  const back = [{ investorId: beta, share: 1, priceRatio: 0.99 }];
  t.match(await ask('PUT', `${alone}/investors`, { effectiveDate: '2026-03-20', investors: back }), { status: 204 });
  await sealTo('2026-03-21');
  t.equal(await held('principalReceivable'), 120_000);
  t.equal(await held('memoServicedPrincipal'), 0);
  t.equal(await held('gainOnSale'), -720 - 720, '1 % above principal for what was sold, and 1 % below for what was bought');
  t.ok((await entries()).some(({ rule, corrects }) => rule === 'buyBack' && corrects === null));
  await h.restart();
  t.same(failures, []);
});

test('books that begin to hold the own share bring the difference on their first day, also of loans that have ended', async (t) => {
  const lender = await openSettled(t);
  const { ask, company, loan, investors, pay, goTo, failures } = lender;
  const [alpha = '', beta = ''] = investors;
  const root = `/companies/${company}/general-ledger`;
  const sealTo = sealingOf(lender);
  const { held, entries } = ownLedgerOf(lender, loan);
  await goTo('2026-03-10');
  await pay(1300, '2026-03-09');
  await sealTo('2026-03-14');
  t.match(dataOf(await ask('GET', loan)), { status: 'paidOff' });
  t.equal(await held('investorPayable', alpha), 0);
  const closed = JSON.stringify(await entries());
  t.match(await ask('PUT', `${root}/settings`, { ownerBooks: 'ownShare', lenderInvestorId: beta, fromDate: '2026-03-16' }), {
    status: 200,
  });
  await sealTo('2026-03-18');
  const all = await entries();
  t.equal(
    JSON.stringify(all.filter(({ accountingDate }) => String(accountingDate) < '2026-03-16')),
    closed,
    'closed days are as they were',
  );
  t.ok(all.some(({ accountingDate, corrects }) => accountingDate === '2026-03-16' && corrects !== null));
  t.equal(await held('principalReceivable'), 0);
  t.equal(await held('memoServicedPrincipal'), 0);
  t.ok((await held('investorPayable', alpha)) < -72_000, 'its part of the payment is owed');
  t.same(failures, []);
});
