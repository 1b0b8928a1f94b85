import {
  type Accrued,
  assert,
  cents,
  type Cents,
  day,
  type Day,
  formatAccrued,
  formatCents,
  formatDay,
  formatRate,
  isRecord,
  must,
  parseDay,
  rate,
  type Rate,
  fieldOf,
} from '../../engine/index.js';
import type { ListOrder } from '../list-order.js';
import { beginningOfObject, type Kind, KIND, stepTo } from './object-steps.js';
import type { TimeOfDay } from './types.js';

/** The only version of the interface that there is. */
export const API_VERSION = '2023-11-29';

/** A number as its decimal text: printed into JSON digit by digit, so that `12.50` stays `12.50`. */
export class Decimal {
  constructor(readonly text: string) {}

  /** For `JSON.stringify` in logs and debuggers; replies go through `toJsonText`. */
  toJSON(): number {
    return Number(this.text);
  }
}

/** A value that is JSON text already, for replies that are sent again as they were. */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Matches strings that must be escaped. */
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * Like `toJsonText`, but caches the text with the object, so that the text for retries is the one that is sent. The object
 * must not change any more.
 */
export function keptText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return toJsonText(value);
  const kept = keptTexts.get(value) ?? toJsonText(value);
  keptTexts.set(value, kept);
  return kept;
}

const keptTexts = new WeakMap<object, string>();

/** The cached text, or a new one. */
export const textOf = (value: unknown): string =>
  (typeof value === 'object' && value !== null ? keptTexts.get(value) : undefined) ?? toJsonText(value);

/** JSON of a reply. Like `JSON.stringify` without indentation, but exact for `Decimal` and `JsonText`. */
export function toJsonText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
    case 'number':
      assert(Number.isFinite(value), 'a reply has a number that JSON does not support');
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return 'null';
    case 'object':
      return isRecord(value) ? objectText(value) : 'null';
    case 'bigint':
    case 'function':
    case 'symbol':
    default:
      assert(false, `a reply holds a ${typeof value}`);
  }
}

function objectText(value: Readonly<Record<string, unknown>>): string {
  if (value instanceof Decimal || value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return arrayText(value);
  if (value instanceof Date) return `"${value.toISOString()}"`;
  return propertiesText(value);
}

function propertiesText(object: Readonly<Record<string, unknown>>): string {
  let text = '';
  let state = beginningOfObject();
  for (const key in object) {
    const property = object[key];
    if (property === undefined) continue;
    const kind = kindOf(property);
    const { newest } = state;
    const step = newest !== null && newest.key === key && newest.kind === kind ? newest : stepTo(state, key, kind, toJsonText);
    if (kind === KIND.quoted && typeof property === 'string') text += step.text + property;
    else if (kind === KIND.other) text += step.text + toJsonText(property);
    state = step.next;
  }
  return `${text}${state.owed}}`;
}

function kindOf(value: unknown): Kind {
  if (value === null) return KIND.null;
  if (value === true) return KIND.true;
  if (value === false) return KIND.false;
  return typeof value === 'string' && !NEEDS_ESCAPE.test(value) ? KIND.quoted : KIND.other;
}

function arrayText(values: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < values.length; index++) text += (index > 0 ? ',' : '') + toJsonText(values[index]);
  return `${text}]`;
}

/*
 * Conversions between the wire and the engine. Incoming values have passed their typia check. Outgoing amounts and rates are
 * `Decimal`s with the type of numbers: they are printed digit by digit and never used to compute.
 */

/** A checked amount as cents, exact. */
export const centsOf = (value: number): Cents => cents(Math.round(value * 100));

/** A checked rate as an integer of 1e-8, exact. */
export const rateOf = (value: number): Rate => rate(Math.round(value * 100_000_000));

export const dayOfText = (text: string): Day => must(parseDay(text), `not a checked date: ${text}`);

/** Seconds since midnight. */
export const secondsOf = (time: TimeOfDay): number => time.hour * 3600 + time.minute * 60 + time.second;

/** Milliseconds since 1970; further digits are cut off. */
export function millisecondsOf(text: string): number {
  const value = Date.parse(text.replace(/(\.\d{3})\d+/, '$1'));
  return must(Number.isNaN(value) ? undefined : value, `not a checked date-time: ${text}`);
}

/** Milliseconds since 1970, rounded up: a time of whole milliseconds is before the text if it is before this. */
export const millisecondsUntil = (text: string): number => millisecondsOf(text) + (/[1-9]/.test(fractionOf(text).slice(3)) ? 1 : 0);

