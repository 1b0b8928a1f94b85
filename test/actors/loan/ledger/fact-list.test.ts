import { test } from 'tap';
import { FactList } from '../../../../actors/loan/ledger/fact-list.js';
import { ledgerFacts } from '../../../../actors/loan/facts.js';
import type { StoredLedgerFact } from '../../../../actors/loan/state.js';
import { pack, unpack } from '../../../../actors/kernel/journal/records.js';
import { must } from '../../../../engine/index.js';
import { centsFrom, dayFrom } from '../../../engine/numbers.js';
import { Random } from '../../../random.js';
import { collectGarbage } from '../../../garbage-collection.js';
import { SEED } from '../../../seed.js';

const DAY = dayFrom('2025-03-01');
const STEPS = 500;

function aPayment(random: Random, sequence: number): StoredLedgerFact {
  return {
    fact: {
      type: 'payment',
      transaction: sequence,
      kind: 'payment',
      amountCents: centsFrom('12.50'),
      isPrepaymentEnabled: null,
      isProcessing: random.below(2) === 0,
      effective: { day: DAY, seconds: random.below(86_400) },
      sequence,
      recordedDay: DAY,
    },
    recordedAt: 1_740_000_000_000 + sequence,
    by: { type: 'key', id: `AK-0000-000${random.below(3)}` },
    caseId: random.below(5) === 0 ? 'CS-0000-0001' : null,
  };
}

/** As a start reads it from a snapshot. */
function stored(list: FactList<StoredLedgerFact>): FactList<StoredLedgerFact> {
  const packed = structuredClone(list.pack());
  const parts = new Map(list.parts().map(({ name, value }) => [name, unpack(pack(value))]));
  return FactList.unpack(ledgerFacts, packed, (name) => parts.get(name));
}

test(`facts are the same before and after any snapshot, and copies keep theirs: seed ${SEED}`, (t) => {
  const random = new Random(SEED);
  let list = new FactList<StoredLedgerFact>(ledgerFacts);
  const known: StoredLedgerFact[] = [];
  const copies: { readonly copy: FactList<StoredLedgerFact>; readonly length: number }[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const fact = aPayment(random, known.length + 1);
    list.push(fact);
    known.push(fact);
    switch (random.below(30)) {
      case 0:
        list.pack();
        break;
      case 1:
        list = stored(list);
        break;
      case 2:
        copies.push({ copy: list.copy(), length: known.length });
        break;
      default:
    }
    if (step % 50 > 0) continue;
    t.equal(list.length, known.length);
    t.strictSame(list.all(), known);
    const index = random.below(known.length + 2);
    t.strictSame(list.at(index), known[index]);
  }
  for (const { copy, length } of copies) t.strictSame(copy.all(), known.slice(0, length));
  t.end();
});

test('stored pages are read for old facts, and for nothing at the present end', async (t) => {
  const random = new Random(SEED);
  const list = new FactList<StoredLedgerFact>(ledgerFacts);
  const known: StoredLedgerFact[] = [];
  const push = (): void => {
    known.push(aPayment(random, known.length + 1));
    list.push(must(known.at(-1), 'a fact'));
  };
  const stored = new Map<string, unknown>();
  const reads: string[] = [];
  for (let each = 1; each <= 400; each += 1) push();
  list.pack();
  for (const part of list.parts()) {
    stored.set(part.name, unpack(pack(part.value)));
    part.evict?.((name) => {
      reads.push(name);
      return stored.get(name);
    });
  }
  await collectGarbage();
  push();
  t.strictSame([list.length, list.at(400), list.from(390)], [401, known[400], known.slice(390)]);
  t.strictSame(
    list.findLast(() => true),
    known[400],
  );
  const copy = list.copy();
  list.pack();
  t.strictSame(reads, []);
  t.strictSame(list.at(130), known[130]);
  t.strictSame(reads, ['facts-1']);
  t.strictSame([list.all(), copy.all()], [known, known]);
  t.strictSame([...new Set(reads)].sort(), ['facts-0', 'facts-1', 'facts-2']);
  t.end();
});

test('full pages are the same bytes in each later snapshot', (t) => {
  const random = new Random(SEED);
  const list = new FactList<StoredLedgerFact>(ledgerFacts);
  for (let sequence = 1; sequence <= 300; sequence += 1) list.push(aPayment(random, sequence));
  const { pages, rest } = list.pack();
  const before = list.parts().map(({ version }) => version);
  t.equal(before.length, pages);
  t.ok(pages > 1 && rest.length < 128);
  for (let sequence = 301; sequence <= 600; sequence += 1) list.push(aPayment(random, sequence));
  list.pack();
  t.ok(list.parts().length > before.length);
  t.ok(before.every((version, page) => list.parts()[page]?.version === version));
  t.end();
});
