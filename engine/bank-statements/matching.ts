import { addBusinessDays, addDays, type BusinessCalendar, type Day } from '../calendar/index.js';
import type { Cents } from '../money/index.js';

/** Business days before and after its due day on which money is found by its amount alone. */
const MATCH_BUSINESS_DAYS = { before: 1, after: 3 } as const;

/** Calendar days between an entry and what it is found for by its amount: more than business days and holidays can make of the window. */
const MOST_DAYS = 14;
/** Entries that are looked at in one step. */
const ENTRIES_OF_STEP = 500;

/**
 * Money that shall reach the account, or leave it. A bank books a file as one sum, by batches, or entry by entry: a sum is found, or its
 * parts are.
 */
export interface ExpectedMoney {
  /** The same in every matching. */
  readonly key: string;
  /** Above zero: into the account. */
  readonly amountCents: Cents;
  readonly dueDay: Day;
  /** Business days behind the due day on which it may still come before it is missing. */
  readonly patience: number;
  /** By which the bank may name it. */
  readonly references: readonly string[];
  readonly parts: readonly ExpectedMoney[];
}

/** An entry of a statement. */
export interface BookedMoney {
  readonly id: string;
  readonly amountCents: Cents;
  readonly day: Day;
  readonly references: readonly string[];
  readonly text: string;
}

export type MatchResult =
  | { readonly id: string; readonly result: 'matched'; readonly key: string; readonly by: 'reference' | 'amount' }
  /** The reference is the one of expected money, the amount is not. */
  | { readonly id: string; readonly result: 'differentAmount'; readonly key: string; readonly expectedCents: Cents }
  | { readonly id: string; readonly result: 'unexpected' };

/** Nodes of one amount, due day and patience: sums before their parts. Those at its begin that are used are never looked at again. */
interface Queue {
  readonly nodes: Node[];
  next: number;
}

interface Node {
  readonly money: ExpectedMoney;
  readonly parent: Node | null;
  readonly parts: readonly Node[];
  readonly depth: number;
  readonly from: Day;
  readonly through: Day;
  isUsed: boolean;
  usedBelow: number;
}

/** Expected money by amount and by reference, and what of it has been found. */
export class ExpectedIndex {
  readonly #roots: readonly Node[];
  readonly #byKey = new Map<string, Node>();
  readonly #byAmount = new Map<string, Queue>();
  readonly #patiences = new Set<number>();
  readonly #byReference = new Map<string, Node[]>();

  constructor(
    expected: readonly ExpectedMoney[],
    private readonly calendar: BusinessCalendar,
  ) {
    this.#roots = expected.map((money) => this.#add(money, null, 0));
    for (const { nodes } of this.#byAmount.values()) nodes.sort((one, other) => one.depth - other.depth);
  }

  /** What was found before. A key that is not expected is no concern of this index. */
  use(key: string): void {
    const node = this.#byKey.get(key);
    if (node !== undefined && isFree(node)) use(node);
  }

  ofKey(key: string): ExpectedMoney | undefined {
    return this.#byKey.get(key)?.money;
  }

  /** All at once. */
  match(entries: readonly BookedMoney[]): readonly MatchResult[] {
    const steps = this.matching(entries);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
    }
  }

  /**
   * By reference first, over all entries; then by amount and date, each entry with what is due nearest to its day. It yields now and then,
   * so that the caller can do other work.
   */
  *matching(entries: readonly BookedMoney[]): Generator<void, readonly MatchResult[]> {
    const found = new Map<string, MatchResult>();
    let steps = 0;
    for (const isExact of [true, false]) {
      for (const entry of entries) {
        if ((steps += 1) % ENTRIES_OF_STEP === 0) yield;
        if (found.has(entry.id)) continue;
        const result = this.#byReferenceOf(entry, isExact);
        if (result !== null) found.set(entry.id, result);
      }
    }
    for (const entry of entries.toSorted((one, other) => one.day - other.day)) {
      if ((steps += 1) % ENTRIES_OF_STEP === 0) yield;
      if (found.has(entry.id)) continue;
      const node = this.#nearest(entry);
      if (node === null) continue;
      use(node);
      found.set(entry.id, { id: entry.id, result: 'matched', key: node.money.key, by: 'amount' });
    }
    return entries.map(({ id }) => found.get(id) ?? { id, result: 'unexpected' });
  }

  /** What has not been found: a sum, or those of its parts that are left. */
  open(): readonly ExpectedMoney[] {
    return this.#roots.flatMap(openOf);
  }

