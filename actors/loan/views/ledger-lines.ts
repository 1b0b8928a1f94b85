import {
  type Accrued,
  type Allocation,
  type Day,
  type LedgerEntry,
  type LedgerFact,
  type LineEntry,
  type LineEntryType,
  type LineFact,
  must,
  recordLedger,
  recordLine,
  accruedUnits,
  cents,
} from '../../../engine/index.js';
import { actorView, type ActorView } from '../../kernel/actor-logic.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import {
  amount,
  type Amount,
  dateText,
  type DateText,
  dateTimeText,
  type DateTimeText,
  unrounded,
  type UnroundedText,
} from '../../wire.js';
import { activationOf } from '../context.js';
import { obligationId } from '../derived-ids.js';
import { drawIdOf } from '../draws/draw.js';
import { termsOf } from '../ledger/installment.js';
import { computedThrough, type RecordedRunning } from '../ledger/running.js';
import { lineTermsOf } from '../line/ledger.js';
import type { LoanState, StoredFact } from '../state.js';
import { reimbursedBy } from '../transactions/reimbursement.js';
import { balancesReply, shownBalancesOf } from './balances.js';
import type { BalancesReply } from './read-types.js';
import { type Before, recordedTail } from './recorded-tail.js';
import { supersededBy } from './superseded.js';

/** One change of a loan's balances, and everything that explains it. */
export interface LedgerLine {
  /** Its number in the computed ledger, from 1. */
  readonly line: number;
  readonly effectiveDate: DateText;
  /** Steps of the daily work have nominal times, as `00:30:00`. */
  readonly effectiveTime: string;
  readonly entryType: Entry['entryType'];
  readonly text: string;
  readonly rule: string;
  /** Null for the daily work. */
  readonly fact: LedgerLineFact | null;
  /** Signed, without the counter entries that make their sum zero. */
  readonly movements: readonly LedgerMovement[];
  /** For payments and credits: the allocation of each cent. */
  readonly allocations: readonly LedgerAllocation[];
  /** The outstanding or charged-off balance after it, with exact unpaid interest. */
  readonly balanceAfter: UnroundedText;
}

/** The movement in one bucket: of an installment loan, of a draw, or of the line itself. */
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
type AnyAllocation = Allocation & { readonly draw?: number | null };

/** The fact behind a line, and the later fact that canceled its effect, if any. */
interface LedgerLineFact {
  /** Its sequence, from 1. */
  readonly number: number;
  readonly type: (LedgerFact | LineFact)['type'];
  readonly recordedAt: DateTimeText;
  readonly by: ActorView;
  readonly caseId: string | null;
  readonly transactionId: string | null;
  readonly supersededBy: number | null;
}

export interface LedgerRange {
  /** The last day to compute. */
  readonly through: Day;
  /** Only facts recorded until then, in milliseconds of the company's clock; null: all facts. */
  readonly knownAt: number | null;
}

/** The whole ledger of a loan, line by line, computed from its facts. Empty before activation. */
export function ledgerLines(state: LoanState, env: EvolveEnv, { through, knownAt }: LedgerRange): readonly LedgerLine[] {
  const { servicing, line } = state;
  const known = <Fact>(stored: readonly StoredFact<Fact>[]): readonly StoredFact<Fact>[] =>
    knownAt === null ? stored : stored.filter(({ recordedAt }) => recordedAt <= knownAt);
  if (line !== null) {
    const stored = known(line.facts.all());
    return wholly(state, env, stored, recordLine(lineTermsOf(state, env, knownAt), factsIn(stored), through));
  }
  if (servicing === null) return [];
  const stored = known(servicing.facts.all());
  return wholly(state, env, stored, recordLedger(termsOf(state, env, knownAt), factsIn(stored), through));
}

/** The lines of the ledger through a day, as known now: at least those of the facts from a number on. */
export function ledgerLinesSince(
  state: LoanState,
  env: EvolveEnv,
  { through, first }: { readonly through: Day; readonly first: number },
): readonly LedgerLine[] {
  const tail = recordedTail(state, env, through, ({ facts }) => facts < first);
  if (tail === null) return ledgerLines(state, env, { through, knownAt: null });
  const { head, stored, recorded } = tail;
  const transactionOf = (payment: number): string | null => state.transactions.idOfPayment(payment) ?? null;
  return new Explaining({ state, env, stored, recorded, before: head, transactionOf }).lines();
}

const factsIn = <Fact>(stored: readonly StoredFact<Fact>[]): readonly Fact[] => stored.map(({ fact }) => fact);

function wholly(state: LoanState, env: EvolveEnv, stored: readonly AnyStored[], recorded: RecordedRunning): readonly LedgerLine[] {
  const transactions = new Map<number, string>();
  for (const { payment, id } of state.transactions.values()) if (payment !== null) transactions.set(payment, id);
  const transactionOf = (payment: number): string | null => transactions.get(payment) ?? null;
  return new Explaining({ state, env, stored, recorded, before: { entries: 0, balance: 0n }, transactionOf }).lines();
}

