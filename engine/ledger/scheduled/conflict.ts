import type { InstalmentKeeping } from './terms.js';

/** Which settings do not go together: the words say what one of them asks of the other. */
export function conflictOf({
  interest,
  principal,
  recalculation,
  excess,
  creditExcess,
  chargebackOrder,
}: InstalmentKeeping): string | null {
  if (recalculation.type === 'none') return null;
  if (interest.type === 'flat') return 'flat interest is never recalculated';
  if (recalculation.type === 'cumulative' && chargebackOrder !== null) return 'cumulative recalculation knows no order of charge-backs';
  if (principal.type !== 'level') return 'interest is recalculated within level instalments alone';
  const isInOrder = excess === 'next' && creditExcess === 'next';
  return isInOrder ? null : 'where interest is recalculated, money above what is due meets the next instalments';
}
