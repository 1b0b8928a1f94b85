import { differences, type Happening, type LedgerFact, type LedgerState, type LedgerStatus } from '../../engine/index.js';

/** What an order says of the status: what it brings is its own doing, also when it lies in the past. */
const ORDERED: Partial<Record<LedgerFact['type'], readonly LedgerStatus[]>> = {
  freeze: ['frozen'],
  unfreeze: ['active'],
  accelerate: ['accelerated'],
  reverseAccelerate: ['active'],
  chargeOff: ['accelerated', 'chargedOff'],
  reverseChargeOff: ['active'],
  cancel: ['canceled'],
};

/**
 * What a recomputed ledger tells: the net differences. An active loan that is charged off has passed through
 * accelerated all the same (loans.md 1.4).
 */
export function netHappenings(before: LedgerState, after: LedgerState, fact: LedgerFact | null = null): readonly Happening[] {
  return differences(before, after).flatMap((happening): readonly Happening[] => {
    if (happening.type !== 'statusChanged') return [happening];
    const { oldStatus, newStatus } = happening;
    const isOrdered = fact !== null && ORDERED[fact.type]?.includes(newStatus) === true;
    const changed: Happening = isOrdered ? { ...happening, cause: { type: 'ordered', sequence: fact.sequence } } : happening;
    if (oldStatus !== 'active' || newStatus !== 'chargedOff') return [changed];
    return [
      { ...changed, newStatus: 'accelerated' },
      { ...changed, oldStatus: 'accelerated' },
    ];
  });
}
