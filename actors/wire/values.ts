import {
  type Accrued,
  type Cents,
  cents,
  type Day,
  day,
  formatAccrued,
  formatCents,
  formatDay,
  formatRate,
  must,
  parseDay,
  type Rate,
  rate,
} from '../../engine/index.js';
import { Decimal } from './json-text.js';
import type { TimeOfDay } from './types.js';

/*
 * Between the wire and the engine, both ways. Going in, values have passed their typia check. Going out, amounts
 * and rates are `Decimal`s that say they are numbers: they are printed digit by digit and never computed with.
 */

/** A checked amount as cents, exact. */
export const centsOf = (value: number): Cents => cents(Math.round(value * 100));

/** A checked rate as an integer of 1e-8, exact. */
export const rateOf = (value: number): Rate => rate(Math.round(value * 100_000_000));

export const dayOfText = (text: string): Day => must(parseDay(text), `not a checked date: ${text}`);

/** Seconds since midnight. */
export const secondsOf = (time: TimeOfDay): number => time.hour * 3600 + time.minute * 60 + time.second;

/** Milliseconds since 1970; finer digits are cut. */
export function millisecondsOf(text: string): number {
  const value = Date.parse(text.replace(/(\.\d{3})\d+/, '$1'));
  return must(Number.isNaN(value) ? undefined : value, `not a checked date-time: ${text}`);
}

/** Fits every wire type of numbers: `Amount`, `SignedAmount`, `RateValue`. */
export type PrintedNumber = number & { readonly 'typia.tag'?: never };

/** Fits every wire type of texts: `DateText`, `DateTimeText`, `UnroundedText`. */
export type PrintedText = string & { readonly 'typia.tag'?: never };

/** The amount with exactly two decimals: `12.50`. */
export const amount = (value: Cents): PrintedNumber =>
  value === 0 ? NOTHING : (new Decimal(formatCents(value)) as unknown as PrintedNumber);

/** Most amounts of a loan are none. */
const NOTHING = new Decimal('0.00') as unknown as PrintedNumber;

/** The rate with its shortest decimals: `0.0525`. */
export const rateValue = (value: Rate): PrintedNumber => new Decimal(formatRate(value)) as unknown as PrintedNumber;

/** An amount that is not rounded to the cent, as text with ten decimals, halves up. */
export const unrounded = (value: Accrued): PrintedText => formatAccrued(value);

export const dateText = (value: Day): PrintedText => formatDay(value);

/** UTC with milliseconds: `2026-03-01T05:00:00.000Z`. A command tells its own time many times over: it is printed once. */
export function dateTimeText(milliseconds: number): PrintedText {
  if (milliseconds !== newestTime.milliseconds) newestTime = { milliseconds, text: printedTime(milliseconds) };
  return newestTime.text;
}

let newestTime = { milliseconds: NaN, text: '' };

/** Made in one piece: a text that is joined of nine is kept as all of them, and a view tells a dozen times. */
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

/** Applies `print` to what is there: `orNull(amount, loan.feeCents)`. */
export const orNull = <Value, Printed>(print: (value: Value) => Printed, value: Value | null | undefined): Printed | null =>
  value === null || value === undefined ? null : print(value);
