import { assert } from '../assert.js';
import { civil, type Day, dayOf, daysInMonth } from '../calendar/index.js';

/*
 * How one field of a Metro 2 record is written and read. A record is a list of such fields: the writer, the reader
 * and the check of content all follow the same list.
 */

export interface Field<Name extends string, Value> {
  readonly name: Name;
  readonly length: number;
  /** What the value looks like in the file, exactly `length` characters. Bug: the value does not fit; `faultOf` finds it first. */
  write(value: Value): string;
  /** Undefined: these characters are no value of the field. */
  read(characters: string): Value | undefined;
  /** What is wrong with a value; null if it can be written. */
  faultOf(value: Value): string | null;
}

/** A field of whatever value: a list of them belongs to a record, which ties each value to its name. */
export interface NamedField {
  readonly name: string;
  readonly length: number;
  write(value: never): string;
  read(characters: string): unknown;
  faultOf(value: never): string | null;
}

/** Characters that are the same in every record. */
export interface FixedCharacters {
  readonly name: null;
  readonly text: string;
}

export type AnyField = NamedField | FixedCharacters;

/** The values of a list of fields by their names. */
export type RecordOf<Fields extends readonly AnyField[]> = {
  readonly [One in Extract<Fields[number], NamedField> as One['name']]: Exclude<ReturnType<One['read']>, undefined>;
};

export const fixed = (characters: string): FixedCharacters => ({ name: null, text: characters });

export const reserved = (length: number): FixedCharacters => fixed(' '.repeat(length));

/** Upper-case characters of the basic Latin alphabet. */
const WRITABLE = /^[\x20-\x7e]*$/;

interface TextRules {
  /** What the text must look like. */
  readonly matches?: RegExp;
  readonly isRequired?: boolean;
}

/** Left-justified and filled with blanks; null when blank. Files of others have lower case too. */
export function text<const Name extends string>(name: Name, length: number, rules: TextRules = {}): Field<Name, string | null> {
  return {
    name,
    length,
    write(value) {
      const written = value ?? '';
      assert(written.length <= length, `${name} has more than ${length} characters`);
      return written.padEnd(length);
    },
    read: (characters) => {
      const value = characters.trimEnd();
      return value === '' ? null : value;
    },
    faultOf(value) {
      if (value === null) return rules.isRequired === true ? 'is required' : null;
      if (value.length > length) return `has more than ${length} characters`;
      if (!WRITABLE.test(value) || value !== value.toUpperCase()) return 'has characters that the file cannot hold';
      if (value !== value.trimEnd() || value === '') return 'ends with blanks';
      return rules.matches === undefined || rules.matches.test(value) ? null : `is not ${String(rules.matches)}`;
    },
  };
}

/** A number of exactly so many digits that is a name, as a telephone number; null when zero, nines or blank, which mean unknown. */
export function digits<const Name extends string>(name: Name, length: number): Field<Name, string | null> {
  const exact = new RegExp(`^\\d{${length}}$`);
  const none = '0'.repeat(length);
  return {
    name,
    length,
    write(value) {
      assert(value === null || exact.test(value), `${name} has ${length} digits`);
      return value ?? none;
    },
    read(characters) {
      if (characters.trim() === '' || characters === none || /^9+$/.test(characters)) return null;
      return exact.test(characters) ? characters : undefined;
    },
    faultOf: (value) => (value === null || (exact.test(value) && value !== none) ? null : `is not a number of ${length} digits`),
  };
}

/** Right-justified and filled with zeros: whole dollars, or a count. */
export function number<const Name extends string>(name: Name, length: number): Field<Name, number> {
  const most = 10 ** length - 1;
  const fits = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= most;
  return {
    name,
    length,
    write(value) {
      assert(fits(value), `${name} is a whole number from 0 to ${most}`);
      return String(value).padStart(length, '0');
    },
    read(characters) {
      if (characters.trim() === '') return 0;
      return /^\d+$/.test(characters) ? Number(characters) : undefined;
    },
    faultOf: (value) => (fits(value) ? null : `is not a whole number from 0 to ${most}`),
  };
}

const NO_DATE = '00000000';

/** MMDDYYYY; null when zero or blank. */
export function date<const Name extends string>(name: Name, { isRequired = false } = {}): Field<Name, Day | null> {
  return {
    name,
    length: 8,
    write: (value) => (value === null ? NO_DATE : dateText(value)),
    read: (characters) => (characters.trim() === '' || characters === NO_DATE ? null : readDate(characters)),
    faultOf: (value) => (value === null && isRequired ? 'is required' : null),
  };
}

export function dateText(value: Day): string {
  const { year, month, day } = civil(value);
  return `${two(month)}${two(day)}${String(year).padStart(4, '0')}`;
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

function readDate(characters: string): Day | undefined {
  if (!/^\d{8}$/.test(characters)) return undefined;
  const [month, dayOfMonth, year] = [Number(characters.slice(0, 2)), Number(characters.slice(2, 4)), Number(characters.slice(4))];
  const isDate = month >= 1 && month <= 12 && dayOfMonth >= 1 && year >= 1 && dayOfMonth <= daysInMonth(year, month);
  return isDate ? dayOf(year, month, dayOfMonth) : undefined;
}
