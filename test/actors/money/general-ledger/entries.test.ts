import { test } from 'tap';
import {
  addressOfEntry,
  batchHash,
  type Chained,
  DaySums,
  type Entry,
  entryIdOf,
} from '../../../../actors/money/general-ledger/entries.js';
import { cents, dayOf } from '../../../../engine/index.js';

const DAY = dayOf(2026, 3, 31);

const ENTRY: Entry = {
  id: 'GE-0a1b2c3d',
  key: 'CP-1/test/accrual/LN-7KQ1-ZZ4M/1',
  basis: 'accrual',
  accountingDate: DAY,
  effectiveDate: DAY,
  recordedAt: 1_774_000_000_000,
  loanId: 'LN-7KQ1-ZZ4M',
  factId: 'LN-7KQ1-ZZ4M-1',
  factType: 'payment',
  rule: 'payment',
  priorYear: false,
  lines: [
    { role: 'bank', dimensions: { loanTypeId: 'LT-1', currency: 'USD' }, amount: cents(11_001) },
    { role: 'principalReceivable', dimensions: { currency: 'USD', loanTypeId: 'LT-1' }, amount: cents(-11_001) },
  ],
};

const CHAINED: Chained = { company: 'CP-1', mode: 'test', basis: 'accrual', day: DAY, sequence: 2, previousHash: 'before' };

const contentOf = (...entries: readonly Entry[]): ReturnType<DaySums['content']> => {
  const sums = new DaySums();
  for (const entry of entries) sums.add(entry);
  return sums.content();
};

test('the totals of a day', (t) => {
  const [debit, credit] = ENTRY.lines;
  const again: Entry = {
    ...ENTRY,
    key: 'another',
    loanId: 'LN-1',
    corrects: 'LN-1-1',
    lines: [debit, credit].flatMap((line) => line ?? []),
  };
  t.match(contentOf(ENTRY, again), {
    entryCount: 2,
    lineCount: 4,
    loanCount: 2,
    correctionCount: 1,
    debitCents: 22_002,
    creditCents: 22_002,
    totals: [
      { role: 'bank', debitCents: 22_002, creditCents: 0 },
      { role: 'principalReceivable', debitCents: 0, creditCents: 22_002 },
    ],
  });
  t.throws(() => contentOf({ ...ENTRY, lines: ENTRY.lines.slice(1) }), /does not balance/);
  t.end();
});

test('each field of an entry and each link of the chain changes the hash, and the order of dimensions does not', (t) => {
  const content = contentOf(ENTRY);
  const lines = ENTRY.lines.map((line) => ({ ...line, dimensions: Object.fromEntries(Object.entries(line.dimensions).toReversed()) }));
  t.equal(contentOf({ ...ENTRY, lines }).contentHash, content.contentHash);
  const changes: readonly Partial<Entry>[] = [
    { key: 'x' },
    { accountingDate: dayOf(2026, 4, 1) },
    { effectiveDate: dayOf(2026, 3, 30) },
    { effectiveThrough: DAY },
    { recordedAt: 1 },
    { loanId: 'LN-1' },
    { drawId: 'DR-1' },
    { factId: 'x' },
    { factType: 'x' },
    { rule: 'x' },
    { corrects: 'x' },
    { priorYear: true },
    { actor: 'x' },
    { caseId: 'x' },
    { lines: ENTRY.lines.map((line) => ({ ...line, amount: cents(line.amount * 2) })) },
    { lines: ENTRY.lines.map((line) => ({ ...line, dimensions: {} })) },
    { lines: ENTRY.lines.map((line) => ({ ...line, owner: 'IN-1' })) },
  ];
  for (const change of changes) t.not(contentOf({ ...ENTRY, ...change }).contentHash, content.contentHash, JSON.stringify(change));
  const hash = batchHash(CHAINED, content);
  for (const change of [
    { company: 'x' },
    { mode: 'live' },
    { basis: 'cash' },
    { day: dayOf(2026, 4, 1) },
    { sequence: 3 },
    { previousHash: null },
  ])
    t.not(batchHash({ ...CHAINED, ...change } as Chained, content), hash, JSON.stringify(change));
  t.not(batchHash(CHAINED, { ...content, totals: [] }), hash);
  t.equal(batchHash(CHAINED, contentOf(ENTRY)), hash);
  t.end();
});

test('the id of an entry names its loan, day and basis', (t) => {
  const id = entryIdOf(ENTRY);
  t.equal(id, 'GE-7KQ1ZZ4M0FUNA-0A1B2C3D');
  t.strictSame(addressOfEntry(id), { loanId: 'LN-7KQ1-ZZ4M', day: DAY, basis: 'accrual' });
  t.strictSame(addressOfEntry(entryIdOf({ ...ENTRY, basis: 'cash' }))?.basis, 'cash');
  for (const wrong of ['GE-0000-0000', 'GB-7KQ1ZZ4M0FUNA-0A1B2C3D', 'GE-7KQ1ZZ4M0FUNX-0A']) t.equal(addressOfEntry(wrong), null);
  t.end();
});
