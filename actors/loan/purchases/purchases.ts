import { must, type PurchaseKind } from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, NamedPart } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { type Items, newestFirst } from '../../list-order.js';
import { loanTypeOf, recordOf, refuseStatus, requireMove, statusOf } from '../context.js';
import { type Draw, drawStatusOf } from '../draws/draw.js';
import { drawActivation } from '../draws/status.js';
import { lineOf } from '../line/ledger.js';
import type { LoanState } from '../state.js';
import { isHeld, type PurchaseStatus } from './machine.js';
import { type PurchaseRecord, raisesBalance } from './posting.js';

/** The data that copies of a line share until one of them changes it. */
interface Store {
  /** In the order of recording. */
  readonly list: PurchaseRecord[];
  /** Indexes in the list, by id. */
  readonly indexes: Map<string, number>;
  /** Indexes of the purchases of each draw, ascending. */
  readonly onDraws: Map<number, number[]>;
  readonly byExternalId: Map<string, string>;
  /** For the list index. It grows at its end, and is made again when a name is removed. */
  names: NamedPart[];
  /** Ids of purchases that only hold credit. */
  readonly held: Set<string>;
  /** Ids of refunds whose rest is a payment. */
  readonly refunds: Set<string>;
  /** Ids of the refunds of a purchase, by its id. */
  readonly refundsOf: Map<string, Set<string>>;
}

const emptyStore = (): Store => ({
  list: [],
  indexes: new Map(),
  onDraws: new Map(),
  byExternalId: new Map(),
  names: [],
  held: new Set(),
  refunds: new Set(),
  refundsOf: new Map(),
});

/**
 * The purchases of a line, with indexes for what commands and balances often need, so that none of them reads all purchases. Records are
 * never changed, only replaced. A copy shares them until one of the two changes.
 */
export class Purchases {
  private store = emptyStore();
  private isShared = false;

  static of(records: Iterable<PurchaseRecord>): Purchases {
    const purchases = new Purchases();
    for (const record of records) purchases.put(record);
    return purchases;
  }

  /** The purchases of one draw or of all, in the order of recording. Read it at once: it grows. */
  all(draw: number | null = null): readonly PurchaseRecord[] {
    return draw === null ? this.store.list : this.#indexesOn(draw).map((index) => this.#at(index));
  }

