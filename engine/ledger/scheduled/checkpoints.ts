import { must } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import { cents, type Cents, MAX_CENTS } from '../../money/index.js';
import { type Installment, type ScheduledLedger, sumOf } from './ledger.js';
import { applyScheduledFact, beginLedger, computeInstallments, endLedger, isSplitOn } from './compute.js';
import type { ScheduledFact, ScheduledTerms } from './terms.js';

/** A payment changes the interest that it pays, so its amount is corrected by what it leaves open, at most this many times. */
const MAX_CORRECTIONS = 8;

/** How ledgers are computed: from the beginning, or from checkpoints. */
export interface LedgerFunctions {
  readonly through: (terms: ScheduledTerms, facts: readonly ScheduledFact[], day: Day) => ScheduledLedger;
  /** On the day of one more fact. */
  readonly withNext: (terms: ScheduledTerms, facts: readonly ScheduledFact[], fact: ScheduledFact) => ScheduledLedger;
}

const WHOLE: LedgerFunctions = {
  through: computeInstallments,
  withNext: (terms, facts, fact) => computeInstallments(terms, [...facts, fact], fact.day),
};

/** The amount that closes the loan on a day: what the loan takes of a payment of the largest amount. */
export function payoffCents(
  terms: ScheduledTerms,
  facts: readonly ScheduledFact[],
  day: Day,
  { through, withNext }: LedgerFunctions = WHOLE,
): Cents {
  const sequence = facts.reduce((last, fact) => Math.max(last, fact.sequence), 0) + 1;
  const after = (amountCents: number): ScheduledLedger =>
    withNext(terms, facts, { type: 'paid', kind: 'payment', day, sequence, amountCents: cents(amountCents) });
  const before = through(terms, facts, day).overpaidCents;
  let amount = MAX_CENTS - (after(MAX_CENTS).overpaidCents - before);
  for (let corrections = 0; corrections < MAX_CORRECTIONS && amount > 0; corrections += 1) {
    const ledger = after(amount);
    const open = ledger.installments.reduce((sum, { due, paid }) => sum + sumOf(due) - sumOf(paid), 0);
    if (open === 0) break;
    amount += open;
  }
  return cents(amount);
}

/*
 * The installment ledger reads its scheduled ledger after each fact and on many days, and facts are only appended. So the scheduled ledger
 * after a fact is stored with that fact, and later computations continue from there.
 *
 *   facts   1  2  3  4  5  6  7 | 8         the eighth is new: it is applied to a copy of the ledger after fact 7
 *                        ledger |
 *
 * A fact object belongs to one ledger, so it identifies the terms and all facts before it. A retroactive adjustment makes a new ledger with
 * fact objects of its own, which continues from the last stored ledger before the adjustment: of a long history some older ones stay, too.
 */

/** The ledger after a fact, not yet moved to a later day. */
interface Checkpoint {
  readonly ledger: ScheduledLedger;
  /** The fact whose checkpoint this one was computed from; null: none. */
  readonly before: ScheduledFact | null;
  /** Older facts whose checkpoints stay, the oldest first. */
  readonly kept: readonly ScheduledFact[];
}

/** Shorter histories have no checkpoints: computing them takes no longer than a copy. */
const LEAST_FACTS = 16;

/** Older checkpoints of a history, for facts in the past. An adjustment continues from a ledger that is at most two months old. */
const OLDER = { leastFacts: 128, most: 4, daysBetween: 30 } as const;

const checkpoints = new WeakMap<ScheduledFact, Checkpoint>();

/** The last result: a step of the installment ledger reads the same one many times. */
interface Asked {
  readonly last: ScheduledFact;
  readonly through: Day;
  readonly ledger: ScheduledLedger;
}

let asked: Asked | null = null;

/**
 * The result of `computeInstallments`, computed from the last checkpoint. `facts` are those of one ledger, in effective order. A history
 * has two checkpoints at its end, so that a simulation there does not replace the one from which the ledger continues. Do not change the
 * result: calls with the same facts and day share it.
 */
export function continueInstallments(terms: ScheduledTerms, facts: readonly ScheduledFact[], through: Day): ScheduledLedger {
  const count = countThrough(facts, through);
  if (count < LEAST_FACTS) return computeInstallments(terms, facts, through);
  const last = factAt(facts, count - 1);
  if (asked?.last === last && asked.through === through) return asked.ledger;
  const ledger = goOn(terms, facts, { count, through });
  asked = { last, through, ledger };
  return ledger;
}

interface Asking {
  readonly count: number;
  readonly through: Day;
}

