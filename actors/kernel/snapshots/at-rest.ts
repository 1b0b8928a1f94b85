import type { Fact } from '../fact.js';
import { isUnreadable } from '../journal/known-keys.js';
import type { KeyStore } from '../ports.js';
import type { StoredValue } from '../journal/read-packed.js';
import { pack, unpack } from '../journal/records.js';

/** Personal data of an actor that is clear in memory, so that filters, orders and look-ups can read it. */
export interface PersonalFields<State> {
  /** Names of properties, wherever they are in the state, its parts, its row and the bodies of its facts. Each may be null. */
  readonly names: ReadonlySet<string>;
  /**
   * Further ones that are personal only in facts of a type (also where such a fact is part of another one), below a property, or in pages
   * of a name: these words have other meanings as well.
   */
  readonly within?: Readonly<Record<string, readonly string[]>>;
  /** The names that replies use for a field, if they differ from the state. */
  readonly shownAs?: Readonly<Record<string, readonly string[]>>;
  /** Free texts in the data of events, by the type of the event. */
  readonly eventTexts?: Readonly<Record<string, readonly string[]>>;
  /** Fields without which a command is refused when no key is left; the others are then recorded as null. */
  readonly refused?: ReadonlySet<string>;
  /**
   * The body of a fact as this release records it, if an earlier release recorded personal data in fields that other values have as well.
   * The service reads both alike.
   */
  upgradeBody?(type: string, body: unknown): unknown;
  /** The same for the message of a stored reply about the object. */
  upgradeMessage?(message: string, id: string): string;
  /** The owner of the data key that seals them. A row's owner is its parent, or itself. */
  ownerOf(state: State): string;
}

/** Names of personal fields, and those that are personal only below a property of a name, or in facts of a type. */
interface FieldNames {
  readonly names: ReadonlySet<string>;
  readonly within: ReadonlyMap<string, FieldNames>;
}

/** The personal fields of an actor, and the owner of their key. */
export interface OwnedFields extends FieldNames {
  readonly owner: string;
  /** The actor: a sealed value opens in no other one. */
  readonly id: string;
}

/**
 * Personal fields on the disk. Memory has them in clear; in journal and snapshots each is sealed with the data key of its person, so that
 * an erasure makes all copies unreadable. Values that an earlier release stored in clear are read as they are.
 */
export class AtRest {
  /** Persons erased since the start: nothing of them is opened any more, even while the key is still to be destroyed. */
  readonly #erased = new Set<string>();

  constructor(private readonly keys: Pick<KeyStore, 'has' | 'knows' | 'seal' | 'open'>) {}

  /** The value with its personal fields sealed: null for an erased person. The value itself is not changed. */
  sealed(value: unknown, fields: OwnedFields): unknown {
    const { owner, id } = fields;
    if (!this.isSealing(owner)) return value;
    return mapped(value, fields, (field, name) => (field instanceof Uint8Array ? field : this.sealOne(field, owner, contextOf(id, name))));
  }

  /** Whether the owner has, or had, a data key. Values of others are stored as they are. */
  isSealing = (owner: string): boolean => this.#erased.has(owner) || this.keys.knows(owner);

  /** Whether nothing of the owner can be sealed any more: erased, or the key was lost and given up. */
  isGone = (owner: string): boolean => this.#erased.has(owner) || (!this.keys.has(owner) && this.keys.knows(owner));

  /** The reverse. A value that cannot be read stays as it is, so that nothing is lost until the key is available again. */
  opened(value: unknown, fields: OwnedFields): unknown {
    const { owner, id } = fields;
    return mapped(value, fields, (field, name) =>
      field instanceof Uint8Array ? this.#openOne(field, owner, contextOf(id, name)) : this.#erased.has(owner) ? null : field,
    );
  }

  /** The same for a value of the snapshots: where it holds no bytes nothing is sealed, and most parts hold none. */
  openedStored({ value, holdsBytes }: StoredValue, fields: OwnedFields): unknown {
    return holdsBytes || this.#erased.has(fields.owner) ? this.opened(value, fields) : value;
  }

