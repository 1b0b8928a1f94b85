import type { Sortable } from '../../list-order.js';

/** Kinds of values that a field of a case type holds. */
export type FieldDataType = keyof typeof DATA_TYPES;

interface DataType {
  /** For messages: what a value of the kind looks like. */
  readonly expected: string;
  isOf(value: unknown): boolean;
  /** What values are compared by. */
  comparable(value: unknown): Sortable;
}

const asItIs = (value: unknown): Sortable => value as Sortable;

const isText = (value: unknown): value is string => typeof value === 'string';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** A date of the calendar: `2026-02-30` is none. */
const isDate = (text: string): boolean => DATE.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

const DATA_TYPES = {
  integer: { expected: 'a whole number', isOf: (value) => Number.isSafeInteger(value), comparable: asItIs },
  decimal: { expected: 'a number', isOf: (value) => typeof value === 'number' && Number.isFinite(value), comparable: asItIs },
  string: { expected: 'a text', isOf: isText, comparable: asItIs },
  text: { expected: 'a text', isOf: isText, comparable: asItIs },
  boolean: { expected: 'true or false', isOf: (value) => typeof value === 'boolean', comparable: asItIs },
  date: { expected: 'a date as YYYY-MM-DD', isOf: (value) => isText(value) && isDate(value), comparable: asItIs },
  dateTime: {
    expected: 'a moment as ISO 8601',
    isOf: (value) => isText(value) && DATE_TIME.test(value) && isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)),
    comparable: (value) => Date.parse(value as string),
  },
} as const satisfies Readonly<Record<string, DataType>>;

export const dataTypeOf = (name: FieldDataType): DataType => DATA_TYPES[name];
