import { type Test, test } from 'tap';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { dataOf, listOf } from '../http-lender.js';
import { type Data, openSettled } from './settled-lender.js';

const RUNS = 3;
const DAY_MS = 86_400_000;
const STEPS = 45;

const dateOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
const centsOf = (value: unknown): number => Math.round(Number(value) * 100);

/**
 * Payments that come late, fail, are reversed and moved, new owners, replays, and settlements that are canceled or fail: at the end each
 * owner has been paid its part of what came in, by the ledger of the end, and nobody anything else.
 */
async function live(t: Test, seed: number): Promise<void> {
  const random = new Random(seed);
  const lender = await openSettled(t);
  const { ask, loan, settlements, investors, settle, advance, pay, get, goTo, h } = lender;
  const paid: string[] = [];
  let isLast = false;
  let now = Date.parse('2026-03-05');
  await goTo(dateOf(now));
  const past = (): string => dateOf(now - random.below(12) * DAY_MS);
  const shares = (): readonly object[] => {
    const share = random.pick([0, 0.25, 0.3333, 0.5, 0.99999999, 1]);
    return investors.map((investorId, at) => ({ investorId, share: at === 0 ? share : Math.round((1 - share) * 1e8) / 1e8 }));
  };
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    pay: async () => {
      const day = past();
      const amount = (100 + random.below(9_000)) / 100;
      const made = await pay(amount, day < '2026-03-02' ? '2026-03-02' : day).catch(() => null); // nothing is owed any more
      if (made !== null) paid.push(made);
    },
    fail: () => ask('PUT', `${loan}/transactions/${random.pick(paid)}`, { status: 'failed', failureReason: 'insufficientFunds' }),
    reverse: () => ask('POST', `${loan}/transactions/${random.pick(paid)}/reverse`, {}),
    chargeBack: () =>
      ask('POST', `${loan}/transactions/${random.pick(paid)}/chargebacks`, { amount: 1 + random.below(30), status: 'lost' }),
    backdate: () => ask('POST', `${loan}/transactions/${random.pick(paid)}/backdate`, { effectiveDate: past() }),
    sell: () => ask('PUT', `${loan}/investors`, { effectiveDate: past(), investors: shares() }),
    replay: () => ask('POST', `${loan}/replay`, {}),
    wait: async () => {
      now += (1 + random.below(9)) * DAY_MS;
      await goTo(dateOf(now));
      await advance();
    },
    settle: async () => {
      for (const investorId of investors) {
        const made = await settle(investorId).catch(() => null); // a period that is settled through yesterday
        if (made === null) continue;
        t.equal(
          centsOf(made['netAmount']),
          centsOf(made['grossAmount']) - centsOf(made['clawbackAmount']) - centsOf(made['feesAmount']) + centsOf(made['carriedAmount']),
        );
        if (made['status'] === 'pending' && !isLast && random.below(4) === 0)
          await ask('POST', `${settlements}/${String(made['id'])}/cancel`, {});
      }
    },
    transferFails: async () => {
      const paidOut = [
        ...listOf(await ask('GET', `${settlements}?status=initiated`)),
        ...listOf(await ask('GET', `${settlements}?status=succeeded`)),
      ];
      const returned = paidOut.filter(({ netAmount }) => Number(netAmount) > 0 && random.below(2) === 0);
      for (const { id } of returned)
        await h.command('settlement.fail', String(id), { failureReason: 'account closed' }, { permissions: ['*'] });
    },
  };
  await acts['pay']?.();
  for (let step = 0; step < STEPS; step += 1) await acts[random.pick(Object.keys(acts))]?.();
  now += 40 * DAY_MS;
  await goTo(dateOf(now));
  await advance();
  isLast = true;
  await acts['settle']?.();
  await closing(t, lender, get, () => goTo(dateOf(now + DAY_MS)));
  await h.restart();
  t.same(h.reports, []);
}

/** Sums of all lines that count, by payment and component, against the ledger. */
async function closing(
  t: Test,
  { ask, loan, settlements, investors }: Awaited<ReturnType<typeof openSettled>>,
  get: (id: unknown) => Promise<Data>,
  nextDay: () => Promise<void>,
): Promise<void> {
  const sums = new Map<string, number[]>();
  let net = 0;
  let transferred = 0;
  for (const { id, status, grossAmount, clawbackAmount, netAmount } of listOf(await ask('GET', `${settlements}?limit=100`))) {
    if (status === 'canceled' || status === 'failed') continue;
    t.match(await get(id), { isComputed: true });
    net += centsOf(grossAmount) - centsOf(clawbackAmount);
    transferred += Math.max(0, centsOf(netAmount));
    for (const line of listOf(await ask('GET', `${settlements}/${String(id)}/transactions?limit=100`))) {
      const before = sums.get(String(line['transactionId'])) ?? [0, 0, 0];
      const parts = [line['principalAmount'], line['interestAmount'], line['feesAmount']].map(centsOf);
      sums.set(
        String(line['transactionId']),
        before.map((sum, at) => sum + (parts[at] ?? 0)),
      );
    }
  }
  let received = 0;
  for (const payment of listOf(await ask('GET', `${loan}/transactions?limit=100`))) {
    const { id, status, transactionType, reversedByTransactionId } = payment;
    if (transactionType !== 'payment') continue;
    const counts = status === 'succeeded' && reversedByTransactionId === null;
    const whole = [payment['paidPrincipalAmount'], payment['paidInterestAmount'], payment['paidFeesAmount']].map(centsOf);
    const expected = counts ? whole : [0, 0, 0];
    t.same(sums.get(String(id)) ?? [0, 0, 0], expected, `${String(id)} is settled whole`);
    received += expected.reduce((sum, part) => sum + part, 0);
  }
  t.equal(net, received, 'what was settled with investors is what came in');
  await nextDay();
  let open = 0;
  for (const investorId of investors)
    open += centsOf(dataOf(await ask('POST', `${settlements}?previewMode=true`, { investorId }))['carriedAmount']);
  t.equal(transferred + open, received, 'what was transferred, without what they owe, is what came in');
}

for (let run = 0; run < RUNS; run += 1) {
  const seed = SEED + run;
  test(`what owners are paid sums to the cent to what came in, whatever happens (TENOR_SEED=${seed})`, (t) => live(t, seed));
}
