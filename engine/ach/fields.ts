import { assert } from '../assert.js';
import { civil, type Day, dayOf, daysInMonth } from '../calendar/index.js';
import { type Cents, cents, ZERO } from '../money/index.js';

/** The characters of every record of a NACHA file. */
export const RECORD_LENGTH = 94;

/** A field of a record: its characters, and how its value is written and read. `name` is null for what is always the same. */
export interface Field<Name extends string | null = string | null, Value = unknown> {
  readonly name: Name;
  readonly width: number;
  write(value: Value): string;
  /** Undefined if the characters are no such value. */
  readonly read: (text: string) => Value | undefined;
  /** In place of characters that cannot be read. */
  readonly none: Value;
}

/** Left-justified text. What is too long is an error of the caller: account numbers and codes are never cut. */
export const text = <const Name extends string>(name: Name, width: number): Field<Name, string> => ({
  name,
  width,
  write(value) {
    assert(isPrintable(value) && value.length <= width, `${name} has at most ${width} printable ASCII characters`);
    return value.padEnd(width);
  },
  read: (found) => found.trimEnd(),
  none: '',
});

/** Right-justified text: routing numbers in a file header have a blank before them, other ids fill the field. */
export const identity = <const Name extends string>(name: Name, width: number): Field<Name, string> => ({
  name,
  width,
  write(value) {
    assert(isPrintable(value) && value.length <= width, `${name} has at most ${width} printable ASCII characters`);
    return value.padStart(width);
  },
  read: (found) => found.trim(),
  none: '',
});

/** A whole number, filled with zeros. Blank is read as zero. */
export const number = <const Name extends string>(name: Name, width: number): Field<Name, number> => ({
  name,
  width,
  write: (value) => digitsOf(name, value, width),
  read: (found) => numberIn(found),
  none: 0,
});

/** An amount without sign and decimal point. */
export const money = <const Name extends string>(name: Name, width: number): Field<Name, Cents> => ({
  name,
  width,
  write: (value) => digitsOf(name, value, width),
  read(found) {
    const value = numberIn(found);
    return value === undefined ? undefined : cents(value);
  },
  none: ZERO,
});

/** YYMMDD of the years 2000 to 2099; blank if there is none. */
export const date = <const Name extends string>(name: Name): Field<Name, Day | null> => ({
  name,
  width: DATE_WIDTH,
  write: (value) => (value === null ? ' '.repeat(DATE_WIDTH) : shortDate(value)),
  read: (found) => (found.trim() === '' ? null : dayIn(found)),
  none: null,
});

/** Characters that are always the same. */
export const constant = (value: string): Field<null, undefined> => ({
  name: null,
  width: value.length,
  write: () => value,
  read: () => undefined,
  none: undefined,
});

export const blank = (width: number): Field<null, undefined> => constant(' '.repeat(width));

const DATE_WIDTH = 6;

const isPrintable = (value: string): boolean => /^[\x20-\x7e]*$/.test(value);

function digitsOf(name: string, value: number, width: number): string {
  assert(Number.isSafeInteger(value) && value >= 0, `${name} is a whole number`);
  const digits = String(value);
  assert(digits.length <= width, `${name} has at most ${width} digits`);
  return digits.padStart(width, '0');
}

function numberIn(found: string): number | undefined {
  const digits = found.trim();
  return /^\d*$/.test(digits) ? Number(digits) : undefined;
}

/** A day as YYMMDD. */
function shortDate(value: Day): string {
  const { year, month, day } = civil(value);
  return [year % 100, month, day].map((part) => String(part).padStart(2, '0')).join('');
}

function dayIn(found: string): Day | undefined {
  const [, yy, mm, dd] = /^(\d\d)(\d\d)(\d\d)$/.exec(found) ?? [];
  if (yy === undefined) return undefined;
  const [year, month, day] = [2000 + Number(yy), Number(mm), Number(dd)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return dayOf(year, month, day);
}

/** The values of a record by name. */
export type ValuesOf<Fields extends readonly Field[]> = {
  readonly [Each in Extract<Fields[number], Field<string>> as Each['name']]: Each extends Field<string, infer Value> ? Value : never;
};

/** A record as it was found. The fields that cannot be read are named, and have a value that stands for none. */
interface Found<Values> {
  readonly values: Values;
  readonly unreadable: readonly string[];
}

/** One record: its fields from the first to the 94th character. The writer and the reader of files use the same declaration. */
export interface Layout<Values> {
  readonly type: string;
  write(values: Values): string;
  read(record: string): Found<Values>;
  /** The characters of one field. */
  raw(record: string, name: keyof Values & string): string;
}

export function layout<const Fields extends readonly Field[]>(type: string, ...declared: Fields): Layout<ValuesOf<Fields>> {
  const fields: readonly Field[] = [constant(type), ...declared];
  const starts: number[] = [];
  let end = 0;
  for (const { width } of fields) {
    starts.push(end);
    end += width;
  }
  assert(end === RECORD_LENGTH, `the record ${type} has ${end} characters`);
  const partOf = (record: string, index: number): string => {
    const from = starts[index] ?? 0;
    return record.slice(from, from + (fields[index]?.width ?? 0));
  };
  return {
    type,
    write(values) {
      const byName = new Map<string, unknown>(Object.entries(values));
      return fields.map((field) => field.write(field.name === null ? undefined : byName.get(field.name))).join('');
    },
    read(record) {
      const values: Record<string, unknown> = {};
      const unreadable: string[] = [];
      for (const [index, { name, read, none }] of fields.entries()) {
        if (name === null) continue;
        const value = read(partOf(record, index));
        if (value === undefined) unreadable.push(name);
        values[name] = value === undefined ? none : value;
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field has given the value of its name, or the one for none
      return { values: values as ValuesOf<Fields>, unreadable };
    },
    raw: (record, name) =>
      partOf(
        record,
        fields.findIndex((field) => field.name === name),
      ),
  };
}
