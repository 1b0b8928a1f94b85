import { type Test, test } from 'tap';
import type { AccountingBalancesOfLoan, AccountingEntriesOfLoan, AccountingItemsOfLoan } from '../../../../actors/loan/index.js';
import { cents, day as dayOf, generalLedger, rate, RATE_ONE, splitByShares } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { dataOf, listOf } from '../http-lender.js';
import { type Data, openSettled } from '../parties/settled-lender.js';

const RUNS = 2;
const STEPS = 45;
const DAY_MS = 86_400_000;

const dateOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
const dayAt = (milliseconds: number) => dayOf(Math.floor(milliseconds / DAY_MS));
const centsOf = (value: unknown): number => Math.round(Number(value) * 100);

const MEMO = { principal: 'memoServicedPrincipal', interest: 'memoServicedInterest', fees: 'memoServicedFees' } as const;

/**
 * Payments that come late, fail, are reversed, moved and charged back, new owners at any price, and settlements that are canceled, fail
 * or come back: at the close of each day the own books hold the own share of what is owed; at the end nothing is owed to the others but
 * what is carried, and closed days are as they were.
 */
async function live(t: Test, seed: number): Promise<void> {
  const random = new Random(seed);
  const lender = await openSettled(t);
  const { ask, company, loan, settlements, investors, settle, advance, pay, goTo, h } = lender;
  const [alpha = '', beta = ''] = investors;
  await ask('PUT', `/companies/${company}/general-ledger/settings`, { ownerBooks: 'ownShare', lenderInvestorId: beta });
  const loanId = String(dataOf(await ask('GET', loan))['id']);
  const paid: string[] = [];
  const answered: string[][] = [];
  const lines: generalLedger.Line[] = [];
  let now = Date.parse('2026-03-02');

  const entriesOn = async (milliseconds: number): Promise<readonly generalLedger.Entry[]> => {
    const day = dayAt(milliseconds);
    const { entries } = (await h.query('loan.accountingEntriesOf', loanId, {
      bases: ['accrual'],
      from: day,
      through: day,
    })) as unknown as AccountingEntriesOfLoan;
    return entries;
  };
  const sumOf = (role: string, investor?: string): number =>
    lines.reduce(
      (sum, line) => (line.role === role && (investor === undefined || line.dimensions.investor === investor) ? sum + line.amount : sum),
      0,
    );

  const close = async (): Promise<void> => {
    const owners = listOf(await ask('GET', `${loan}/investors?effectiveDate=${dateOf(now)}`));
    const shares = investors.map((id) =>
      rate(Math.round(Number(owners.find(({ investorId }) => investorId === id)?.['share'] ?? 0) * RATE_ONE)),
    );
    const closed = now;
    now += DAY_MS;
    await goTo(dateOf(now));
    const entries = await entriesOn(closed);
    answered.push([dateOf(closed), JSON.stringify(entries)]);
    for (const entry of entries) {
      t.equal(
        entry.lines.reduce((sum, { amount }) => sum + amount, 0),
        0,
        entry.key,
      );
      lines.push(...entry.lines);
    }
    const page = { date: dayAt(closed), limit: 10 };
    const { items } = (await h.query('loan.accountingBalances', null, page)) as unknown as {
      readonly items: readonly AccountingBalancesOfLoan[];
    };
    const owed = items.find(({ id }) => id === loanId)?.balances;
    for (const component of ['principal', 'interest', 'fees'] as const) {
      const whole = owed?.[component] ?? 0;
      const own = sumOf(`${component}Receivable`);
      t.equal(own, splitByShares(cents(whole), shares)[1], `own ${component} on ${dateOf(closed)}`);
      t.equal(own + sumOf(MEMO[component]), whole, `all ${component} on ${dateOf(closed)}`);
    }
    const asOf = { basis: 'accrual', through: dayAt(closed), knownOn: dayAt(closed), limit: 10 };
    const held = (await h.query('loan.accountingItems', null, asOf)) as unknown as { readonly items: readonly AccountingItemsOfLoan[] };
    const believed = held.items.find(({ id }) => id === loanId)?.items.flatMap((item) => item.lines) ?? [];
    t.equal(
      JSON.stringify(generalLedger.balancesOfLines(lines)),
      JSON.stringify(generalLedger.balancesOfLines(believed)),
      `booked through ${dateOf(closed)}`,
    );
  };
  const past = (): string => dateOf(Math.max(Date.parse('2026-03-02'), now - random.below(12) * DAY_MS));
  const shares = (): readonly object[] => {
    const share = random.pick([0, 0.25, 0.3333, 0.5, 0.99999999, 1]);
    const priceRatio = random.pick([0.97, 1, 1.0123]);
    return investors.map((investorId, at) => ({ investorId, share: at === 0 ? share : Math.round((1 - share) * 1e8) / 1e8, priceRatio }));
  };
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    pay: async () => {
      const made = await pay((100 + random.below(9_000)) / 100, past()).catch(() => null); // nothing is owed any more
      if (made !== null) paid.push(made);
    },
    fail: () => ask('PUT', `${loan}/transactions/${random.pick(paid)}`, { status: 'failed', failureReason: 'insufficientFunds' }),
    reverse: () => ask('POST', `${loan}/transactions/${random.pick(paid)}/reverse`, {}),
    chargeBack: () =>
      ask('POST', `${loan}/transactions/${random.pick(paid)}/chargebacks`, { amount: 1 + random.below(30), status: 'lost' }),
    backdate: () => ask('POST', `${loan}/transactions/${random.pick(paid)}/backdate`, { effectiveDate: past() }),
    sell: () => ask('PUT', `${loan}/investors`, { effectiveDate: past(), investors: shares() }),
    wait: async () => {
      for (let days = 1 + random.below(5); days > 0; days -= 1) {
        await close();
        await advance();
      }
    },
    settle: async () => {
      for (const investorId of investors) {
        const made = await settle(investorId).catch(() => null); // a period that is settled through yesterday
        if (made?.['status'] === 'pending' && random.below(4) === 0) await ask('POST', `${settlements}/${String(made['id'])}/cancel`, {});
      }
    },
    transferFails: async () => {
      const all = [
        ...listOf(await ask('GET', `${settlements}?status=initiated`)),
        ...listOf(await ask('GET', `${settlements}?status=succeeded`)),
      ];
      for (const { id } of all.filter(({ netAmount }) => Number(netAmount) > 0 && random.below(2) === 0))
        await h.command('settlement.fail', String(id), { failureReason: 'account closed' }, { permissions: ['*'] });
      await h.engine.settled();
    },
  };
  await goTo(dateOf(now));
  await acts['pay']?.();
  for (let step = 0; step < STEPS; step += 1) await acts[random.pick(Object.keys(acts))]?.();
  await close();
  await settle(alpha);
  for (let days = 0; days < 6; days += 1) {
    await close();
    await advance();
  }
  const { carriedAmount } = dataOf(await ask('POST', `${settlements}?previewMode=true`, { investorId: alpha })) as Data;
  t.equal(sumOf('investorPayable', alpha), -centsOf(carriedAmount), 'nothing is owed but what is carried');
  t.equal(sumOf('investorPayable', beta), 0, 'nothing is owed to the lender itself');
  t.equal(sumOf('clearingOutgoing'), -120_000, 'no transfer is under way');
  await h.restart();
  for (const [date = '', entries] of answered) t.equal(JSON.stringify(await entriesOn(Date.parse(date))), entries, `${date} again`);
  t.same(h.reports, []);
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`the own books hold the own share, whatever happens to payments, owners and settlements (TENOR_SEED=${seed})`, (t) => live(t, seed));
}
