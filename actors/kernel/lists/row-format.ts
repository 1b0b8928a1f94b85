import { type Day, must } from '../../../engine/index.js';
import type { AgendaEntry, CatalogRow, NamedPart } from '../actor.js';
import type { AtRest } from '../snapshots/at-rest.js';
import { LIMITS } from '../limits.js';
import { pack, unpack } from '../journal/records.js';

export interface StoredRow {
  readonly row: CatalogRow;
  readonly agenda: AgendaEntry | null;
}

type Value = CatalogRow['fields'][string];
type Fields = readonly [
  externalId: string | Sealed | null,
  createdStamp: number,
  updatedStamp: number,
  parentId: string | null,
  alsoUnder: CatalogRow['alsoUnder'] | null,
  parts: readonly NamedPart[] | null,
  zone: string | null,
  nextDay: Day | null,
  shape: number,
  values: readonly Value[],
];

/** The `Personal` of a row, sealed with the key of its person. */
type Sealed = Uint8Array;
type Personal = readonly [externalId: string | null, parts: readonly NamedPart[] | null, fields: Readonly<Record<string, Value>>];

/**
 * Rows of the list index as they are stored: arrays, since a start reads every one. The names of a row's fields are a shape; few shapes
 * serve all rows, and they are stored beside them.
 */
export class RowFormat {
  readonly #shapes: Shape[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[] | readonly number[]>();

  /** `atRest`: of rows with personal fields. */
  constructor(private readonly atRest: Pick<AtRest, 'isSealing' | 'sealOne' | 'openOne'> | null = null) {}

  /** `names` are fields that are sealed, with external ids; absent where nothing is personal. */
  pack(row: CatalogRow, agenda: AgendaEntry | null, names?: ReadonlySet<string>): Uint8Array {
    const isSealing = names !== undefined && this.atRest?.isSealing(ownerOf(row)) === true;
    const personal = isSealing ? personalOf(row, names) : null;
    if (personal === null) return this.#packed(row, row.externalId, agenda);
    const sealed = must(this.atRest, 'rows of persons are sealed').sealOne(personal, ownerOf(row), contextOf(row.id));
    const fields = Object.fromEntries(Object.entries(row.fields).map(([name, value]) => [name, name in personal[2] ? null : value]));
    return this.#packed({ ...row, parts: [], fields }, sealed, agenda);
  }

  #packed(row: CatalogRow, externalId: Fields[0], agenda: AgendaEntry | null): Uint8Array {
    const { createdStamp, updatedStamp, parentId, alsoUnder, parts, fields } = row;
    const stored: Fields = [
      externalId,
      createdStamp,
      updatedStamp,
      parentId,
      filled(alsoUnder),
      filled(parts?.flat()),
      agenda?.zone ?? null,
      agenda?.nextDay ?? null,
      this.#shapeOf(Object.keys(fields)),
      Object.values(fields),
    ];
    return pack(stored);
  }

  unpack(id: string, bytes: Uint8Array): StoredRow {
    const [external, createdStamp, updatedStamp, parentId, alsoUnder, plainParts, zone, nextDay, shape, values] = unpack<Fields>(bytes);
    const [externalId, parts, personal]: Personal =
      external instanceof Uint8Array ? this.#opened(external, { id, parentId }) : [external, plainParts, NO_FIELDS];
    const { names, empty } = must(this.#shapes[shape], `the row of ${id} has the unknown shape ${shape}`);
    const fields: Record<string, Value> = { ...empty };
    for (let at = 0; at < names.length; at++) fields[names[at] ?? ''] = values[at] ?? null;
    Object.assign(fields, personal);
    return {
      row: this.lean({
        id,
        externalId,
        createdStamp,
        updatedStamp,
        parentId,
        alsoUnder: alsoUnder ?? NO_IDS,
        parts: parts === null ? NO_PARTS : [parts],
        fields,
      }),
      agenda: zone === null || nextDay === null ? null : { zone: this.#shared(zone), nextDay },
    };
  }

  /** A new row as memory keeps it: equal texts and lists become one object, and nothing of the actor's state is referenced. */
  lean(row: CatalogRow): CatalogRow {
    const fields: Record<string, Value> = row.fields;
    for (const name in fields) {
      const value = fields[name] ?? null;
      const lean = this.#leanValue(value, row.externalId);
      if (lean !== value) fields[name] = lean;
    }
    return new KeptRow(row);
  }

  packShapes(): Uint8Array {
    return pack(this.#shapes.map(({ names }) => names));
  }

  unpackShapes(bytes: Uint8Array): void {
    for (const names of unpack<readonly (readonly string[])[]>(bytes)) this.#shapeOf(names);
  }

  /** Nothing, once the person was erased. */
  #opened(sealed: Sealed, row: Pick<CatalogRow, 'id' | 'parentId'>): Personal {
    const opened = must(this.atRest, 'rows of persons are sealed').openOne(sealed, ownerOf(row), contextOf(row.id));
    return isPersonal(opened) ? opened : [null, null, NO_FIELDS];
  }

  #leanValue(value: Value, externalId: string | null): Value {
    if (typeof value === 'string') return value === externalId ? externalId : this.#shared(value);
    if (typeof value !== 'object' || value === null) return value;
    return value.length === 0 ? NO_IDS : this.#sharedList(value);
  }

  #sharedList(list: readonly string[] | readonly number[]): readonly string[] | readonly number[] {
    const key = JSON.stringify(list);
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const lean = isOfTexts(list) ? list.map((text) => this.#shared(text)) : [...list];
    if (this.#lists.size < LIMITS.sharedLists && key.length <= LONGEST_SHARED) this.#lists.set(key, lean);
    return lean;
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size < LIMITS.sharedTexts) this.#texts.set(text, text);
    return text;
  }

  #shapeOf(names: readonly string[]): number {
    const name = names.join();
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#shapes.push({ names, empty: emptyFields(names) });
    this.#numbers.set(name, this.#shapes.length - 1);
    return this.#shapes.length - 1;
  }
}