  /** The same, newest first, for a page. */
  newestFirst(draw: number | null = null): Items<PurchaseRecord> {
    const { list, indexes } = this.store;
    const indexOf = (cursor: string): number => indexes.get(this.#idOf(cursor)) ?? -1;
    if (draw === null) return newestFirst(list.length, (index) => this.#at(index), indexOf);
    const onDraw = this.#indexesOn(draw);
    return newestFirst(
      onDraw.length,
      (at) => this.#at(must(onDraw[at], 'an index below the length')),
      (cursor) => onDraw.indexOf(indexOf(cursor)),
    );
  }

  get size(): number {
    return this.store.list.length;
  }

  /** External ids for the list index. */
  get names(): readonly NamedPart[] {
    return this.store.names;
  }

  get(id: string): PurchaseRecord | undefined {
    const index = this.store.indexes.get(id);
    return index === undefined ? undefined : this.store.list[index];
  }

  /** By its id, or by `ext-` and its external id. */
  find(anyId: string): PurchaseRecord | undefined {
    return this.get(this.#idOf(anyId));
  }

  /** By its number in the facts of the ledger. */
  numbered(number: number): PurchaseRecord | undefined {
    const { list } = this.store;
    const usual = list[number - 1]; // they are numbered from 1
    return usual?.purchase === number ? usual : list.find(({ purchase }) => purchase === number);
  }

  /** Purchases that only hold credit, in no order. */
  held(): readonly PurchaseRecord[] {
    return this.records(this.store.held);
  }

  /** Refunds of which the ledger may make payments, in the order of recording. */
  refunds(): readonly PurchaseRecord[] {
    return this.records(this.store.refunds).sort((a, b) => a.createdStamp - b.createdStamp);
  }

  /** Refunds of one purchase, in any status. */
  refundsOf(id: string): readonly PurchaseRecord[] {
    const ids = this.store.refundsOf.get(id);
    return ids === undefined ? NONE : this.records(ids);
  }

  put(record: PurchaseRecord): void {
    if (this.isShared) this.separate();
    const { list, indexes, onDraws, held, refunds, refundsOf } = this.store;
    const { id, originalPurchaseId } = record;
    const index = indexes.get(id) ?? list.length;
    const before = list[index];
    list[index] = record;
    indexes.set(id, index);
    this.name(before?.externalId ?? null, record);
    if (isHeld(record.status)) held.add(id);
    else held.delete(id);
    if (record.refundTransactionId !== null) refunds.add(id);
    else refunds.delete(id);
    if (before !== undefined) return; // its draw, and which one it refunds, do not change
    const onDraw = onDraws.get(record.draw);
    if (onDraw === undefined) onDraws.set(record.draw, [index]);
    else onDraw.push(index);
    if (originalPurchaseId === null) return;
    const known = refundsOf.get(originalPurchaseId);
    if (known === undefined) refundsOf.set(originalPurchaseId, new Set([id]));
    else known.add(id);
  }

  /** For a preview or a pending read. */
  copy(): Purchases {
    const copy = new Purchases();
    copy.store = this.store;
    copy.isShared = true;
    this.isShared = true;
    return copy;
  }

  #idOf(anyId: string): string {
    const id = anyId.startsWith(EXTERNAL) ? this.store.byExternalId.get(anyId.slice(EXTERNAL.length)) : undefined;
    return id ?? anyId;
  }

  #indexesOn(draw: number): readonly number[] {
    return this.store.onDraws.get(draw) ?? NOWHERE;
  }

  #at(index: number): PurchaseRecord {
    return must(this.store.list[index], 'a index in the list');
  }

  private records(ids: ReadonlySet<string>): PurchaseRecord[] {
    const found: PurchaseRecord[] = [];
    for (const id of ids) {
      const record = this.get(id);
      if (record !== undefined) found.push(record);
    }
    return found;
  }

  private name(before: string | null, { id, externalId }: PurchaseRecord): void {
    if (before === externalId) return;
    const { store } = this;
    if (before !== null) {
      store.byExternalId.delete(before);
      store.names = [...store.byExternalId].map(([known, of]) => ['purchase', known, of]);
    }
    if (externalId === null) return;
    store.byExternalId.set(externalId, id);
    store.names.push(['purchase', externalId, id]);
  }

  private separate(): void {
    const { list, indexes, onDraws, byExternalId, names, held, refunds, refundsOf } = this.store;
    this.store = {
      list: [...list],
      indexes: new Map(indexes),
      onDraws: new Map([...onDraws].map(([draw, of]) => [draw, [...of]])),
      byExternalId: new Map(byExternalId),
      names: [...names],
      held: new Set(held),
      refunds: new Set(refunds),
      refundsOf: new Map([...refundsOf].map(([id, ids]) => [id, new Set(ids)])),
    };
    this.isShared = false;
  }
}

const EXTERNAL = 'ext-';
const NONE: readonly PurchaseRecord[] = [];
const NOWHERE: readonly number[] = [];

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** How a draw accepts a new purchase. */
export interface Opening {
  /** False for a migration's history, which the ledger does not count and limits do not bind. */
  readonly isCounted: boolean;
  /** The activation of the draw, before which no purchase counts. Null for a migration's history. */
  readonly activation: EffectiveTime | null;
  /** The facts of the draw's activation, if this is its first purchase. */
  readonly drafts: readonly FactDraft[];
}

interface Asked {
  readonly draw: Draw;
  readonly kind: PurchaseKind;
  readonly status: PurchaseStatus;
  readonly originalDrawId: string | null;
}

