import { civil, type Day, dayAt, parseDay, timeOfDayAt, weekday } from '../calendar/index.js';
import { decimalText, failValue, TEMPLATE_LIMITS } from './values.js';

/*
 * Templates compute exactly, in units of 1e-10, so that no sum of amounts ends in 0.30000000000000004.
 */

const DECIMALS = 10;
const ONE = 10n ** BigInt(DECIMALS);
/** Longest text that is read as a number. */
const MOST_CHARACTERS = 40;
const NUMBER = /^(-?)(\d{1,16})(?:\.(\d+))?$/;

/** A number, or a text that is one, in units of 1e-10; finer digits are cut. Undefined for everything else. */
export function scaledOf(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.length > MOST_CHARACTERS)) return undefined;
  const match = NUMBER.exec(typeof value === 'number' ? decimalText(value) : value.trim());
  if (!match) return undefined;
  const [, sign, whole = '0', fraction = ''] = match;
  const scaled = BigInt(whole) * ONE + BigInt(fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  return sign === '-' ? -scaled : scaled;
}

/** The number nearest to it. */
export function numberOf(scaled: bigint): number {
  const value = Number(decimalOf(scaled, DECIMALS));
  return Math.abs(value) > TEMPLATE_LIMITS.largestNumber ? failValue('The number is too large.') : value;
}

