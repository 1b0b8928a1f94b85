import {
  type Accrued, allocationOf, type Cents, type Day, type LedgerEntry, type LedgerFact, must, recordLedger,
  type RecordedLedger,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import { actorView, type ActorView } from '../../runtime/actor-view.js';
import { type Amount, amount, type DateText, dateText, type DateTimeText, dateTimeText, type UnroundedText, unrounded } from '../../wire.js';
import { obligationId } from '../derived-ids.js';
import { termsOf } from '../ledger.js';
import type { LoanState, StoredLedgerFact } from '../state.js';
import { ENTRY_RULES } from './rules.js';
import { supersededBy } from './superseded.js';

/** One change of a loan's balances, and everything that tells why. */
export interface LedgerLine {
  /** Its place in the ledger as it is computed, from 1. */
  readonly line: number;
  readonly effectiveDate: DateText;
  /** `00:30:00`: steps of the daily job have nominal times (servicing-behaviour 1.3). */
  readonly effectiveTime: string;
  readonly entryType: LedgerEntry['entryType'];
  readonly text: string;
  readonly rule: string;
  /** Null for what the daily job made. */
  readonly fact: LedgerLineFact | null;
  /** Signed; the counter side, which makes their sum zero, is left out. */
  readonly movements: readonly { readonly bucket: string; readonly component: string; readonly amount: UnroundedText }[];
  /** Of payments and credits: where each cent went. */
  readonly allocations: readonly { readonly bucket: string; readonly obligationId: string | null; readonly amount: Amount }[];
  /** Outstanding or charged off after it, unpaid interest exact. */
  readonly balanceAfter: UnroundedText;
}

/** The fact behind a line, and the one that has taken its effect away since, if any. */
export interface LedgerLineFact {
  /** Its place among the loan's facts, from 1. */
  readonly number: number;
  readonly type: LedgerFact['type'];
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
  const { servicing } = state;
  if (servicing === null) return [];
  const stored = knownAt === null ? servicing.facts : servicing.facts.filter(({ recordedAt }) => recordedAt <= knownAt);
  const ledger = recordLedger(termsOf(state, env), stored.map(({ fact }) => fact), through);
  const explaining = new Explaining(state, env, stored, ledger);
  return ledger.entries.map((entry, index) => explaining.line(entry, index + 1));
}

class Explaining {
  readonly #bySequence: ReadonlyMap<number, StoredLedgerFact>;
  readonly #superseded: ReadonlyMap<number, number>;
  readonly #transactions = new Map<number, string>();
  #balance = 0n;

  constructor(private readonly state: LoanState, private readonly env: EvolveEnv, facts: readonly StoredLedgerFact[], private readonly ledger: RecordedLedger) {
    this.#bySequence = new Map(facts.map((stored) => [stored.fact.sequence, stored]));
    this.#superseded = supersededBy(facts.map(({ fact }) => fact));
    for (const { payment, id } of state.transactions.values()) if (payment !== null) this.#transactions.set(payment, id);
  }

  line(entry: LedgerEntry, line: number): LedgerLine {
    const { day, seconds, entryType, source } = entry;
    const movements = entry.lines.filter(({ bucket }) => bucket !== 'counter');
    for (const { amount } of movements) this.#balance += amount;
    const stored = source.type === 'fact' ? must(this.#bySequence.get(source.sequence), `the fact ${source.sequence} of ${this.state.id}`) : null;
    return {
      line,
      effectiveDate: dateText(day),
      effectiveTime: timeText(seconds),
      entryType,
      ...ENTRY_RULES[entryType],
      fact: stored === null ? null : this.#fact(stored),
      movements: movements.map(({ bucket, component, amount }) => ({ bucket, component, amount: unrounded(amount) })),
      allocations: stored?.fact.type === 'payment' ? this.#allocations(stored.fact.transaction) : [],
      balanceAfter: unrounded(this.#balance as Accrued),
    };
  }

  #fact({ fact, recordedAt, by, caseId }: StoredLedgerFact): LedgerLineFact {
    return {
      number: fact.sequence,
      type: fact.type,
      recordedAt: dateTimeText(recordedAt),
      by: actorView(by),
      caseId,
      transactionId: 'transaction' in fact ? (this.#transactions.get(fact.transaction) ?? null) : null,
      supersededBy: this.#superseded.get(fact.sequence) ?? null,
    };
  }

  #allocations(transaction: number): LedgerLine['allocations'] {
    return allocationOf(this.ledger, transaction).map(({ bucket, obligation, amountCents }) => ({
      bucket,
      obligationId: obligation === null ? null : obligationId(this.env, this.state, obligation),
      amount: amount(amountCents as Cents),
    }));
  }
}

const timeText = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
