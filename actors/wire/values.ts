import {
  type Accrued, Bug, type Cents, cents, type Day, day, formatAccrued, formatCents, formatDay, formatRate, must, parseDay, type Rate, rate,
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
export const amount = (value: Cents): PrintedNumber => (value === 0 ? NOTHING : (new Decimal(formatCents(value)) as unknown as PrintedNumber));

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

function printedTime(milliseconds: number): string {
  const date = day(Math.floor(milliseconds / DAY_MS));
  const ofDay = Math.floor(milliseconds) - date * DAY_MS;
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${formatDay(date)}T${digits(hours, 2)}:${digits(minutes - hours * 60, 2)}:${digits(seconds - minutes * 60, 2)}.${digits(ofDay - seconds * 1000, 3)}Z`;
}

const DAY_MS = 86_400_000;

/** A number below a thousand with leading zeros. */
function digits(value: number, count: 2 | 3): string {
  const text = THREE_DIGITS[value];
  if (text === undefined) throw new Bug(`not a whole number below a thousand: ${value}`);
  return text.slice(3 - count);
}

const THREE_DIGITS = Array.from({ length: 1000 }, (_, value) => value.toString().padStart(3, '0'));

export function timeOfDay(seconds: number): TimeOfDay {
  return { hour: Math.floor(seconds / 3600), minute: Math.floor(seconds / 60) % 60, second: seconds % 60 };
}

/** Applies `print` to what is there: `orNull(amount, loan.feeCents)`. */
export const orNull = <Value, Printed>(print: (value: Value) => Printed, value: Value | null | undefined): Printed | null =>
  value === null || value === undefined ? null : print(value);