function goOn(terms: ScheduledTerms, facts: readonly ScheduledFact[], { count, through }: Asking): ScheduledLedger {
  let index = count - 1;
  while (index >= 0 && !checkpoints.has(factAt(facts, index))) index -= 1;
  if (!canContinue(facts, index, count)) return computeInstallments(terms, facts, through);
  const from = index < 0 ? null : factAt(facts, index);
  const known = from === null ? undefined : checkpoints.get(from);
  if (index === count - 1 && known !== undefined) return ledgerOn(known.ledger, through);
  const ledger = known === undefined ? beginLedger(terms) : copyOf(known.ledger);
  for (let at = index + 1; at < count; at += 1) applyScheduledFact(ledger, factAt(facts, at));
  const kept = keptWith(known, from, count);
  if (known?.before && !kept.includes(known.before)) checkpoints.delete(known.before);
  checkpoints.set(factAt(facts, count - 1), { ledger, before: from, kept });
  return ledgerOn(ledger, through);
}

/** The older facts whose checkpoints stay after one more checkpoint, which was computed from that of a fact. */
function keptWith(known: Checkpoint | undefined, from: ScheduledFact | null, count: number): readonly ScheduledFact[] {
  const kept = known?.kept ?? [];
  const newest = kept.at(-1);
  if (from === null || count < OLDER.leastFacts || (newest !== undefined && from.day < newest.day + OLDER.daysBetween)) return kept;
  const [oldest] = kept;
  if (oldest === undefined || kept.length < OLDER.most) return [...kept, from];
  checkpoints.delete(oldest);
  return [...kept.slice(1), from];
}

/** The ledger of a checkpoint on a day; on the day of its last fact it is the same object. */
const ledgerOn = (ledger: ScheduledLedger, through: Day): ScheduledLedger =>
  isSplitOn(ledger, through) ? ledger : endLedger(copyOf(ledger), through);

/** The ledger on the day of one more fact, which is only simulated and leaves no checkpoint. */
function tryNext(terms: ScheduledTerms, facts: readonly ScheduledFact[], fact: ScheduledFact): ScheduledLedger {
  const last = facts.at(-1);
  const isLast = last === undefined || last.day <= fact.day;
  if (facts.length < LEAST_FACTS || !isLast) return computeInstallments(terms, [...facts, fact], fact.day);
  const ledger = behindAll(terms, facts, fact.day);
  if (ledger === null) return computeInstallments(terms, [...facts, fact], fact.day);
  applyScheduledFact(ledger, fact);
  return endLedger(ledger, fact.day);
}

/** A copy of the ledger after all facts; null if they have no checkpoint. */
function behindAll(terms: ScheduledTerms, facts: readonly ScheduledFact[], day: Day): ScheduledLedger | null {
  const last = must(facts.at(-1), 'a history has facts');
  if (!checkpoints.has(last)) continueInstallments(terms, facts, day);
  const known = checkpoints.get(last);
  return known === undefined ? null : copyOf(known.ledger);
}

/** Computes from checkpoints; for the facts of an installment ledger. */
export const FROM_CHECKPOINTS: LedgerFunctions = { through: continueInstallments, withNext: tryNext };

const factAt = (facts: readonly ScheduledFact[], index: number): ScheduledFact => must(facts[index], 'an index of the facts');

/** The number of facts up to a day. Later facts are at the end of the list. */
function countThrough(facts: readonly ScheduledFact[], through: Day): number {
  let count = facts.length;
  while (count > 0 && factAt(facts, count - 1).day > through) count -= 1;
  return count;
}

/** Whether the facts after an index are in order and none of them changes an earlier fact. */
function canContinue(facts: readonly ScheduledFact[], index: number, count: number): boolean {
  for (let at = index + 1; at < count; at += 1) {
    const { type, day, sequence } = factAt(facts, at);
    if (type === 'downPaymentUndone') return false;
    const before = facts[at - 1];
    if (before !== undefined && (before.day > day || (before.day === day && before.sequence > sequence))) return false;
  }
  return true;
}

/** Copies what applying facts and splitting change in place. Everything else is replaced, never changed. */
function copyOf(ledger: ScheduledLedger): ScheduledLedger {
  const installments = ledger.installments.map(copyOfInstallment);
  const indexes = ledger.charges.length === 0 ? null : new Map(ledger.installments.map((installment, index) => [installment, index]));
  const copied = (installment: Installment): Installment => {
    const index = indexes?.get(installment);
    return index === undefined ? copyOfInstallment(installment) : must(installments[index], 'an installment of the ledger');
  };
  return {
    ...ledger,
    installments,
    charges: ledger.charges.map((charge) => ({ ...charge, installment: copied(charge.installment) })),
  };
}

const copyOfInstallment = (installment: Installment): Installment => ({
  ...installment,
  due: { ...installment.due },
  paid: { ...installment.paid },
});