/** A record of a ledger, and what its lines name. */
interface Explained {
  readonly state: LoanState;
  readonly env: EvolveEnv;
  /** Facts of the record. */
  readonly stored: readonly AnyStored[];
  readonly recorded: RecordedRunning;
  readonly before: Pick<Before, 'entries' | 'balance'>;
  /** The id of the transaction with a number in the ledger. */
  readonly transactionOf: (payment: number) => string | null;
}

class Explaining {
  readonly #of: Explained;
  readonly #bySequence: ReadonlyMap<number, AnyStored>;
  readonly #superseded: ReadonlyMap<number, number>;
  /** By the number of the payment. */
  readonly #allocated: ReadonlyMap<number, readonly AnyAllocation[]>;
  #balance: bigint;

  constructor(explained: Explained) {
    const { stored, recorded, before } = explained;
    this.#of = explained;
    this.#bySequence = new Map(stored.map((each) => [each.fact.sequence, each]));
    this.#superseded = supersededBy(factsIn(stored));
    this.#allocated = byPayment(recorded.allocations);
    this.#balance = before.balance;
  }

  lines(): readonly LedgerLine[] {
    const { recorded, before } = this.#of;
    const entries: readonly Entry[] = recorded.entries;
    return entries.map((entry, index) => this.#line(entry, before.entries + index + 1));
  }

  #line(entry: Entry, line: number): LedgerLine {
    const { day, seconds, entryType, source } = entry;
    const movements = movementsOf(entry);
    for (const movement of movements) this.#balance += movement.amount;
    const stored =
      source.type === 'fact' ? must(this.#bySequence.get(source.sequence), `the fact ${source.sequence} of ${this.#of.state.id}`) : null;
    return {
      line,
      effectiveDate: dateText(day),
      effectiveTime: timeText(seconds),
      entryType,
      ...ENTRY_RULES[entryType],
      fact: stored === null ? null : this.#fact(stored),
      movements: movements.map((movement) => ({
        bucket: movement.bucket,
        component: movement.component,
        amount: unrounded(movement.amount),
        ...this.#on(movement.draw),
      })),
      allocations: this.#allocations(stored === null ? null : paymentOf(stored.fact)),
      balanceAfter: unrounded(accruedUnits(this.#balance)),
    };
  }

  /** The draw of a line; nothing for an installment loan. */
  #on(draw: number | null | undefined): { readonly drawId?: string | null } {
    return draw === undefined ? {} : { drawId: drawIdOf(this.#of.state, draw) };
  }

  #fact({ fact, recordedAt, by, caseId }: AnyStored): LedgerLineFact {
    return {
      number: fact.sequence,
      type: fact.type,
      recordedAt: dateTimeText(recordedAt),
      by: actorView(by),
      caseId,
      transactionId: 'transaction' in fact ? this.#of.transactionOf(fact.transaction ?? 0) : null,
      supersededBy: this.#superseded.get(fact.sequence) ?? null,
    };
  }

  #allocations(transaction: number | null): LedgerLine['allocations'] {
    if (transaction === null) return [];
    const { state, env } = this.#of;
    return (this.#allocated.get(transaction) ?? []).map(({ bucket, obligation, amountCents, draw }) => ({
      bucket,
      obligationId: obligation === null ? null : obligationId(env, state, obligation),
      amount: amount(cents(amountCents)),
      ...this.#on(draw),
    }));
  }
}

