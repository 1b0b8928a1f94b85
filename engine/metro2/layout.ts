import { assert } from '../assert.js';
import type { AnyField, NamedField, RecordOf } from './fields.js';

/** A field whose characters or value are wrong. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** A record or segment: its fields in the order of the file. */
export interface Layout<Fields extends readonly AnyField[]> {
  readonly fields: Fields;
  readonly length: number;
  write(record: RecordOf<Fields>): string;
  /** Reads what it can: the values of the other fields are there even where one is wrong. */
  read(text: string): { readonly record: RecordOf<Fields>; readonly faults: readonly FieldFault[] };
  /** Everything in a record that could not be written, or must not be. */
  faultsOf(record: RecordOf<Fields>): readonly FieldFault[];
}

const isField = (one: AnyField): one is NamedField => one.name !== null;

const lengthOf = (one: AnyField): number => (isField(one) ? one.length : one.text.length);

export function layout<const Fields extends readonly AnyField[]>(length: number, fields: Fields): Layout<Fields> {
  const total = fields.reduce((sum, one) => sum + lengthOf(one), 0);
  assert(total === length, `the fields have ${total} characters, and the record ${length}`);
  // The value of each field is that of its name: `RecordOf` ties them, which a list of different fields cannot show the compiler.
  const valueOf = (record: RecordOf<Fields>, one: NamedField): never =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    (record as unknown as Readonly<Record<string, never>>)[one.name] as never;
  return {
    fields,
    length,
    write(record) {
      let written = '';
      for (const one of fields) written += isField(one) ? one.write(valueOf(record, one)) : one.text;
      return written;
    },
    read(text) {
      const record: Record<string, unknown> = {};
      const faults: FieldFault[] = [];
      let at = 0;
      for (const one of fields) {
        const characters = text.slice(at, at + lengthOf(one)).padEnd(lengthOf(one));
        at += lengthOf(one);
        if (!isField(one)) continue;
        const value: unknown = one.read(characters);
        if (value === undefined) faults.push({ field: one.name, message: `cannot be read: ${JSON.stringify(characters)}` });
        record[one.name] = value ?? emptyOf(one);
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field has given the value of its name
      return { record: record as RecordOf<Fields>, faults };
    },
    faultsOf(record) {
      const faults: FieldFault[] = [];
      for (const one of fields) {
        if (!isField(one)) continue;
        const message = one.faultOf(valueOf(record, one));
        if (message !== null) faults.push({ field: one.name, message });
      }
      return faults;
    },
  };
}

/** What stands for characters that could not be read. */
const emptyOf = (one: NamedField): unknown => one.read(' '.repeat(one.length));