interface Shape {
  readonly names: readonly string[];
  /** Copied for each row. */
  readonly empty: Readonly<Record<string, null>>;
}

/** Parsed: unlike one that grows name by name, such an object and its copies have their values in themselves, not in a second object. */
const emptyFields = (names: readonly string[]): Shape['empty'] =>
  JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));

/** A row in memory. All have one shape, with the index in a list that `RowList` sets. */
class KeptRow implements CatalogRow {
  readonly id: string;
  readonly externalId: string | null;
  readonly createdStamp: number;
  readonly updatedStamp: number;
  readonly parentId: string | null;
  readonly alsoUnder: readonly string[];
  readonly parts: NonNullable<CatalogRow['parts']>;
  readonly fields: CatalogRow['fields'];
  index: number | undefined = undefined;

  constructor({ id, externalId, createdStamp, updatedStamp, parentId, alsoUnder, parts, fields }: CatalogRow) {
    this.id = id;
    this.externalId = externalId;
    this.createdStamp = createdStamp;
    this.updatedStamp = updatedStamp;
    this.parentId = parentId;
    this.alsoUnder = filled(alsoUnder) ?? NO_IDS;
    this.parts = filled(parts) ?? NO_PARTS;
    this.fields = fields;
  }
}

/** Characters of a list that rows share. */
const LONGEST_SHARED = 200;

const isOfTexts = (values: readonly string[] | readonly number[]): values is readonly string[] => typeof values[0] === 'string';

/** The person: its parent, or itself. */
const ownerOf = ({ id, parentId }: Pick<CatalogRow, 'id' | 'parentId'>): string => parentId ?? id;

const contextOf = (id: string): string => `row/${id}`;

/** Whether an opened value belongs to a row. */
const isPersonal = (opened: unknown): opened is Personal => Array.isArray(opened);

/** The sealed values of a row; null when it has none. */
function personalOf({ externalId, parts, fields }: CatalogRow, names: ReadonlySet<string>): Personal | null {
  const texts = Object.entries(fields).filter(([name, value]) => names.has(name) && typeof value === 'string');
  const id = typeof externalId === 'string' ? externalId : null;
  const named = filled(parts?.flat());
  return id === null && named === null && texts.length === 0 ? null : [id, named, Object.fromEntries(texts)];
}

const NO_FIELDS: Personal[2] = {};
const NO_IDS: readonly string[] = [];
const NO_PARTS: NonNullable<CatalogRow['parts']> = [];

const filled = <Item>(items: readonly Item[] | null | undefined): readonly Item[] | null => (items && items.length > 0 ? items : null);