/** Microseconds since 1970; further digits are cut off. */
export const microsecondsOf = (text: string): number => millisecondsOf(text) * 1000 + Number(fractionOf(text).slice(3, 6).padEnd(3, '0'));

/** Microseconds since 1970, rounded up. */
export const microsecondsUntil = (text: string): number => microsecondsOf(text) + (/[1-9]/.test(fractionOf(text).slice(6)) ? 1 : 0);

/** The digits of the seconds after the point. */
const fractionOf = (text: string): string => /\.(\d+)/.exec(text)?.[1] ?? '';

/** Assignable to every wire type of numbers: `Amount`, `SignedAmount`, `RateValue`. */
export type PrintedNumber = number & { readonly 'typia.tag'?: never };

function printedNumber(text: string): PrintedNumber {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- types of replies call it a number, as which it is printed
  return new Decimal(text) as unknown as PrintedNumber;
}

/** Assignable to every wire type of texts: `DateText`, `DateTimeText`, `UnroundedText`. */
export type PrintedText = string & { readonly 'typia.tag'?: never };

/** The amount with exactly two decimals: `12.50`. */
export const amount = (value: Cents): PrintedNumber => (value === 0 ? NOTHING : printedNumber(formatCents(value)));

/** Shared, since most amounts of a loan are zero. */
const NOTHING = printedNumber('0.00');

/** The rate with its shortest decimals: `0.0525`. */
export const rateValue = (value: Rate): PrintedNumber => printedNumber(formatRate(value));

/** An amount before rounding to cents, as a text with ten decimals, halves up. */
export const unrounded = (value: Accrued): PrintedText => formatAccrued(value);

export const dateText = (value: Day): PrintedText => formatDay(value);

/** UTC with milliseconds: `2026-03-01T05:00:00.000Z`. The newest text is cached, since a command prints its own time many times. */
export function dateTimeText(milliseconds: number): PrintedText {
  if (milliseconds !== newestTime.milliseconds) newestTime = { milliseconds, text: printedTime(milliseconds) };
  return newestTime.text;
}

let newestTime = { milliseconds: NaN, text: '' };

/** Prints into one buffer: a text that is joined of nine parts would be stored as all of them, and a view has a dozen times. */
function printedTime(milliseconds: number): string {
  const date = day(Math.floor(milliseconds / DAY_MS));
  const ofDay = Math.floor(milliseconds) - date * DAY_MS;
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const dayText = formatDay(date);
  if (dayText.length !== DAY_LENGTH) return new Date(milliseconds).toISOString();
  if (date !== printedDay) printing.write(dayText, 'latin1');
  printedDay = date;
  putDigits(11, hours);
  putDigits(14, minutes - hours * 60);
  putDigits(17, seconds - minutes * 60);
  putDigits(20, Math.floor((ofDay - seconds * 1000) / 10));
  printing[22] = ZERO_CODE + (ofDay % 10);
  return printing.toString('latin1');
}

const DAY_MS = 86_400_000;
const DAY_LENGTH = 10;
const ZERO_CODE = 48;
const printing = Buffer.from('0000-00-00T00:00:00.000Z');
let printedDay = NaN;

function putDigits(at: number, value: number): void {
  const tens = Math.floor(value / 10);
  printing[at] = ZERO_CODE + tens;
  printing[at + 1] = ZERO_CODE + value - tens * 10;
}

export function timeOfDay(seconds: number): TimeOfDay {
  return { hour: Math.floor(seconds / 3600), minute: Math.floor(seconds / 60) % 60, second: seconds % 60 };
}

/** Applies `print` to a value that is present: `orNull(amount, loan.feeCents)`. */
export const orNull = <Value, Printed>(print: (value: Value) => Printed, value: Value | null | undefined): Printed | null =>
  value === null || value === undefined ? null : print(value);

/** A page of a list, as a query answers it. The gateway wraps it in the list envelope. */
/** What a query of a list has answered. */
export function listResult(answer: unknown): ListResult {
  assert(isListResult(answer), 'the answer is a list');
  return answer;
}

const isListResult = (answer: unknown): answer is ListResult => Array.isArray(fieldOf(answer, 'items'));

export interface ListResult<Item = unknown> {
  readonly items: readonly Item[];
  /** Number of matching items over all pages; null if the list does not count them. */
  readonly total: number | null;
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
  /** Cursors of the first and last item of this page, if the items have no `id`. */
  readonly firstId?: string;
  readonly lastId?: string;
  /** For lists whose items may be on several shards. */
  readonly order?: ListOrder;
}
