import { must } from '../../assert.js';
import { addDays, type Day, earliest } from '../../calendar/index.js';
import { idleDaysOf } from '../core/accrual.js';
import { NEVER } from '../core/clock.js';
import type { LedgerFact } from '../core/facts.js';
import { compareFacts } from '../core/retroactive-adjustment.js';
import { ACCELERATION_ORDINAL, type Asked, type DueCaps, type IdleDays, type OrdersInForce } from '../core/state.js';
import type { LedgerTerms } from '../core/terms.js';
import { type AppliedFact, arrange, type Arrangement, isLateChange, type LateChange, setsAmounts } from './arrange.js';
import { cloneState } from './digest.js';
import { beginPassage, endPassage, fold, type Passage, applyThrough, applyNext, type SetAmounts } from './fold.js';
import type { LedgerState, OpenRow } from './state.js';

/** A ledger of the history, with the amounts that facts have set. */
export interface Grown {
  readonly state: LedgerState;
  readonly amounts: readonly SetAmounts[];
}

/** A ledger that was saved before the fact at a position. */
interface Checkpoint extends Grown {
  readonly position: number;
  readonly newest: Passage['newest'];
}

/**
 * The ledgers of a history that late changes join one by one, in the order of recording. Before the position of the newest change, a ledger
 * equals the previous one. So each ledger is saved at the position of the next change, and the next ledger continues from there.
 *
 *   without any      ----------x-------------
 *   with the first             +------x------
 *   with both                         +------
 */
export class GrowingHistory {
  readonly #terms: LedgerTerms;
  readonly #arrangement: Arrangement;
  readonly #late: readonly LateChange[];
  /** By position; all later histories share these ledgers. */
  readonly #checkpoints: Checkpoint[] = [];

  constructor(terms: LedgerTerms, arrangement: Arrangement, late: readonly LateChange[]) {
    this.#terms = terms;
    this.#arrangement = arrangement;
    this.#late = late;
  }

  /** The ledger through a day with the first `count` late changes. Call it with 0, 1, 2 and so on. */
  fold(count: number, orders: OrdersInForce, through: Day): Grown {
    const facts = this.#factsWith(count);
    const { passage, position } = this.#goOn(facts, orders, through, this.#late[count - 1]);
    const coming = this.#late[count];
    const at = coming === undefined ? position : applyBefore(passage, facts, position, { coming, through });
    if (coming !== undefined) this.#keepCheckpoint(passage, at);
    applyThrough(passage, facts, at, through);
    return { state: endPassage(passage, through), amounts: must(passage.amounts, 'amounts are asked for') };
  }

  #factsWith(count: number): readonly AppliedFact[] {
    const out = new Set<AppliedFact>(this.#late.slice(count));
    return this.#arrangement.facts.filter((fact) => !out.has(fact));
  }

