import type { EventDraft, ExternalIds, StoredEvent, Tenant } from '../fact.js';
import { isUnreadable } from '../journal/known-keys.js';
import { type EventHead, packEvent, readEvent } from '../journal/records.js';
import { CASE, LOAN, PERSON } from '../known-names.js';
import type { World } from '../shard/world.js';

type Name = Exclude<keyof ExternalIds, 'personId'>;
type Ids = { -readonly [Each in keyof ExternalIds]: ExternalIds[Each] };

/** External ids that the log seals with the key of the borrower, in the order of events. */
const NAMES: readonly Name[] = ['loanId', 'transactionId', 'drawId', 'caseId', 'interactionId'];

/** The first character of a sealed id: no external id begins with it. */
const SEALED = '\u0001';

const contextOf = (name: string, personId: string): string => `event.${name}/${personId}`;

/** A draft with the external ids of the loan and the case that it names, where its actor does not know them. */
export function withListedNames(draft: EventDraft, tenant: Tenant, { catalog }: Pick<World, 'catalog'>): EventDraft {
  const { refs, externalIds = NONE } = draft;
  const found: Ids = {};
  for (const [name, kind] of LISTED) {
    const id = refs[name];
    if (id === undefined || externalIds[name] !== undefined) continue;
    const row = catalog.get(tenant, kind, id);
    if (row !== undefined) found[name] = row.externalId;
  }
  return isEmpty(found) ? draft : { ...draft, externalIds: { ...externalIds, ...found } };
}

const LISTED = [
  ['loanId', LOAN],
  ['caseId', CASE],
] as const;

/** The external ids of an event as the log stores them. `known`: ids already sealed for the same command, whose events often share them. */
export function sealedNames(
  { refs: { personId }, externalIds = NONE }: Pick<EventDraft, 'refs' | 'externalIds'>,
  { atRest }: Pick<World, 'atRest'>,
  known: Map<string, string | null>,
): ExternalIds {
  let stored: Ids | null = null;
  for (const name of NAMES) {
    const externalId = externalIds[name];
    if (externalId == null || personId === undefined || !atRest.isSealing(personId)) continue;
    const context = contextOf(name, personId);
    const key = `${context}/${externalId}`;
    let text = known.get(key);
    if (text === undefined) {
      const sealed = atRest.sealOne(externalId, personId, context);
      text = sealed && SEALED + Buffer.from(sealed).toString('base64');
      known.set(key, text);
    }
    stored ??= { ...externalIds };
    stored[name] = text;
  }
  return stored ?? externalIds;
}

const NONE: ExternalIds = {};

/** The data of an event as the log stores it: free texts are sealed with the key of the borrower. */
export function sealedTexts(
  { eventType, refs: { personId }, data }: EventDraft,
  { atRest, eventTexts }: Pick<World, 'atRest' | 'eventTexts'>,
): EventDraft['data'] {
  const names = eventTexts.get(eventType);
  if (names === undefined || personId === undefined || !atRest.isSealing(personId)) return data;
  let stored: Record<string, unknown> | null = null;
  for (const name of names) {
    const text = data[name];
    if (text == null) continue;
    const sealed = atRest.sealOne(text, personId, contextOf(name, personId));
    (stored ??= { ...data })[name] = sealed && SEALED + Buffer.from(sealed).toString('base64');
  }
  return stored ?? data;
}

/** The reverse of `sealedTexts`; `personId` of an erased borrower is null. */
function openedTexts(
  { eventType, data }: StoredEvent,
  personId: string | null,
  world: Pick<World, 'atRest' | 'eventTexts'>,
): StoredEvent['data'] {
  const names = world.eventTexts.get(eventType);
  if (names === undefined) return data;
  let opened: Record<string, unknown> | null = null;
  for (const name of names) {
    const text = data[name];
    if (typeof text !== 'string') continue;
    if (personId === null) (opened ??= { ...data })[name] = null;
    else if (text.startsWith(SEALED)) (opened ??= { ...data })[name] = openedOne(text, personId, name, world) ?? null;
  }
  return opened ?? data;
}