const HISTORY: Opening = { isCounted: false, activation: null, drafts: [] };

/** 409 unless line and draw accept the purchase. The first purchase activates an originated draw if the product says so. */
export function openDraw(
  context: Context,
  request: { readonly caseId?: string | null },
  { draw, kind, status, originalDrawId }: Asked,
): Opening {
  const { state } = context;
  if (draw.drawType === 'static') return history(state, originalDrawId);
  if (originalDrawId !== null)
    refuseProperty('migration.originalDrawId', 'null', '`migration.originalDrawId` can only be set on a static draw of a migration.');
  if (status === 'declined') {
    requireMove(state, 'managePurchase');
    return { isCounted: true, activation: null, drafts: [] };
  }
  const isFirst = draw.status === 'originated' && isOpenedByPurchase(context);
  requireTaking(context, draw, kind, isFirst);
  if (!isFirst) return { isCounted: true, activation: activationOf(context, draw), drafts: [] };
  const activation = drawActivation(context, draw, request.caseId ?? null);
  return { isCounted: true, activation: activation.effective ?? null, drafts: [activation] };
}

/** 409 unless an authorized purchase can be settled. A draw or line that was closed since then still accepts it. */
export function requireSettling(context: Context, draw: Draw, kind: PurchaseKind): void {
  if (draw.drawType !== 'static') requireServiced(context, draw, kind);
}

function requireTaking(context: Context, draw: Draw, kind: PurchaseKind, isFirst: boolean): void {
  const { state } = context;
  if (isFirst) requireMove(state, 'purchase');
  else requireServiced(context, draw, kind);
  if (!raisesBalance(kind)) return;
  const record = recordOf(state);
  if (record.isClosed) refuseClosed('The line is closed', 'isClosed');
  if (!record.newDrawsAllowed) refuseClosed('The line does not allow new draws and purchases', 'newDrawsAllowed');
  if (draw.isClosed) refuseClosed('The draw is closed', 'isClosed');
}

function refuseClosed(why: string, path: string): never {
  return refuse('invalidState', `${why}. Only refunds and cash back are accepted.`, {
    errors: [{ path, expected: 'an open line and draw', message: 'does not accept new purchases' }],
  });
}

/** 409 unless line and draw are active; for refunds they may also be paid off after they were closed. */
function requireServiced({ state, env }: Context, draw: Draw, kind: PurchaseKind): void {
  const isComingBack = !raisesBalance(kind);
  const status = statusOf(state);
  if (!(isComingBack && status === 'paidOff')) {
    if (status !== 'active') refuseStatus(state, isComingBack ? ['active', 'paidOff'] : ['active']);
  }
  const ofDraw = drawStatusOf(state, env, draw);
  if (ofDraw === 'active' || (isComingBack && ofDraw === 'paidOff')) return;
  refuse('invalidState', `The draw ${draw.id} is ${ofDraw}; it must be active.`, {
    errors: [{ path: 'drawId', expected: 'an active draw', message: `the draw is ${ofDraw}` }],
  });
}

const isOpenedByPurchase = ({ state, env }: Context): boolean => currentSettings(loanTypeOf(env, state)).draws.autoActivateOnFirstPurchase;

function history(state: LoanState, originalDrawId: string | null): Opening {
  if (originalDrawId === null)
    return refuseProperty(
      'migration.originalDrawId',
      'the original draw of the purchase',
      '`migration.originalDrawId` is required on a static draw, which has only history.',
    );
  if (state.draws.some(({ id, drawType }) => id === originalDrawId && drawType !== 'static')) return HISTORY;
  return refuse('ruleViolation', `The line has no draw ${originalDrawId}.`, {
    errors: [{ path: 'migration.originalDrawId', expected: 'another draw of the line', message: 'there is no such draw' }],
  });
}

const activationOf = ({ state, env }: Context, { draw }: Draw): EffectiveTime | null =>
  lineOf(state, env).draws.find((known) => known.draw === draw)?.activation.effective ?? null;