  #keepCheckpoint({ state, newest, amounts }: Passage, position: number): void {
    this.#checkpoints.push({ position, state: cloneState(state), newest, amounts: [...(amounts ?? [])] });
  }

  /** Continues from the last saved ledger before the change that joins, and not after its day or the last day. */
  #goOn(facts: readonly AppliedFact[], orders: OrdersInForce, through: Day, joined: LateChange | undefined): Beginning {
    const joinIndex = joined === undefined ? 0 : facts.indexOf(joined);
    const day = joined?.effective.day ?? this.#terms.activation;
    const isBehind = (checkpoint: Checkpoint | undefined): boolean =>
      checkpoint !== undefined && (checkpoint.position > joinIndex || checkpoint.state.day > day);
    while (isBehind(this.#checkpoints.at(-1))) this.#checkpoints.pop();
    const last = this.#checkpoints.findLast(({ state }) => state.day <= through);
    if (last === undefined) return { passage: { ...beginPassage(this.#terms, orders), amounts: [] }, position: 0 };
    const state = cloneState(last.state);
    state.orders = orders;
    return { passage: { state, newest: last.newest, amounts: [...last.amounts] }, position: last.position };
  }
}

interface Beginning {
  readonly passage: Passage;
  readonly position: number;
}

interface Until {
  readonly coming: LateChange;
  readonly through: Day;
}

/** Applies the facts before a change. Returns the position at which the change joins. */
function applyBefore(passage: Passage, facts: readonly AppliedFact[], first: number, { coming, through }: Until): number {
  let at = applyThrough(passage, facts, first, earliest(addDays(coming.effective.day, -1), through));
  for (let fact = facts[at]; fact !== undefined && fact.effective.day <= through && compareFacts(fact, coming) < 0; fact = facts[at]) {
    applyNext(passage, fact);
    at += 1;
  }
  return at;
}

/** In the order of recording. */
export function lateChanges({ facts }: Arrangement): readonly LateChange[] {
  const late: LateChange[] = [];
  for (const fact of facts) if (isLateChange(fact)) late.push(fact);
  return late.sort((a, b) => a.sequence - b.sequence);
}

/**
 * Whether amounts were set between the effective time of a late change and its recording. Then the rows of that time had other
 * amounts than at the position of the change, and only the ledger without the change shows them.
 */
export const isBehindAmounts = ({ facts }: Arrangement, late: readonly LateChange[]): boolean =>
  late.some((change) =>
    facts.some((fact) => fact !== change && setsAmounts(fact) && compareFacts(fact, change) > 0 && fact.effective.day < change.recordedDay),
  );

/** The history with caps of each late change: due dates that had passed by its recording do not rise above them. */
export const withCaps = (terms: LedgerTerms, arrangement: Arrangement, late: readonly LateChange[]): Arrangement => ({
  facts: arrangement.facts,
  orders: cappedOrders(new GrowingHistory(terms, arrangement, late), arrangement.orders, late),
});

/** The ledger of the history with caps, through a day. */
export function foldWithCaps(terms: LedgerTerms, arrangement: Arrangement, late: readonly LateChange[], through: Day): LedgerState {
  const history = new GrowingHistory(terms, arrangement, late);
  return history.fold(late.length, cappedOrders(history, arrangement.orders, late), through).state;
}

function cappedOrders(history: GrowingHistory, orders: OrdersInForce, late: readonly LateChange[]): OrdersInForce {
  const caps: DueCaps[] = [];
  const current = (): OrdersInForce => ({ ...orders, caps: [...caps] });
  for (const [before, change] of late.entries()) caps.push(capsOf(change, history.fold(before, current(), change.recordedDay)));
  return current();
}

/** The caps of a change: the amounts that fell due in the ledger without it. */
export function capsOf({ sequence, recordedDay }: LateChange, { state, amounts }: Grown): DueCaps {
  // From an acceleration on everything is due, so rows give no bounds.
  const through = earliest(recordedDay, addDays(state.acceleratedSince ?? NEVER, -1));
  const fallen = [...state.replaced, ...state.obligations].filter(
    ({ ordinal, dueDay }) => ordinal !== ACCELERATION_ORDINAL && dueDay <= through,
  );
  return {
    change: sequence,
    through,
    asked: fallen.map(({ dueDay, baseCents }) => ({ dueDay, amountCents: baseCents })),
    amounts: askedByFact(amounts, through),
  };
}

/** Most facts do not change the rows: their amounts are computed once. */
function askedByFact(amounts: readonly SetAmounts[], through: Day): DueCaps['amounts'] {
  const askedByRows = new Map<readonly OpenRow[], readonly Asked[]>();
  return amounts.map(({ fact, rows }) => {
    const known =
      askedByRows.get(rows) ?? rows.filter(({ date }) => date <= through).map(({ date, amountCents }) => ({ dueDay: date, amountCents }));
    askedByRows.set(rows, known);
    return { fact, rows: known };
  });
}

/** Arranges the facts (`arrange`), with the days on which nothing accrues although the loan is active after the adjustment. */
export function arrangedWithIdleDays(terms: LedgerTerms, facts: readonly LedgerFact[]): Arrangement {
  const arrangement = arrange(facts);
  // Only a reversed charge-off makes such days.
  if (arrangement.orders.noChargeOffThrough === null) return arrangement;
  const idle = idleDaysOf(facts, (earlier, known, through) => fold(terms, withIdle(arrange(earlier), known), through, null));
  return idle.length === 0 ? arrangement : withIdle(arrangement, idle);
}

const withIdle = ({ facts, orders }: Arrangement, idle: readonly IdleDays[]): Arrangement => ({
  facts,
  orders: { ...orders, idle: [...idle] },
});
