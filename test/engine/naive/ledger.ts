import type { Day } from '../../../engine/index.js';
import { asChanged, history, isLate, ordersOf, type Orders } from './history.js';
import type { Bound, NaiveLife } from './life.js';
import type { NaiveLedger } from './parts.js';
import { Walk } from './walk.js';

/**
 * A second ledger, written from the contract and not from the engine. It computes day by day in decimals, and keeps the unpaid
 * parts of each obligation instead of buckets. It is slow and simple on purpose. It covers accrual and capitalization, rates,
 * due dates and their changes, the waterfalls, late fees, advances and refunds, freezing, acceleration and charge-off, and
 * backdated, voided or reversed facts.
 */
export function naiveLedger(life: NaiveLife, through: Day): NaiveLedger {
  const idle = idleDays(life);
  return walked(life, { bounds: boundsOf(life, idle), idle }, through).report();
}

/** What is known of a history before its days are computed. */
interface RetroactiveAdjustments {
  readonly bounds: readonly Bound[];
  readonly idle: Orders['idle'];
}

function walked(life: NaiveLife, { bounds, idle }: RetroactiveAdjustments, through: number): Walk {
  const happened = history(life.facts);
  const refunds = happened.filter((fact) => fact.type === 'refund');
  const ledger = new Walk({ ...life, terms: asChanged(life.terms, life.facts) }, bounds, refunds, ordersOf(life.facts, idle));
  for (let day: number = life.terms.activation; day <= through; day += 1) {
    if (day > life.terms.activation) ledger.morning(day);
    for (const fact of happened) {
      if (fact.effective.day === day) ledger.take(day, fact);
    }
  }
  return ledger;
}

function boundsOf(life: NaiveLife, idle: Orders['idle']): readonly Bound[] {
  const bounds: Bound[] = [];
  const late = history(life.facts)
    .filter(isLate)
    .sort((a, b) => a.sequence - b.sequence);
  for (const change of late) {
    const facts = life.facts.filter((fact) => !late.some(({ sequence }) => sequence === fact.sequence && sequence >= change.sequence));
    const before = walked({ ...life, facts }, { bounds: [...bounds], idle }, change.recordedDay);
    bounds.push({ ...before.asked(change.recordedDay), change: change.sequence });
  }
  return bounds;
}

/**
 * From an acceleration to a charge-off that was reversed later, there is no interest: the reversal makes the loan active
 * again, with interest from the charge-off on.
 */
function idleDays(life: NaiveLife): Orders['idle'] {
  const idle: { from: number; until: number }[] = [];
  for (const reversal of life.facts.filter(({ type }) => type === 'reverseChargeOff')) {
    const isLater = (type: string, sequence: number): boolean => type.startsWith('reverse') && sequence >= reversal.sequence;
    const facts = life.facts.filter(({ type, sequence }) => !isLater(type, sequence));
    const { acceleratedSince, chargedOffSince } = walked(
      { ...life, facts },
      { bounds: [], idle: [...idle] },
      reversal.effective.day,
    ).stopped;
    if (acceleratedSince !== null && chargedOffSince !== null && acceleratedSince < chargedOffSince)
      idle.push({ from: acceleratedSince, until: chargedOffSince });
  }
  return idle;
}
