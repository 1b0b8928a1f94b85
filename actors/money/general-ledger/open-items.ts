import type { Day } from '../../../engine/index.js';
import type { AccountingItemsOfLoan } from '../../loan/index.js';
import { type Dimensions, dimensionsText, type Line, type Role } from './entries.js';

interface OpenItem {
  readonly factId: string;
  readonly day: Day;
  /** On the side of the first of the open items. */
  cents: number;
}

/** What stands in accounts that money only passes through, of one loan: with the facts that are not met yet, the oldest first. */
export function openItemsOf(
  { items }: AccountingItemsOfLoan,
  isWanted: (line: Line) => boolean,
): readonly { readonly role: Role; readonly dimensions: Dimensions; readonly items: readonly OpenItem[] }[] {
  const open = new Map<string, { readonly role: Role; readonly dimensions: Dimensions; readonly items: OpenItem[] }>();
  for (const { key, role, dimensions, ...item } of together(items, isWanted)) {
    const known = open.get(key) ?? { role, dimensions, items: [] };
    open.set(key, known);
    meet(known.items, item);
  }
  return [...open.values()].filter((each) => each.items.length > 0);
}

interface Moved extends OpenItem {
  readonly key: string;
  readonly role: Role;
  readonly dimensions: Dimensions;
}

/** Amounts in the order of their facts. What others say of the money of a fact is one amount with that of the fact itself. */
function together(items: AccountingItemsOfLoan['items'], isWanted: (line: Line) => boolean): readonly Moved[] {
  const met = new Set(items.flatMap(({ meets }) => meets ?? []));
  const found: Moved[] = [];
  for (const { factId, meets = factId ?? '', recordedDay, lines } of items)
    for (const line of lines) {
      if (!isWanted(line)) continue;
      const { role, dimensions, amount } = line;
      const key = `${role} ${dimensionsText(dimensions)}`;
      const known = met.has(meets) ? found.find((each) => each.key === key && each.factId === meets) : undefined;
      if (known === undefined) found.push({ key, role, dimensions, factId: meets, day: recordedDay, cents: amount });
      else known.cents += amount;
    }
  return found;
}

/** An amount of the other side meets the item of its own fact first, then the oldest. */
function meet(items: OpenItem[], item: OpenItem): void {
  let rest = item.cents;
  const isOther = ({ cents }: OpenItem): boolean => cents < 0 === rest > 0;
  while (rest !== 0 && items.some(isOther)) {
    const own = items.findIndex((each) => isOther(each) && each.factId === item.factId);
    const at = own >= 0 ? own : items.findIndex(isOther);
    const met = items[at];
    if (met === undefined) break;
    const cents = Math.sign(rest) * Math.min(Math.abs(rest), Math.abs(met.cents));
    rest -= cents;
    met.cents += cents;
    if (met.cents === 0) items.splice(at, 1);
  }
  if (rest !== 0) items.push({ ...item, cents: rest });
}