/** The number with this many decimals, halves away from zero. */
export function decimalOf(scaled: bigint, decimals: number): string {
  const unit = 10n ** BigInt(DECIMALS - decimals);
  const size = scaled < 0n ? -scaled : scaled;
  const rounded = (size + unit / 2n) / unit;
  const digits = rounded.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = scaled < 0n && rounded !== 0n ? '-' : '';
  return decimals === 0 ? `${sign}${digits}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}

const floored = (left: bigint, right: bigint): bigint => {
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
};

const divisor = (right: bigint): bigint => (right === 0n ? failValue('Nothing is divided by zero.') : right);

/** Halves of the last unit away from zero. */
const divided = (left: bigint, right: bigint): bigint => {
  const size = ((left < 0n ? -left : left) * 2n + (right < 0n ? -right : right)) / ((right < 0n ? -right : right) * 2n);
  return left < 0n === right < 0n ? size : -size;
};

type Operation = (left: bigint, right: bigint) => bigint;

/** Filters with two operands, by name. */
export const ARITHMETIC: Readonly<Record<'plus' | 'minus' | 'times' | 'divided_by' | 'modulo' | 'at_least' | 'at_most', Operation>> = {
  plus: (left, right) => left + right,
  minus: (left, right) => left - right,
  times: (left, right) => divided(left * right, ONE),
  divided_by: (left, right) => divided(left * ONE, divisor(right)),
  modulo: (left, right) => left - floored(left, divisor(right)) * right,
  at_least: (left, right) => (left < right ? right : left),
  at_most: (left, right) => (left > right ? right : left),
};

/** Filters with one operand, by name. */
export const WHOLE: Readonly<Record<'floor' | 'ceil' | 'abs', (value: bigint) => bigint>> = {
  floor: (value) => floored(value, ONE) * ONE,
  ceil: (value) => -floored(-value, ONE) * ONE,
  abs: (value) => (value < 0n ? -value : value),
};

/** `$1,234.56`; undefined if the value is not an amount. */
export function moneyText(value: unknown): string | undefined {
  const scaled = scaledOf(value);
  if (scaled === undefined) return undefined;
  const [whole = '', cents = ''] = decimalOf(scaled, 2).split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  return `${sign}$${whole.replace('-', '').replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`;
}

/** A rate with two decimals: `5.25%` of 0.0525. */
export function percentText(value: unknown): string | undefined {
  const scaled = scaledOf(value);
  return scaled === undefined ? undefined : `${decimalOf(scaled * 100n, 2)}%`;
}

const US_PHONE = /^(?:\+?1)?(\d{3})(\d{3})(\d{4})$/;

/** `(202) 555-0143`; foreign numbers stay as they are. */
export function phoneText(value: string): string {
  const match = US_PHONE.exec(value.replace(/[\s().-]/g, ''));
  return match ? `(${match[1]}) ${match[2]}-${match[3]}` : value;
}

const SHOWN = 4;

export const lastFourText = (value: string): string => value.replace(/[^A-Za-z0-9]/g, '').slice(-SHOWN);

/** Replaces letters and digits with asterisks, except the last four; all of them if there are four or fewer. */
export function maskText(value: string): string {
  const count = value.replace(/[^\p{L}\p{N}]/gu, '').length;
  const hidden = count <= SHOWN ? count : count - SHOWN;
  let seen = 0;
  return value.replace(/[\p{L}\p{N}]/gu, (character) => {
    seen += character.length;
    return seen <= hidden ? '*' : character;
  });
}

/** How a language writes a date. */
interface DateNames {
  readonly months: readonly string[];
  readonly weekdays: readonly string[];
  /** Before and after noon. */
  readonly halves: readonly [string, string];
  readonly format: string;
}

const ENGLISH: DateNames = {
  months: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
  weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  halves: ['AM', 'PM'],
  format: 'MMMM D, YYYY',
};

const SPANISH: DateNames = {
  months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
  weekdays: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'],
  halves: ['a. m.', 'p. m.'],
  format: 'D [de] MMMM [de] YYYY',
};

/** The languages that dates are written in; a template in another one has English dates. */
const namesOf = (language: string | undefined): DateNames => (language === 'es' ? SPANISH : ENGLISH);

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

interface Moment {
  readonly day: Day;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly names: DateNames;
}

/** A date as it is; a date-time as local time of the zone. Undefined for other texts. */
function momentOf(text: string, zone: string, names: DateNames): Moment | undefined {
  const date = parseDay(text);
  if (date !== undefined) return { day: date, hour: 0, minute: 0, second: 0, names };
  if (!DATE_TIME.test(text)) return undefined;
  const at = Date.parse(text.replace(/(\.\d{3})\d+/, '$1'));
  return Number.isNaN(at) ? undefined : { day: dayAt(zone, at), ...timeOfDayAt(zone, at), names };
}

const two = (value: number): string => String(value).padStart(2, '0');
const twelve = (hour: number): number => hour % 12 || 12;
const monthName = ({ day, names }: Moment): string => names.months[civil(day).month - 1] ?? '';
const weekdayName = ({ day, names }: Moment): string => names.weekdays[weekday(day) - 1] ?? '';

const halfOfDay = ({ hour, names: { halves } }: Moment): string => halves[hour < 12 ? 0 : 1];

/** The fields of a format by their letters; the longest first. */
const FIELDS: readonly (readonly [letters: string, of: (at: Moment) => string])[] = [
  ['YYYY', ({ day }) => String(civil(day).year).padStart(4, '0')],
  ['YY', ({ day }) => two(civil(day).year % 100)],
  ['MMMM', monthName],
  ['MMM', (at) => monthName(at).slice(0, 3)],
  ['MM', ({ day }) => two(civil(day).month)],
  ['M', ({ day }) => String(civil(day).month)],
  ['DD', ({ day }) => two(civil(day).day)],
  ['D', ({ day }) => String(civil(day).day)],
  ['dddd', weekdayName],
  ['ddd', (at) => weekdayName(at).slice(0, 3)],
  ['HH', ({ hour }) => two(hour)],
  ['H', ({ hour }) => String(hour)],
  ['hh', ({ hour }) => two(twelve(hour))],
  ['h', ({ hour }) => String(twelve(hour))],
  ['mm', ({ minute }) => two(minute)],
  ['ss', ({ second }) => two(second)],
  ['A', halfOfDay],
  ['a', (at) => halfOfDay(at).toLowerCase()],
];
const LETTERS = new RegExp(`\\[([^\\]]*)\\]|${FIELDS.map(([letters]) => letters).join('|')}`, 'g');
const BY_LETTERS: ReadonlyMap<string, (at: Moment) => string> = new Map(FIELDS);

export const defaultDateFormat = (language: string | undefined): string => namesOf(language).format;

/** The directives of Liquid, as letters of a format. */
const DIRECTIVES: ReadonlyMap<string, string> = new Map([
  ['%Y', 'YYYY'],
  ['%y', 'YY'],
  ['%B', 'MMMM'],
  ['%b', 'MMM'],
  ['%m', 'MM'],
  ['%-m', 'M'],
  ['%d', 'DD'],
  ['%-d', 'D'],
  ['%e', 'D'],
  ['%A', 'dddd'],
  ['%a', 'ddd'],
  ['%H', 'HH'],
  ['%-H', 'H'],
  ['%I', 'hh'],
  ['%-I', 'h'],
  ['%l', 'h'],
  ['%M', 'mm'],
  ['%S', 'ss'],
  ['%p', 'A'],
  ['%P', 'a'],
]);
const DIRECTIVE = /%-?[A-Za-z%]?/g;

/**
 * Formats a date by letters, where text in square brackets is printed as it is, or by the directives of Liquid (`%B %-d, %Y`). Undefined if
 * the value is not a date or a directive is unknown. Months and days of the week are in the language of the template.
 */
export function dateFormatted(value: unknown, format: string, zone: string, language?: string): string | undefined {
  const at = typeof value === 'string' ? momentOf(value, zone, namesOf(language)) : undefined;
  if (at === undefined) return undefined;
  if (format.includes('%')) return byDirectives(format, at);
  return format.replace(LETTERS, (letters, literal: string | undefined) => literal ?? BY_LETTERS.get(letters)?.(at) ?? letters);
}

function byDirectives(format: string, at: Moment): string | undefined {
  let isKnown = true;
  const text = format.replace(DIRECTIVE, (directive) => {
    if (directive === '%%') return '%';
    const field = BY_LETTERS.get(DIRECTIVES.get(directive) ?? '');
    isKnown &&= field !== undefined;
    return field?.(at) ?? '';
  });
  return isKnown ? text : undefined;
}
