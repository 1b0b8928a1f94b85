import { test } from 'tap';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { type Data, itemsOf } from '../../harness.js';
import { LineLife } from './life.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 3);
const STEPS = 40;

const centsIn = (value: unknown): number => Math.round(Number(value ?? 0) * 100);

/** Money 5, rule 5: what a statement begins with and what has happened make what it ends with. */
function balanced(details: Data): number {
  const sum = (names: readonly string[]): number => names.reduce((total, name) => total + centsIn(details[name]), 0);
  const raised = sum([
    'totalPurchasesForThisPeriod',
    'totalCashAdvancesForThisPeriod',
    'totalInterestForThisPeriod',
    'totalFeesForThisPeriod',
  ]);
  const back = sum(['totalPaymentReversalsForThisPeriod', 'totalCreditReversalsForThisPeriod', 'totalAdjustmentsForThisPeriod']);
  return (
    centsIn(details['previousBalance']) +
    raised +
    back -
    sum(['totalPaymentsForThisPeriod', 'totalCreditsForThisPeriod', 'totalRefundsForThisPeriod'])
  );
}

/** What is wrong with the figures that a line shows. */
async function faultsOf({ s: { h, loanId, personId } }: LineLife): Promise<readonly string[]> {
  const read = (type: string, query: object = {}, params: object = {}): Promise<Data> =>
    h.query(type, loanId, query, { permissions: ['*'], params: { personId, ...params } });
  const faults: string[] = [];
  const fault = (what: string, ...shown: readonly unknown[]): void => void faults.push(`${what}: ${shown.map(String).join(', ')}`);
  for (const { id } of itemsOf(await read('statement.list', { limit: 100, includeAllVersions: true }))) {
    const details = await read('statement.details', {}, { statementId: id });
    const closing = centsIn(details['newBalanceAmount']);
    if (balanced(details) !== closing)
      fault('a statement’s totals do not make its balance', details['statementDate'], balanced(details), closing);
    const draws = details['drawInfos'] as readonly Data[];
    const onDraws = draws.reduce((total, draw) => total + centsIn(draw['newBalanceAmount']), 0);
    if (onDraws > closing) fault('draws owe more than their line', details['statementDate'], onDraws, closing);
    for (const name of ['minimumDueAmount', 'newBalanceAmount', 'remainingAmount', 'creditBalanceAmount', 'lateFeeUpToAmount']) {
      if (centsIn(details[name]) < 0) fault('a figure is below nothing', name, details[name]);
    }
  }
  const { schedule } = (await read('loan.expectedPayments')) as unknown as { readonly schedule: readonly Data[] };
  for (const row of schedule) {
    for (const name of ['amount', 'principalAmount', 'interestAmount'])
      if (centsIn(row[name]) < 0) fault('a row is below nothing', row['date'], name, row[name]);
    if (centsIn(row['principalAmount']) + centsIn(row['interestAmount']) > centsIn(row['amount']))
      fault('a row asks for less than its parts', row['date']);
  }
  return faults;
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`the totals of each statement of a line make its balance, whatever has happened (TENOR_SEED=${seed})`, async (t) => {
    const life = await LineLife.open(new Random(seed));
    const { h } = life.s;
    t.teardown(() => h.engine.close());
    const done: string[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      if (life.random.below(2) === 0) await life.pass();
      const order = await life.order();
      if (order === null) continue;
      await life.ask(order, { isPreview: false });
      done.push(order.type);
      const faults = await faultsOf(life);
      if (faults.length > 0) {
        t.fail(`${faults.join('; ')} after ${done.slice(-6).join(', ')}`);
        break;
      }
    }
    t.same(h.reports, []);
  });
}
