import type { Happening, LedgerFact, LedgerStatus, LineFact } from '../../../engine/index.js';

/** What an order says of the status: what it brings is its own doing, also when it lies in the past. */
const ORDERED: Partial<Record<LedgerFact['type'] | LineFact['type'], readonly LedgerStatus[]>> = {
  freeze: ['frozen'],
  unfreeze: ['active'],
  accelerate: ['accelerated'],
  reverseAccelerate: ['active'],
  chargeOff: ['accelerated', 'chargedOff'],
  reverseChargeOff: ['active'],
  cancel: ['canceled'],
};

type Kind = { readonly type: LedgerFact['type'] | LineFact['type']; readonly sequence: number };

/**
 * What a recomputed ledger tells: the net differences, with what was ordered. An active loan that is charged off has passed
 * through accelerated all the same (loans.md 1.4).
 */
export function withOrderedStatus<Happened extends { readonly type: string }>(
  happenings: readonly (Happened | StatusChanged)[],
  fact: Kind | null,
): readonly (Happened | StatusChanged)[] {
  if (!happenings.some(isStatusChanged)) return happenings;
  return happenings.flatMap((happening): readonly (Happened | StatusChanged)[] => {
    if (!isStatusChanged(happening)) return [happening];
    const { oldStatus, newStatus } = happening;
    const isOrdered = fact !== null && ORDERED[fact.type]?.includes(newStatus) === true;
    const changed: StatusChanged = isOrdered ? { ...happening, cause: { type: 'ordered', sequence: fact.sequence } } : happening;
    if (oldStatus !== 'active' || newStatus !== 'chargedOff') return [changed];
    return [
      { ...changed, newStatus: 'accelerated' },
      { ...changed, oldStatus: 'accelerated' },
    ];
  });
}

type StatusChanged = Extract<Happening, { readonly type: 'statusChanged' }>;

const isStatusChanged = (happening: { readonly type: string }): happening is StatusChanged => happening.type === 'statusChanged';
