import { type Test, test } from 'tap';
import type { AccountingEntriesOfLoan, AccountingItemsOfLoan, AccountingItemsQuery } from '../../../../actors/loan/index.js';
import type { ListResult } from '../../../../actors/wire.js';
import { addDays, type Day, formatDay, generalLedger, must, startOfDay } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { LineLife } from '../line/life.js';
import { openPaySetting, type PaySetting } from '../transactions/setting.js';
import { BookedLife } from './life.js';

const RUNS = Number(process.env['TENOR_RUNS'] ?? 3);
const DAYS = 70;
const ZONE = 'America/New_York';

/** What was booked at the close of a day, as it was answered then. */
interface Booked {
  readonly day: Day;
  readonly basis: generalLedger.Basis;
  readonly entries: string;
}

const entriesOn = async ({ h, loanId }: PaySetting, day: Day, basis: generalLedger.Basis): Promise<readonly generalLedger.Entry[]> => {
  const span = { bases: [basis], from: day, through: day };
  return ((await h.query('loan.accountingEntriesOf', loanId, span)) as unknown as AccountingEntriesOfLoan).entries;
};

const balancesOn = async (
  { h, loanId }: PaySetting,
  day: Day,
  basis: generalLedger.Basis,
): Promise<readonly generalLedger.RoleBalance[]> => {
  const asked: AccountingItemsQuery = { basis, through: day, knownOn: day, limit: 100 };
  const { items: loans } = (await h.query('loan.accountingItems', null, asked)) as unknown as ListResult<AccountingItemsOfLoan>;
  const { items } = must(
    loans.find(({ id }) => id === loanId),
    loanId,
  );
  return generalLedger.balancesOfLines(items.flatMap(({ lines }) => lines));
};

const asText = (balances: readonly generalLedger.RoleBalance[]): string =>
  balances.map((balance) => `${generalLedger.accountKey(balance)} ${balance.amount}`).join('\n');

const sumOf = (balances: readonly generalLedger.RoleBalance[], role: generalLedger.Role): number =>
  balances.reduce((sum, balance) => (balance.role === role ? sum + balance.amount : sum), 0);

const centsOf = (value: unknown): number => Math.round(Number(value) * 100);

/** Principal, fees and what is owed to the borrower, as the loan itself shows them of what was known at the close of the day. */
async function checkOwed(t: Test, { h, loanId }: PaySetting, day: Day, balances: readonly generalLedger.RoleBalance[]): Promise<void> {
  const shown = await h.query('loan.balances', loanId, {
    toEffectiveDate: formatDay(day),
    recordedAsOf: new Date(startOfDay(ZONE, addDays(day, 1)) - 1).toISOString(),
    isRounded: true,
  });
  const { outstandingBalances, chargedOffBalances } = shown as unknown as Readonly<Record<string, Readonly<Record<string, number>>>>;
  const found = {
    principal: sumOf(balances, 'principalReceivable'),
    fees: sumOf(balances, 'feesReceivable'),
    claim: sumOf(balances, 'memoChargedOff'),
  };
  const wanted = {
    principal: centsOf(outstandingBalances?.['outstandingPrincipalAmount']),
    fees: centsOf(outstandingBalances?.['outstandingFeesAmount']),
    claim: centsOf(chargedOffBalances?.['chargedOffTotalAmount']),
  };
  t.same(found, wanted, `what is owed on ${formatDay(day)}`);
}

interface Life {
  readonly today: Day;
  /** Things of one day, and then its close. */
  day(): Promise<void>;
}

/** Lives some days, and asks for the entries of each at its close and again at the end. */
async function live(t: Test, setting: PaySetting, life: Life, days: number): Promise<void> {
  const lines: Record<generalLedger.Basis, generalLedger.Line[]> = { accrual: [], cash: [] };
  const answered: Booked[] = [];
  for (let count = 0; count < days; count += 1) {
    await life.day();
    const day = addDays(life.today, -1);
    for (const basis of generalLedger.BASES) {
      const entries = await entriesOn(setting, day, basis);
      answered.push({ day, basis, entries: JSON.stringify(entries) });
      for (const entry of entries) lines[basis].push(...entry.lines);
      const balances = await balancesOn(setting, day, basis);
      t.equal(asText(generalLedger.balancesOfLines(lines[basis])), asText(balances), `booked through ${formatDay(day)}, ${basis}`);
      if (basis === 'accrual') await checkOwed(t, setting, day, balances);
    }
  }
  for (const { day, basis, entries } of answered) {
    t.equal(JSON.stringify(await entriesOn(setting, day, basis)), entries, `${formatDay(day)} again, ${basis}`);
  }
  t.same(setting.h.reports, []);
  await setting.h.engine.close();
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`the general ledger of a loan's life holds what it owes, and closed days stay as they are (TENOR_SEED=${seed})`, async (t) => {
    const setting = await openPaySetting();
    await live(t, setting, new BookedLife(setting, new Random(seed)), DAYS);
  });
}

test(`the same of a loan that a merchant has brought (TENOR_SEED=${SEED})`, async (t) => {
  const mdr = { mdrRate: 0.0333, isAmortized: true, amortizationPeriod: 2 };
  const setting = await openPaySetting({}, { atOrigination: { mdr } });
  await live(t, setting, new BookedLife(setting, new Random(SEED)), DAYS);
});

test(`the same where late interest is not recognized (TENOR_SEED=${SEED})`, async (t) => {
  const setting = await openPaySetting();
  const { h } = setting;
  await h.command('generalLedgerSettings.adopt', h.company, { nonaccrualAfterDays: 7 }, { permissions: ['*'] });
  await live(t, setting, new BookedLife(setting, new Random(SEED)), DAYS);
});

/** A line on which one thing is ordered on most days. */
async function bookedLine(random: Random): Promise<{ readonly setting: PaySetting; readonly life: Life }> {
  const line = await LineLife.open(random);
  const life: Life = {
    get today() {
      return line.today;
    },
    async day() {
      const order = random.below(3) === 0 ? null : await line.order();
      if (order !== null) await line.ask(order, { isPreview: false });
      line.today = addDays(line.today, 1);
      await line.s.pass(formatDay(line.today));
    },
  };
  return { setting: line.s, life };
}

/** A line that is paid off before the grace of its last statement is decided: what is restored is owed to the borrower. */
const RESTORED_BEHIND_ITS_END = 482_534_982;

for (const seed of [RESTORED_BEHIND_ITS_END, ...Array.from({ length: RUNS }, (_, run) => SEED + run)]) {
  test(`the general ledger of a line's life holds what it owes, and closed days stay as they are (TENOR_SEED=${seed})`, async (t) => {
    const { setting, life } = await bookedLine(new Random(seed));
    await live(t, setting, life, DAYS);
  });
}

test(`the same of a line whose late interest is not recognized (TENOR_SEED=${SEED})`, async (t) => {
  const { setting, life } = await bookedLine(new Random(SEED));
  await setting.h.command('generalLedgerSettings.adopt', setting.h.company, { nonaccrualAfterDays: 7 }, { permissions: ['*'] });
  await live(t, setting, life, DAYS);
});