function byPayment(allocations: readonly AnyAllocation[]): ReadonlyMap<number, readonly AnyAllocation[]> {
  const found = new Map<number, AnyAllocation[]>();
  for (const allocation of allocations) {
    const known = found.get(allocation.transaction);
    if (known === undefined) found.set(allocation.transaction, [allocation]);
    else known.push(allocation);
  }
  return found;
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

/** The number of the payment whose allocation a line shows: of a payment itself, or of the payment that a refunded purchase makes. */
const paymentOf = (fact: LedgerFact | LineFact): number | null =>
  fact.type === 'payment' || fact.type === 'purchase' ? fact.transaction : null;

const timeText = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** The description of an entry of the ledger, and the rule of the contract that makes it. */
interface EntryRule {
  /** A text for people. */
  readonly text: string;
  /** The chapter of the contract. */
  readonly rule: string;
}

/** One row for each type of entry, of installment loans and of lines of credit. */
const ENTRY_RULES: Readonly<Record<LineEntryType, EntryRule>> = {
  disbursement: { text: 'The principal is paid out and interest starts', rule: 'servicing-behaviour 3.1' },
  originationFee: { text: 'The origination fee is charged by the product’s option', rule: 'servicing-behaviour 3.6' },
  interestAccrual: { text: 'Interest of finished days on their end-of-day balance', rule: 'servicing-behaviour 4.1' },
  retroactiveInterest: { text: 'Interest of the frozen days, as ordered with the unfreezing', rule: 'servicing-behaviour 2.2' },
  interestCapitalization: { text: 'Unpaid due interest becomes principal', rule: 'servicing-behaviour 4.9' },
  movedToDue: { text: 'The period’s amount falls due, its interest rounded to the cent', rule: 'servicing-behaviour 8.3' },
  movedToOverdue: { text: 'What is unpaid on the day after the due date is overdue', rule: 'servicing-behaviour 8.3' },
  lateFee: { text: 'A late fee for an obligation that is still unpaid', rule: 'servicing-behaviour 11.5' },
  fee: { text: 'A fee is charged', rule: 'servicing-behaviour 11.3' },
  payment: { text: 'A payment is allocated to the buckets in the waterfall’s order', rule: 'servicing-behaviour 13.2' },
  credit: { text: 'A credit is allocated to the buckets in the credit waterfall’s order', rule: 'servicing-behaviour 13.3' },
  downPayment: { text: 'A down payment is allocated to the buckets in the waterfall’s order', rule: 'servicing-behaviour 13.2' },
  paidOverMet: { text: 'An overpayment pays what was charged later', rule: 'settled question 34' },
  smallBalanceForgiven: { text: 'The lender forgives the small balance that a payment leaves', rule: 'servicing-behaviour 16.2' },
  chargeback: { text: 'What a payment had paid is owed again, in the order of the loan type', rule: 'money 3' },
  advance: { text: 'Money is paid out after activation and principal rises', rule: 'servicing-behaviour 3.5' },
  refund: { text: 'A refund lowers principal from the last row backwards, then interest and fees', rule: 'loans 6' },
  reimbursement: {
    text: 'A reimbursed amount turned out not to be an overpayment and is owed again',
    rule: 'servicing-behaviour 12.3',
  },
  reamortization: { text: 'Overdue amounts are added to the coming rows in equal parts', rule: 'loans 1.5' },
  acceleration: { text: 'The whole balance becomes due at once', rule: 'servicing-behaviour 2' },
  chargeOff: { text: 'All balances move to the charged-off block, interest stops', rule: 'servicing-behaviour 17' },
  forgoneInterest: { text: 'A fraction of a cent that is left when all else is paid is forgone', rule: 'servicing-behaviour 4.6' },
  purchase: { text: 'A settled purchase raises the draw’s principal', rule: 'servicing-behaviour 10.7' },
  purchaseRefund: {
    text: 'A refund lowers the draw’s principal that is not due; the rest is allocated like a payment',
    rule: 'loans 9.1',
  },
  drawFee: { text: 'The draw’s fee is charged by the product’s option', rule: 'loans 8.3' },
  minimumInterest: { text: 'The difference to the minimum interest of a period', rule: 'servicing-behaviour 4.8' },
  graceLost: { text: 'Interest since the statement on what was not paid in full', rule: 'servicing-behaviour 10.4' },
  graceRestored: { text: 'The interest of a period is removed after its grace period is restored', rule: 'servicing-behaviour 10.4' },
  balancesDeferred: { text: 'Due and overdue balances become non-due again', rule: 'loan-terms 1.3' },
  migration: { text: 'The balances of another system at the cutoff', rule: 'loans 10.4' },
  cancellation: { text: 'The loan is void as if it never existed', rule: 'servicing-behaviour 2.1' },
};

/** A line that only one of two ledgers has. */
export interface ChangedLine {
  readonly in: 'before' | 'after';
  readonly line: LedgerLine;
}

/**
 * The differences between two ledgers of a loan: lines that only one of them has, in effective order, those of the earlier ledger first.
 * The number of a line and the balance after it do not count: both follow from the lines before.
 */
export function compareLines(before: readonly LedgerLine[], after: readonly LedgerLine[]): readonly ChangedLine[] {
  const surplus = new Map<string, number>();
  for (const line of before) surplus.set(keyOf(line), (surplus.get(keyOf(line)) ?? 0) + 1);
  const added: ChangedLine[] = [];
  for (const line of after) {
    const left = surplus.get(keyOf(line)) ?? 0;
    if (left > 0) surplus.set(keyOf(line), left - 1);
    else added.push({ in: 'after', line });
  }
  const removed: ChangedLine[] = [];
  for (const line of [...before].reverse()) {
    const left = surplus.get(keyOf(line)) ?? 0;
    if (left === 0) continue;
    surplus.set(keyOf(line), left - 1);
    removed.push({ in: 'before', line });
  }
  return [...removed, ...added].sort(
    (a, b) => timeOf(a.line).localeCompare(timeOf(b.line)) || (a.in === b.in ? 0 : a.in === 'before' ? -1 : 1),
  );
}

const timeOf = ({ effectiveDate, effectiveTime }: LedgerLine): string => `${effectiveDate} ${effectiveTime}`;

function keyOf({ effectiveDate, effectiveTime, entryType, fact, movements }: LedgerLine): string {
  return JSON.stringify([effectiveDate, effectiveTime, entryType, fact?.number ?? null, movements]);
}

/** The balances at the end of a day, as known at a moment. Null before activation. */
export function balancesAsOf(state: LoanState, env: EvolveEnv, { through, knownAt }: LedgerRange): BalancesReply | null {
  const activation = activationOf(state);
  if (activation === null || through < activation.contract.terms.activation) return null;
  const ledger = computedThrough(state, env, through, knownAt);
  return balancesReply(shownBalancesOf(ledger, state), {}, reimbursedBy(state, through, knownAt));
}
