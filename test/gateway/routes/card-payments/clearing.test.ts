import { test } from 'tap';
import { bai2File } from '../../../../bench/bank/written-statements.js';
import { addDays, type Day, formatDay, must, parseDay } from '../../../../engine/index.js';
import { sealingOf } from '../general-ledger/lender.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { openCards } from './cards-over-http.js';

const day = (text: string): Day => must(parseDay(text), text);

type Row = Readonly<Record<string, unknown>>;

test('a payment by card and its lost dispute pass through clearing, and the general ledger stays equal to the loan', async (t) => {
  const lender = await openCards(t, { cards: { disputes: new Map([['13.1', 1]]) } });
  const { ask, company, pay, settled, cards, failures, transaction } = lender;
  const root = `/companies/${company}/general-ledger`;
  const sealTo = sealingOf(lender);
  const id = await pay(100);
  await settled();
  const live = async (date: string): Promise<void> => {
    await sealTo(date);
    cards.run(day(date));
    await settled();
  };
  /** Cents on an account, and how often it has moved. */
  const booked = async (role: string): Promise<readonly [cents: number, times: number]> => {
    const entries = listOf(await ask('GET', `${root}/entries?role=${role}&basis=accrual&limit=100`));
    const lines = entries.flatMap((entry) => (entry['lines'] as readonly Row[]).filter((line) => line['role'] === role));
    return [lines.reduce((sum, { debit, credit }) => sum + Math.round((Number(debit ?? 0) - Number(credit ?? 0)) * 100), 0), lines.length];
  };
  await live('2026-03-12');
  await live('2026-03-13');
  t.match(await transaction(id), { status: 'inDispute' });
  t.same(await booked('clearingIncoming'), [0, 2], 'the payment has come in and was settled');
  t.same(await booked('bank'), [100_00, 1], 'it counts while its dispute is open');
  await live('2026-03-27');
  await live('2026-03-28');
  t.match(await transaction(id), { status: 'chargeback' });
  await sealTo('2026-03-30');
  t.same(await booked('clearingIncoming'), [0, 4], 'the chargeback takes both back');
  t.same(await booked('bank'), [0, 2]);
  for (const basis of ['accrual', 'cash'])
    for (const date of ['2026-03-02', '2026-03-26', '2026-03-29']) {
      const report = dataOf(await ask('GET', `${root}/reports/subledger?basis=${basis}&date=${date}`));
      for (const row of report['rows'] as readonly Row[])
        t.match(row, { difference: '0.00' }, `${date} ${basis} ${String(row['component'])}`);
    }
  t.same(failures, []);
});

test('what a processor of cards pays is matched on the statement of its account, and missed where it does not come', async (t) => {
  const lender = await openCards(t, { cards: { feeCents: 35 } });
  const { ask, h, pay, settled, cards, goTo, processorId } = lender;
  const account = {
    instrumentType: 'bankAccount',
    accountNumber: '4400112233',
    routingNumber: '021000021',
    accountType: 'checking',
    accountHolderType: 'business',
    accountHolderName: 'Northwind Lending',
  };
  const instrument = await ask('POST', `/payment-processors/${processorId}/funding-instruments`, account);
  t.equal(instrument.status, 201, instrument.text);
  const live = async (date: string): Promise<void> => {
    await goTo(date);
    cards.run(day(date));
    await settled();
  };
  await pay(100);
  await settled();
  await live('2026-03-03');
  await pay(50);
  await settled();
  await live('2026-03-04');
  const statementOf = async (date: string, paid: readonly (readonly [number, string])[]): Promise<Row> => {
    const lines = paid.map(([cents, reference], at) => ({
      day: day(date),
      cents,
      code: '165',
      bankReference: `BANK-${date}-${at}`,
      customerReference: reference,
      text: 'CARDS',
    }));
    const content = bai2File({ account: account.accountNumber, day: day(date), openingCents: 0, lines });
    const made = await ask('POST', `/bank-statements?fundingInstrumentId=${idOf(instrument)}`, undefined, {
      headers: { 'Content-Type': 'application/octet-stream' },
      body: Buffer.from(content),
    });
    if (made.status >= 300) throw new Error(made.text);
    await h.campaigns.statementsSettled();
    return dataOf(await ask('GET', `/bank-statements/${idOf(made)}`));
  };
  t.match(await statementOf('2026-03-03', [[99_65, 'CARDS20260302']]), { status: 'matched', matchedCount: 1, unexpectedCount: 0 });
  const last = addDays(day('2026-03-04'), 12);
  await live(formatDay(last));
  t.match(await statementOf(formatDay(last), [[1_00, 'SOMETHING']]), { status: 'differences', unexpectedCount: 1, missingCount: 1 });
});
