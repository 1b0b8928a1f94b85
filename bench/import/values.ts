import { Big } from 'big.js';
import { DateTime } from 'luxon';
import { LIMITS } from './row-booking.js';

/** Kinds of values that the text of a cell can be read as. */
export type ValueKind = 'text' | 'amount' | 'rate' | 'percent' | 'whole' | 'boolean' | 'date';

export type Scalar = string | number | boolean | null;

interface Reading {
  /** Undefined when the text is no such value. */
  readonly read: (text: string, format: string) => Scalar | undefined;
  readonly expected: (format: string) => string;
}

const DECIMAL = /^[+-]?\d+(\.\d+)?$/;
const TRUE = new Set(['true', 'yes', 'y', '1', 't']);
const FALSE = new Set(['false', 'no', 'n', '0', 'f']);

/** `$1,234.50` as `1234.50`. */
const bare = (text: string): string => text.replace(/[$,\s]/g, '');

/** One row a kind. Numbers keep their decimal digits: they never pass through binary arithmetic. */
const READINGS: Readonly<Record<ValueKind, Reading>> = {
  text: { read: (text) => text, expected: () => 'text' },
  amount: { read: (text) => decimal(bare(text), (value) => value), expected: () => 'an amount such as 1234.50' },
  rate: { read: (text) => decimal(bare(text), (value) => value), expected: () => 'a rate such as 0.0525' },
  percent: {
    read: (text) => decimal(bare(text).replace(/%$/, ''), (value) => value.div(100)),
    expected: () => 'a percentage such as 5.25',
  },
  whole: { read: (text) => (/^\d{1,15}$/.test(bare(text)) ? Number(bare(text)) : undefined), expected: () => 'a whole number' },
  boolean: { read: readBoolean, expected: () => 'true or false' },
  date: { read: readDate, expected: (format) => `a date like ${format}` },
};

export interface ReadValue {
  readonly value?: Scalar;
  /** Description of a right value; absent when the text could be read. */
  readonly expected?: string;
}

export function readValue(kind: ValueKind, text: string, format = 'yyyy-MM-dd'): ReadValue {
  const { read, expected } = READINGS[kind];
  const value = read(text, format);
  return value === undefined ? { expected: expected(format) } : { value };
}

function decimal(text: string, change: (value: Big) => Big): number | undefined {
  return DECIMAL.test(text) ? Number(change(new Big(text)).toFixed()) : undefined;
}

function readBoolean(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  if (TRUE.has(lower)) return true;
  return FALSE.has(lower) ? false : undefined;
}

/** A file has few different dates, and parsing one costs as much as checking a whole loan: the last ones are cached. */
function readDate(text: string, format: string): string | undefined {
  const known = datesOfFormat(format);
  if (known.has(text)) return known.get(text);
  const date = DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en-US' });
  const read = date.isValid ? date.toISODate() : undefined;
  if (known.size >= LIMITS.keptDates) known.clear();
  known.set(text, read);
  return read;
}

const datesByFormat = new Map<string, Map<string, string | undefined>>();

function datesOfFormat(format: string): Map<string, string | undefined> {
  const known = datesByFormat.get(format) ?? new Map<string, string | undefined>();
  datesByFormat.set(format, known);
  return known;
}
