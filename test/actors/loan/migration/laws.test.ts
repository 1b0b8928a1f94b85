import { test } from 'tap';
import { loanModule } from '../../../../actors/loan/index.js';
import { addDays, type Day, formatDay, must, parseDay } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { type Data, itemsOf } from '../../harness.js';
import { loanBody, openSetting, type Setting } from '../setting.js';
import { bare } from './bare.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 1);
const LOANS = 6;
const START = must(parseDay('2024-01-15'), 'a date');
const END = must(parseDay('2024-12-20'), 'a date');
const NOON = { hour: 12, minute: 0, second: 0 };

interface Act {
  readonly day: Day;
  readonly type: string;
  readonly body: object;
  /** What the same act must say besides when it is recorded later. */
  readonly past: object;
}

const LATE_FEE = {
  name: { apiName: 'late', displayName: 'Late fee' },
  feeType: 'lateFee',
  amountLogic: 'fixed',
  amount: 25,
  chargeLogic: 'nextDueDate',
  trigger: 'overdueDays',
  triggerDays: 10,
};
const CHECK_FEE = {
  name: { apiName: 'check', displayName: 'Check' },
  feeType: 'nsfFee',
  amountLogic: 'fixed',
  amount: 15,
  chargeLogic: 'nextDueDate',
  trigger: 'manual',
};

/** At most one act a day, so that its time within the day does not matter. */
function historyOf(random: Random): readonly Act[] {
  const acts: Act[] = [];
  for (let day = addDays(START, 1 + random.below(30)); day < END; day = addDays(day, 1 + random.below(40))) acts.push(actOn(random, day));
  return acts;
}

function actOn(random: Random, day: Day): Act {
  const date = formatDay(day);
  const cents = (most: number): number => (1 + random.below(most * 100)) / 100;
  switch (random.below(8)) {
    case 0:
      return {
        day,
        type: 'loanRate.add',
        body: { interestRate: { annualRate: random.below(2_000) / 10_000, startDate: date, isEndExistingRates: true } },
        past: {},
      };
    case 1:
      return {
        day,
        type: 'loanFee.charge',
        body: { apiName: 'check', feeAmount: cents(30) },
        past: { chargeDate: date, chargeTimeOfDay: NOON },
      };
    case 2:
      return {
        day,
        type: 'transaction.create',
        body: { type: 'serviceCredit', amount: cents(40), serviceCreditDetails: { type: 'courtesy' } },
        past: { effectiveDate: date, effectiveTimeOfDay: NOON },
      };
    case 3:
      return {
        day,
        type: 'refund.create',
        body: { refundAmount: cents(100), atFaultParty: 'merchant' },
        past: { refundDate: date, refundTimeOfDay: NOON },
      };
    default:
      return {
        day,
        type: 'transaction.create',
        body: { type: 'oneTime', amount: cents(450), isExternal: true, status: 'succeeded', enablePrepayments: random.below(2) === 0 },
        past: { effectiveDate: date, effectiveTimeOfDay: NOON },
      };
  }
}

/** The past may be recorded in any order; of rates each says what it ends. */
function mixed(random: Random, acts: readonly Act[]): readonly Act[] {
  const rates = acts.filter(({ type }) => type === 'loanRate.add');
  const others = acts.filter(({ type }) => type !== 'loanRate.add').map((act) => ({ act, place: random.below(1_000) }));
  return [...rates, ...others.sort((a, b) => a.place - b.place).map(({ act }) => act)];
}

const READS = ['loan.balances', 'loan.obligations', 'loan.expectedPayments'];

/** Fees are listed by the time of their recording. */
async function figuresOf({ h }: Setting, id: string): Promise<unknown> {
  const read = await Promise.all(READS.map(async (type) => (await h.query(type, id)) as unknown));
  // A late fee that a replay removed is visible if it was charged here; for the history of another system it was never charged.
  const fees = itemsOf(await h.query('loanFee.list', id, { limit: 100 }))
    .filter(({ status, amount }) => status !== 'canceled' || amount !== 0)
    .map((fee) => JSON.stringify(bare(fee)));
  return [...read.map(bare), fees.sort()];
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`a migrated loan is to the cent the loan that lived here with the same past (TENOR_SEED=${seed})`, async (t) => {
    const random = new Random(seed);
    const setting = await openSetting({}, '2024-01-15', loanModule());
    const { h, personId, loanTypeId, goTo, active } = setting;
    t.teardown(() => h.engine.close());
    for (const fee of [LATE_FEE, CHECK_FEE]) await h.command('feeType.create', h.company, fee, { params: { loanTypeId } });
    const ask = (type: string, id: string, body: object): Promise<Data> =>
      h.data(type, id, body, { permissions: ['*'], params: { personId } });
    const histories = Array.from({ length: LOANS }, () => historyOf(random));
    const lived = await Promise.all(histories.map(() => active()));
    const done: Act[][] = histories.map(() => []);
    const calendar = histories.flatMap((acts, loan) => acts.map((act) => ({ act, loan }))).sort((a, b) => a.act.day - b.act.day);
    for (const { act, loan } of calendar) {
      await goTo(formatDay(act.day));
      const taken = await ask(act.type, must(lived[loan], 'a loan').id, act.body).then(
        () => true,
        () => false,
      );
      if (taken) done[loan]?.push(act);
    }
    await goTo(formatDay(END));
    for (const [loan, acts] of done.entries()) {
      const { id } = await h.data('loan.create', personId, loanBody(loanTypeId, { migration: { activatedDate: '2024-01-15' } } as object), {
        params: { personId },
      });
      for (const act of mixed(random, acts)) await ask(act.type, id, { ...act.body, ...act.past });
      t.match(await ask('loan.migrate', id, {}), { migrationStatus: 'migrated' });
      const own = must(lived[loan], 'a loan').id;
      t.strictSame(await figuresOf(setting, id), await figuresOf(setting, own), `loan ${loan} with ${acts.length} acts`);
    }
    t.same(h.reports, []);
  });
}