  /** Null for an erased person. */
  sealOne(field: unknown, owner: string, context: string): Uint8Array | null {
    if (this.#erased.has(owner) || !this.keys.has(owner)) return null;
    const text = typeof field === 'string' ? TEXT + field : PACKED + Buffer.from(pack(field)).toString('base64');
    return this.keys.seal(owner, text, context);
  }

  /** Undefined when the value cannot be read. */
  openOne(sealed: Uint8Array, owner: string, context: string): unknown {
    const opened = this.#openOne(sealed, owner, context);
    return opened instanceof Unreadable ? undefined : opened;
  }

  erase(owner: string): void {
    this.#erased.add(owner);
  }

  #openOne(sealed: Uint8Array, owner: string, context: string): unknown {
    if (this.#erased.has(owner)) return null;
    try {
      const text = this.keys.open(owner, sealed, context);
      if (text === undefined) return null;
      return text.startsWith(TEXT) ? text.slice(1) : unpack(Buffer.from(text.slice(1), 'base64'));
    } catch (cause) {
      if (!isUnreadable(cause)) throw cause;
      return new Unreadable(sealed);
    }
  }
}

/** A sealed field whose key is missing or damaged: replies show null, and it is stored again as it was. */
class Unreadable extends Uint8Array {
  toJSON(): null {
    return null;
  }
}

const NOWHERE: FieldNames['within'] = new Map();
const known = new WeakMap<object, FieldNames>();

/** The names that a kind of actor declares. */
function fieldNames(personal: Pick<PersonalFields<never>, 'names' | 'within'>): FieldNames {
  const before = known.get(personal);
  if (before !== undefined) return before;
  const { names, within = {} } = personal;
  const below = Object.entries(within).map(([name, more]) => [name, { names: new Set([...names, ...more]), within: NOWHERE }] as const);
  const made: FieldNames = { names, within: new Map(below) };
  known.set(personal, made);
  return made;
}

interface Owned {
  readonly id: string;
  readonly definition: { readonly personal?: PersonalFields<unknown> };
}

/** The personal fields of an actor; null when it has none. */
export function fieldsOf({ definition: { personal }, id }: Owned, state: unknown): OwnedFields | null {
  return personal === undefined ? null : fieldsOfOwner(personal, id, personal.ownerOf(state));
}

/** Each field is named: this is done for every fact, and an object made by spreads costs more than the rest of it. */
function fieldsOfOwner(personal: Pick<PersonalFields<never>, 'names' | 'within'>, id: string, owner: string): OwnedFields {
  const { names, within } = fieldNames(personal);
  return { names, within, owner, id };
}

export interface OwnedState extends Owned {
  readonly state: unknown;
  readonly lastSequence: number;
}

/** What names the owner of a fact: the state of the actor, or its first fact itself. */
export const ownedBy = ({ lastSequence, definition, state }: Omit<OwnedState, 'id'>, body: unknown): unknown =>
  lastSequence === 0 && definition.personal !== undefined ? Object.assign({}, state, body) : state;

/** The personal fields of a fact of the actor. */
export function fieldsOfFact({ type, body }: Fact, actor: OwnedState): OwnedFields | null {
  const fields = fieldsOf(actor, ownedBy(actor, body));
  return fields === null ? null : ofFact(fields, type);
}

/** The same where the owner is known and the state is not. */
export const fieldsOfOwnedFact = (personal: PersonalFields<never>, { type, id }: Pick<Fact, 'type' | 'id'>, owner: string): OwnedFields =>
  ofFact(fieldsOfOwner(personal, id, owner), type);

function ofFact(fields: OwnedFields, type: string): OwnedFields {
  const ofType = fields.within.get(type);
  return ofType === undefined ? fields : { names: ofType.names, within: ofType.within, owner: fields.owner, id: fields.id };
}

const shown = new WeakMap<object, RegExp>();

/**
 * Whether the JSON of a reply has a personal field with a value. Replies name them as states and facts do, or with words before the name
 * (`drawExternalId`), and in any case of letters (`metadata`).
 */
export function hasPersonalField(json: string, personal: Pick<PersonalFields<never>, 'names' | 'within' | 'shownAs'>): boolean {
  let pattern = shown.get(personal);
  if (pattern === undefined) {
    const { names, within = {}, shownAs = {} } = personal;
    const inReplies = new Set([...names, ...Object.values(within).flat()].flatMap((name) => shownAs[name] ?? [name]));
    pattern = new RegExp(`(?<=${[...inReplies].join('|')})":(?!null)`, 'i'); // looks back from each name's end: there are few of them
    shown.set(personal, pattern);
  }
  return pattern.test(json);
}

/** Names of such fields that have a value. */
export function namesIn(value: unknown, names: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  mapped(value, { names, within: NOWHERE }, (field, name) => {
    found.add(name);
    return field;
  });
  return found;
}

/** The personal fields in a part that is stored apart: pages have a number after their name. */
export const fieldsOfPart = (fields: OwnedFields, part: string): OwnedFields => {
  const below = fields.within.get(part.replace(PAGE_NUMBER, ''));
  return below === undefined ? fields : { ...fields, ...below };
};

const PAGE_NUMBER = /-\d+$/;

/** The first character of a sealed value: a text as it is, or anything else as a record. */
const TEXT = 't';
const PACKED = 'p';

const contextOf = (id: string, name: string): string => `${name}/${id}`;

/** Copies objects that hold such a field, and nothing else. */
function mapped(value: unknown, fields: FieldNames, map: (field: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    let copy: unknown[] | null = null;
    for (let at = 0; at < items.length; at += 1) {
      const item = items[at];
      if (typeof item !== 'object') continue; // most items of a loan are numbers
      const to = mapped(item, fields, map);
      if (to !== item) (copy ??= [...items])[at] = to;
    }
    return copy ?? value;
  }
  if (!isPlain(value)) return value;
  const { names } = fields;
  let copy: Record<string, unknown> | null = null;
  for (const name in value) {
    const field = value[name];
    if (field === null || field === undefined) continue;
    if (!names.has(name) && typeof field !== 'object') continue;
    const to = names.has(name) ? map(field, name) : mapped(field, fieldsBelow(value, name, fields), map);
    if (to !== field) (copy ??= { ...value })[name] = to;
  }
  return copy ?? value;
}

/** A fact within another one has the personal fields of its own type. */
function fieldsBelow(value: Readonly<Record<string, unknown>>, name: string, fields: FieldNames): FieldNames {
  const { type } = value;
  const ofType = name === 'body' && typeof type === 'string' ? fields.within.get(type) : undefined;
  return ofType ?? fields.within.get(name) ?? fields;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