  #add(money: ExpectedMoney, parent: Node | null, depth: number): Node {
    const parts: Node[] = [];
    const { before, after } = MATCH_BUSINESS_DAYS;
    const node: Node = {
      money,
      parent,
      parts,
      depth,
      from: addBusinessDays(money.dueDay, -before, this.calendar),
      through: addBusinessDays(money.dueDay, Math.max(after, money.patience), this.calendar),
      isUsed: false,
      usedBelow: 0,
    };
    this.#byKey.set(money.key, node);
    const key = queueKey(money);
    const queue = this.#byAmount.get(key);
    if (queue === undefined) this.#byAmount.set(key, { nodes: [node], next: 0 });
    else queue.nodes.push(node);
    this.#patiences.add(money.patience);
    for (const reference of money.references) pushTo(this.#byReference, reference.toUpperCase(), node);
    for (const part of money.parts) parts.push(this.#add(part, node, depth + 1));
    return node;
  }

  #byReferenceOf(entry: BookedMoney, isExact: boolean): MatchResult | null {
    const { id, amountCents } = entry;
    const named = new Set(referencesIn(entry).flatMap((reference) => this.#byReference.get(reference) ?? []));
    const free = [...named].filter((node) => isFree(node) && Math.sign(node.money.amountCents) === Math.sign(amountCents));
    const exact = free.filter(({ money }) => money.amountCents === amountCents).sort(byDueDay)[0];
    if (isExact) {
      if (exact === undefined) return null;
      use(exact);
      return { id, result: 'matched', key: exact.money.key, by: 'reference' };
    }
    // Another amount: only where the reference names one thing.
    const top = free.filter(({ depth }) => depth === Math.min(...free.map((each) => each.depth)));
    const [only] = top;
    if (only === undefined || top.length > 1) return null;
    use(only);
    return { id, result: 'differentAmount', key: only.money.key, expectedCents: only.money.amountCents };
  }

  #nearest({ amountCents, day }: BookedMoney): Node | null {
    for (let distance = 0; distance <= MOST_DAYS; distance += 1) {
      for (const dueDay of distance === 0 ? [day] : [addDays(day, -distance), addDays(day, distance)]) {
        const near = [...this.#patiences].flatMap((patience) => this.#firstFree({ amountCents, dueDay, patience }) ?? []);
        const fitting = near.filter(({ from, through }) => day >= from && day <= through).sort(byDueDay);
        if (fitting[0] !== undefined) return fitting[0];
      }
    }
    return null;
  }

  #firstFree(wanted: Pick<ExpectedMoney, 'amountCents' | 'dueDay' | 'patience'>): Node | null {
    const queue = this.#byAmount.get(queueKey(wanted));
    if (queue === undefined) return null;
    for (; queue.next < queue.nodes.length; queue.next += 1) {
      const node = queue.nodes[queue.next];
      if (node !== undefined && isFree(node)) return node;
    }
    return null;
  }
}

const queueKey = ({ amountCents, dueDay, patience }: Pick<ExpectedMoney, 'amountCents' | 'dueDay' | 'patience'>): string =>
  `${amountCents}/${dueDay}/${patience}`;

const byDueDay = (one: Node, other: Node): number => one.money.dueDay - other.money.dueDay || one.depth - other.depth;

function pushTo<Key>(map: Map<Key, Node[]>, key: Key, node: Node): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [node]);
  else list.push(node);
}

/** Neither it, nor what it is a part of, nor a part of it was found. */
function isFree(node: Node): boolean {
  if (node.isUsed || node.usedBelow > 0) return false;
  for (let above = node.parent; above !== null; above = above.parent) if (above.isUsed) return false;
  return true;
}

function use(node: Node): void {
  node.isUsed = true;
  for (let above = node.parent; above !== null; above = above.parent) above.usedBelow += 1;
}

function openOf(node: Node): readonly ExpectedMoney[] {
  if (node.isUsed) return [];
  return node.usedBelow === 0 ? [node.money] : openParts(node);
}

/** Where a part of a sum was found, the sum itself no longer comes. */
const openParts = (node: Node): readonly ExpectedMoney[] => node.parts.flatMap(openOf);

/** The shortest word of a text that can be a reference. */
const SHORTEST_REFERENCE = 6;

function referencesIn({ references, text }: BookedMoney): readonly string[] {
  const parts = [...references, text]
    .join(' ')
    .toUpperCase()
    .split(/[^A-Z0-9_.-]+/)
    .map((each) => each.replace(/[.-]+$/, ''))
    .filter((each) => each.length >= SHORTEST_REFERENCE);
  return [...new Set([...references.map((each) => each.toUpperCase()), ...parts])];
}

/** Whether money that was not found should have come by the day that statements reach. */
export const isMissingOn = ({ dueDay, patience }: ExpectedMoney, through: Day, calendar: BusinessCalendar): boolean =>
  addBusinessDays(dueDay, patience, calendar) <= through;
