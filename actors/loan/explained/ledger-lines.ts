import {
  type Accrued,
  type Allocation,
  type Cents,
  type Day,
  type LedgerEntry,
  type LedgerFact,
  type LineEntry,
  type LineFact,
  must,
  recordLedger,
  recordLine,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { actorView, type ActorView } from '../../kernel/actor-view.js';
import {
  type Amount,
  amount,
  type DateText,
  dateText,
  type DateTimeText,
  dateTimeText,
  type UnroundedText,
  unrounded,
} from '../../wire.js';
import { obligationId } from '../derived-ids.js';
import { drawIdOf } from '../draws/find.js';
import { termsOf } from '../ledger/installment.js';
import { lineTermsOf } from '../line/ledger.js';
import type { RecordedRunning } from '../ledger/running.js';
import type { LoanState, StoredFact } from '../state.js';
import { ENTRY_RULES } from './rules.js';
import { supersededBy } from './superseded.js';

/** One change of a loan's balances, and everything that tells why. */
export interface LedgerLine {
  /** Its place in the ledger as it is computed, from 1. */
  readonly line: number;
  readonly effectiveDate: DateText;
  /** `00:30:00`: steps of the daily job have nominal times (servicing-behaviour 1.3). */
  readonly effectiveTime: string;
  readonly entryType: Entry['entryType'];
  readonly text: string;
  readonly rule: string;
  /** Null for what the daily job made. */
  readonly fact: LedgerLineFact | null;
  /** Signed; the counter side, which makes their sum zero, is left out. */
  readonly movements: readonly LedgerMovement[];
  /** Of payments and credits: where each cent went. */
  readonly allocations: readonly LedgerAllocation[];
  /** Outstanding or charged off after it, unpaid interest exact. */
  readonly balanceAfter: UnroundedText;
}

/** What moved in one bucket; of a line of credit on one of its draws, or on the line itself. */
interface LedgerMovement {
  readonly bucket: string;
  readonly component: string;
  readonly amount: UnroundedText;
  readonly drawId?: string | null;
}

interface LedgerAllocation {
  readonly bucket: string;
  readonly obligationId: string | null;
  readonly amount: Amount;
  readonly drawId?: string | null;
}

type Entry = LedgerEntry | LineEntry;
type AnyStored = StoredFact<LedgerFact | LineFact>;

/** The fact behind a line, and the one that has taken its effect away since, if any. */
interface LedgerLineFact {
  /** Its place among the loan's facts, from 1. */
  readonly number: number;
  readonly type: (LedgerFact | LineFact)['type'];
  readonly recordedAt: DateTimeText;
  readonly by: ActorView;
  readonly caseId: string | null;
  readonly transactionId: string | null;
  readonly supersededBy: number | null;
}

export interface LedgerRange {
  /** The last day that is computed. */
  readonly through: Day;
  /** Only what was recorded until then, in milliseconds of the company's clock; null: all. */
  readonly knownAt: number | null;
}

/** The whole ledger of a loan, line by line, computed from its facts. Empty before activation. */
export function ledgerLines(state: LoanState, env: EvolveEnv, { through, knownAt }: LedgerRange): readonly LedgerLine[] {
  const { servicing, line } = state;
  const known = <Fact>(stored: readonly StoredFact<Fact>[]): readonly StoredFact<Fact>[] =>
    knownAt === null ? stored : stored.filter(({ recordedAt }) => recordedAt <= knownAt);
  if (line !== null) {
    const stored = known(line.facts.all());
    return explained(new Explaining(state, env, stored, recordLine(lineTermsOf(state, env, knownAt), factsIn(stored), through)));
  }
  if (servicing === null) return [];
  const stored = known(servicing.facts.all());
  return explained(new Explaining(state, env, stored, recordLedger(termsOf(state, env, knownAt), factsIn(stored), through)));
}

const factsIn = <Fact>(stored: readonly StoredFact<Fact>[]): readonly Fact[] => stored.map(({ fact }) => fact);

const explained = (explaining: Explaining): readonly LedgerLine[] => {
  const entries: readonly Entry[] = explaining.ledger.entries;
  return entries.map((entry, index) => explaining.line(entry, index + 1));
};

class Explaining {
  readonly #bySequence: ReadonlyMap<number, AnyStored>;
  readonly #superseded: ReadonlyMap<number, number>;
  readonly #transactions = new Map<number, string>();
  #balance = 0n;

  constructor(
    private readonly state: LoanState,
    private readonly env: EvolveEnv,
    facts: readonly AnyStored[],
    readonly ledger: RecordedRunning,
  ) {
    this.#bySequence = new Map(facts.map((stored) => [stored.fact.sequence, stored]));
    this.#superseded = supersededBy(facts.map(({ fact }) => fact));
    for (const { payment, id } of state.transactions.values()) if (payment !== null) this.#transactions.set(payment, id);
  }

  line(entry: Entry, line: number): LedgerLine {
    const { day, seconds, entryType, source } = entry;
    const movements = movementsOf(entry);
    for (const { amount } of movements) this.#balance += amount;
    const stored =
      source.type === 'fact' ? must(this.#bySequence.get(source.sequence), `the fact ${source.sequence} of ${this.state.id}`) : null;
    return {
      line,
      effectiveDate: dateText(day),
      effectiveTime: timeText(seconds),
      entryType,
      ...ENTRY_RULES[entryType],
      fact: stored === null ? null : this.#fact(stored),
      movements: movements.map(({ bucket, component, amount, draw }) => ({
        bucket,
        component,
        amount: unrounded(amount),
        ...this.#on(draw),
      })),
      allocations: this.#allocations(stored === null ? null : paymentOf(stored.fact)),
      balanceAfter: unrounded(this.#balance as Accrued),
    };
  }

  /** Nothing to say of an installment loan. */
  #on(draw: number | null | undefined): { readonly drawId?: string | null } {
    return draw === undefined ? {} : { drawId: drawIdOf(this.state, draw) };
  }

  #fact({ fact, recordedAt, by, caseId }: AnyStored): LedgerLineFact {
    return {
      number: fact.sequence,
      type: fact.type,
      recordedAt: dateTimeText(recordedAt),
      by: actorView(by),
      caseId,
      transactionId: 'transaction' in fact ? (this.#transactions.get(fact.transaction ?? 0) ?? null) : null,
      supersededBy: this.#superseded.get(fact.sequence) ?? null,
    };
  }

  #allocations(transaction: number | null): LedgerLine['allocations'] {
    if (transaction === null) return [];
    const rows: readonly (Allocation & { readonly draw?: number | null })[] = this.ledger.allocations;
    return rows
      .filter((row) => row.transaction === transaction)
      .map(({ bucket, obligation, amountCents, draw }) => ({
        bucket,
        obligationId: obligation === null ? null : obligationId(this.env, this.state, obligation),
        amount: amount(amountCents as Cents),
        ...this.#on(draw),
      }));
  }
}

interface Movement {
  readonly bucket: string;
  readonly component: string;
  readonly amount: Accrued;
  readonly draw?: number | null;
}

function movementsOf(entry: Entry): readonly Movement[] {
  const lines: readonly Movement[] = entry.lines;
  return lines.filter(({ bucket }) => bucket !== 'counter');
}

/** The payment whose money is told bucket by bucket: a payment's own, and what a refunded purchase makes. */
const paymentOf = (fact: LedgerFact | LineFact): number | null =>
  fact.type === 'payment' || fact.type === 'purchase' ? fact.transaction : null;

const timeText = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