const openedOne = (text: string, personId: string, name: string, { atRest }: Pick<World, 'atRest'>): unknown =>
  atRest.openOne(Buffer.from(text.slice(1), 'base64'), personId, contextOf(name, personId));

/**
 * An event as it is read: with the external id of its borrower, which is in the list index and not in the log, and with the external ids of
 * its loan at that time. For an erased borrower there are none, not even in events that an earlier release stored with them.
 */
export function withNames(event: StoredEvent, world: Pick<World, 'catalog' | 'atRest' | 'eventTexts'>): StoredEvent {
  const {
    tenant,
    refs: { personId },
    externalIds: recorded = NONE,
  } = event;
  if (personId === undefined) return event;
  const person = world.catalog.get(tenant, PERSON, personId);
  if (person === undefined) return { ...event, externalIds: NONE, data: withoutNames(openedTexts(event, null, world)) };
  const externalIds: Ids = {};
  const ownId = recorded.personId ?? person.externalId;
  if (ownId !== null) externalIds.personId = ownId;
  for (const name of NAMES) {
    const stored = recorded[name];
    if (stored == null) continue;
    const opened = stored.startsWith(SEALED) ? openedOne(stored, personId, name, world) : stored;
    if (typeof opened === 'string') externalIds[name] = opened;
  }
  return { ...event, externalIds, data: openedTexts(event, personId, world) };
}

/**
 * The bytes of an event of the journal as the snapshots store them: data that an earlier release recorded in clear is sealed, or left out
 * if this release no longer publishes it.
 */
export function resealed(packed: Uint8Array, { refs: { personId } }: EventHead, world: Pick<World, 'atRest' | 'eventTexts'>): Uint8Array {
  if (personId === undefined || !world.atRest.isSealing(personId)) return packed;
  const event = readEvent(packed);
  const { personId: ownId, ...externalIds } = event.externalIds ?? NONE;
  const names = inClear(externalIds);
  const texts = inClear(pick(event.data, world.eventTexts.get(event.eventType) ?? []));
  const data = withoutNames(event.data);
  if (ownId == null && isEmpty(names) && isEmpty(texts) && data === event.data) return packed;
  try {
    return packEvent({
      ...event,
      externalIds: { ...externalIds, ...sealedNames({ refs: event.refs, externalIds: names }, world, new Map()) },
      data: { ...data, ...sealedTexts({ ...event, data: texts }, world) },
    });
  } catch (cause) {
    if (!isUnreadable(cause)) throw cause;
    return packed; // until its key is available again
  }
}

type Values = Readonly<Record<string, unknown>>;

const inClear = <Value>(values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value != null && !isSealed(value)));

const isSealed = (value: unknown): boolean => typeof value === 'string' && value.startsWith(SEALED);

const pick = (values: Values, names: readonly string[]): Values => Object.fromEntries(names.map((name) => [name, values[name]]));

const isEmpty = (values: object): boolean => Object.keys(values).length === 0;

/** Removes the external ids, case names and details of payment instruments that an earlier release published. */
function withoutNames(data: StoredEvent['data']): StoredEvent['data'] {
  const { changes } = data;
  if (!Array.isArray(changes)) return data;
  const known: readonly unknown[] = changes;
  if (!known.some(saysName)) return data;
  return { ...data, changes: known.map((change) => (isOfName(change) ? { ...change, oldValue: null, newValue: null } : change)) };
}

const saysName = (change: unknown): boolean => isOfName(change) && (change.oldValue != null || change.newValue != null);

const isOfName = (change: unknown): change is { readonly field: string; readonly oldValue?: unknown; readonly newValue?: unknown } =>
  typeof change === 'object' && change !== null && 'field' in change && typeof change.field === 'string' && NAMED.has(change.field);

const NAMED: ReadonlySet<string> = new Set(['externalId', 'name', 'details']);
