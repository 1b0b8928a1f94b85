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

/** What copies of a line share until one of them writes. */
interface Store {
  /** In the order of recording. */
  readonly list: PurchaseRecord[];
  /** Places in the list, by id. */
  readonly places: Map<string, number>;
  /** Places of those of a draw, ascending. */
  readonly onDraws: Map<number, number[]>;
  readonly byExternalId: Map<string, string>;
  /** For the list index: grows at its end, and is made again when a name goes. */
  names: NamedPart[];
  /** Of those that only hold credit. */
  readonly held: Set<string>;
  /** Of those that have come with the id of a payment: they give money back. */
  readonly refunds: Set<string>;
  /** Of those that refund another one, by its id. */
  readonly refundsOf: Map<string, Set<string>>;
}

const emptyStore = (): Store => ({
  list: [],
  places: new Map(),
  onDraws: new Map(),
  byExternalId: new Map(),
  names: [],
  held: new Set(),
  refunds: new Set(),
  refundsOf: new Map(),
});

/**
 * The purchases of a line, with what every command and balance asks of them kept beside: nothing that is asked at each turn looks through
 * all of them. Records are never changed, only replaced; a copy shares them until one of both writes.
 */
export class Purchases {
  private store = emptyStore();
  private isShared = false;

  static of(records: Iterable<PurchaseRecord>): Purchases {
    const purchases = new Purchases();
    for (const record of records) purchases.put(record);
    return purchases;
  }

  /** Of one draw or of all, in the order of recording. Not to be kept: it grows. */
  all(draw: number | null = null): readonly PurchaseRecord[] {
    return draw === null ? this.store.list : this.#placesOn(draw).map((place) => this.#at(place));
  }

  /** The same from the newest on, for a page. */
  newestFirst(draw: number | null = null): Items<PurchaseRecord> {
    const { list, places } = this.store;
    const placeOf = (cursor: string): number => places.get(this.#idOf(cursor)) ?? -1;
    if (draw === null) return newestFirst(list, (record) => record, placeOf);
    const onDraw = this.#placesOn(draw);
    return newestFirst(
      onDraw,
      (place) => this.#at(place),
      (cursor) => onDraw.indexOf(placeOf(cursor)),
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
    const place = this.store.places.get(id);
    return place === undefined ? undefined : this.store.list[place];
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

  /** What only holds credit, in no order. */
  held(): readonly PurchaseRecord[] {
    return this.records(this.store.held);
  }

  /** What the ledger may make payments of, in the order of recording. */
  refunds(): readonly PurchaseRecord[] {
    return this.records(this.store.refunds).sort((a, b) => a.createdStamp - b.createdStamp);
  }

  /** Refunds of one purchase, in whatever status. */
  refundsOf(id: string): readonly PurchaseRecord[] {
    const ids = this.store.refundsOf.get(id);
    return ids === undefined ? NONE : this.records(ids);
  }

  put(record: PurchaseRecord): void {
    if (this.isShared) this.separate();
    const { list, places, onDraws, held, refunds, refundsOf } = this.store;
    const { id, originalPurchaseId } = record;
    const place = places.get(id) ?? list.length;
    const before = list[place];
    list[place] = record;
    places.set(id, place);
    this.name(before?.externalId ?? null, record);
    if (isHeld(record.status)) held.add(id);
    else held.delete(id);
    if (record.refundTransactionId !== null) refunds.add(id);
    else refunds.delete(id);
    if (before !== undefined) return; // its draw, and which one it refunds, do not change
    const onDraw = onDraws.get(record.draw);
    if (onDraw === undefined) onDraws.set(record.draw, [place]);
    else onDraw.push(place);
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

  #placesOn(draw: number): readonly number[] {
    return this.store.onDraws.get(draw) ?? NOWHERE;
  }

  #at(place: number): PurchaseRecord {
    return must(this.store.list[place], 'a place in the list');
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
    const { list, places, onDraws, byExternalId, names, held, refunds, refundsOf } = this.store;
    this.store = {
      list: [...list],
      places: new Map(places),
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

type Context = CommandContext<LoanState>;

/** What a draw lets a new purchase do. */
export interface Opening {
  /** False for a migration's history, which no ledger counts and no limit binds. */
  readonly isCounted: boolean;
  /** The draw's; no purchase counts before it. Null where that does not matter. */
  readonly activation: EffectiveTime | null;
  /** The activation of the draw, when this is its first purchase. */
  readonly drafts: readonly FactDraft[];
}

interface Asked {
  readonly draw: Draw;
  readonly kind: PurchaseKind;
  readonly status: PurchaseStatus;
  readonly originalDrawId: string | null;
}

const HISTORY: Opening = { isCounted: false, activation: null, drafts: [] };

/** 409 unless line and draw take the purchase; an originated draw is activated by its first one, where the product says so. */
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

/** 409 unless what was authorized may be settled: what was closed since takes it all the same. */
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

/** Line and draw are active; for money that comes back they may be paid off, because they were closed. */
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
