import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  type AnyLedgerFact,
  isLine,
  lastAppliedDay,
  recordedFrom,
  type RecordedRunning,
  type RunningLedger,
} from '../../../../actors/loan/ledger/running.js';
import { isBefore } from '../../../../actors/loan/views/recorded-tail.js';
import { type Day, latest, lineDigest, recordLedger, recordLine, stateDigest } from '../../../../engine/index.js';
import { allHistories, moneyHistories, termsHistories } from '../../../engine/ledger/installment/histories.js';
import { allLines, ordinaryLines } from '../../../engine/ledger/line/histories.js';
import { SEED } from '../../../seed.js';

/* What a ledger records from a head on is the end of its whole record, to the byte. */

const RUNS = 400;

interface Life {
  readonly facts: readonly AnyLedgerFact[];
  readonly through: Day;
  record(facts: readonly AnyLedgerFact[], day: Day): RecordedRunning;
}

/** The record of the facts behind a head at each third of the history, each head continued from the one before; null if none can be. */
function inParts({ facts, through, record }: Life): readonly RecordedRunning[] | null {
  const parts: RecordedRunning[] = [];
  let last: { readonly ledger: RunningLedger; readonly day: Day; readonly facts: number } | null = null;
  for (let end = 1; end < facts.length; end += 1) {
    const before: readonly AnyLedgerFact[] = facts.slice(last?.facts ?? 0, end);
    const made: RecordedRunning | null = headOf(before, last?.ledger ?? null, record);
    if (made === null) continue;
    const day: Day = before.reduce(
      (found, { effective, recordedDay }) => latest(found, latest(effective.day, recordedDay)),
      made.state.day,
    );
    if (!isBefore({ ledger: made.state, day }, facts.slice(end))) continue;
    parts.push(made);
    last = { ledger: made.state, day, facts: end };
    end += Math.floor(facts.length / 3);
  }
  if (last === null || last.day > through) return null;
  const rest = recordedFrom(last.ledger, facts.slice(last.facts), through);
  if (rest === null) throw new Error('the facts behind a head can be applied');
  return [...parts, rest];
}

function headOf(before: readonly AnyLedgerFact[], ledger: RunningLedger | null, record: Life['record']): RecordedRunning | null {
  const day = lastAppliedDay(ledger ?? record([], before[0]?.effective.day ?? (0 as Day)).state, before);
  if (day === null) return null;
  return ledger === null ? record(before, day) : recordedFrom(ledger, before, day);
}

/** Whether the parts were compared. */
function areEqual(life: Life): boolean {
  const parts = inParts(life);
  if (parts === null) return false;
  const whole = life.record(life.facts, life.through);
  const last = parts.at(-1);
  if (last === undefined) throw new Error('a part');
  const text = (value: unknown): string => JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));
  const shown = (entries: readonly RecordedRunning['entries'][number][]): string =>
    text(entries.map(({ day, seconds, entryType, source, lines }) => ({ day, seconds, entryType, source, lines })));
  const same = (one: string, other: string, what: string): void => {
    if (one !== other) throw new Error(`${what}\n${one}\nis not\n${other}`);
  };
  same(shown(parts.flatMap(({ entries }) => [...entries])), shown(whole.entries), 'entries');
  same(text(parts.flatMap(({ accruals }) => [...accruals])), text(whole.accruals), 'accruals');
  const newest = life.facts.at(-1);
  const own = newest?.type === 'payment' || newest?.type === 'purchase' ? newest.transaction : null;
  const allocated = ({ allocations }: RecordedRunning): string => text(allocations.filter(({ transaction }) => transaction === own));
  if (life.facts.length > 1) same(allocated(last), allocated(whole), 'allocations of the last payment');
  const digest = ({ state }: RecordedRunning): string => (isLine(state) ? lineDigest(state) : stateDigest(state));
  same(digest(last), digest(whole), 'digests');
  return true;
}

const numbered = <Fact extends AnyLedgerFact>(facts: readonly Fact[]): readonly Fact[] =>
  facts.map((fact, at) => ({ ...fact, sequence: at + 1 }));

for (const [name, histories] of Object.entries({ money: moneyHistories, terms: termsHistories, all: allHistories })) {
  void test(`the record of an installment loan continues from a head (${name}): seed ${SEED}`, async (t) => {
    let compared = 0;
    fc.assert(
      fc.property(histories, ({ terms, facts, through }) => {
        const record: Life['record'] = (known, day) => recordLedger(terms, known as typeof facts, latest(day, terms.activation));
        if (areEqual({ facts: numbered(facts), through, record })) compared += 1;
      }),
      { seed: SEED, numRuns: RUNS },
    );
    t.ok(compared > RUNS / 10, `${compared} histories with heads`);
  });
}

for (const [name, histories] of Object.entries({ ordinary: ordinaryLines, all: allLines })) {
  void test(`the record of a line of credit continues from a head (${name}): seed ${SEED}`, async (t) => {
    let compared = 0;
    fc.assert(
      fc.property(histories, ({ terms, facts, through }) => {
        const record: Life['record'] = (known, day) => recordLine(terms, known as typeof facts, latest(day, terms.activation));
        if (areEqual({ facts: numbered(facts), through, record })) compared += 1;
      }),
      { seed: SEED, numRuns: RUNS },
    );
    t.ok(compared > RUNS / 10, `${compared} histories with heads`);
  });
}
