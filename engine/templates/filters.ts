import { decimalOf, numberOf, scaledOf } from './decimals.js';
import { DEFAULT_DATE_FORMAT, dateFormatted, lastFourText, maskText, moneyText, percentText, phoneText } from './formats.js';
import { TEMPLATE_LIMITS } from './limits.js';
import { failLimit, failValue } from './template-error.js';
import { attributeOf, escapeHtml, isList, isObject, isTrue, Markup, Missing, textOf, type Value, weightOf } from './values.js';

/** What a filter may know of the rendering. */
export interface FilterContext {
  readonly line: number;
  readonly zone: string;
  /** Counts what is done item by item. */
  spend(steps: number): void;
}

export interface Filter {
  /** How few and how many arguments it takes. */
  readonly arguments: readonly [least: number, most: number];
  /** Whether it takes what is missing, also where that is refused otherwise. */
  readonly takesMissing?: true;
  apply(value: Value, args: readonly Value[], context: FilterContext): Value;
}

type Apply = Filter['apply'];

const isEmpty = (value: Value): boolean => value === null || value instanceof Missing || value === '';

/** Of what is empty nothing is made. */
const formatted = (noun: string, format: (value: Value, args: readonly Value[], context: FilterContext) => string | undefined): Apply =>
  (value, args, context) => (isEmpty(value) ? '' : format(value instanceof Markup ? value.html : value, args, context) ?? failValue(`The value is no ${noun}.`, context.line));

const onText = (change: (text: string) => string): Apply => (value, _args, { spend }) => {
  const text = textOf(value);
  spend(weightOf(text));
  return change(text);
};

const wordCase = (text: string): string => text.toLowerCase().replace(/(^|[\s(-])(\p{L})/gu, (_all, before: string, letter: string) => before + letter.toUpperCase());

function endOf(which: 'first' | 'last'): Apply {
  return (value) => {
    const items = value instanceof Markup ? value.html : value;
    if (!isList(items) && typeof items !== 'string') return new Missing(which);
    return items.length === 0 ? new Missing(which) : attributeOf(items, which === 'first' ? 0 : -1, which);
  };
}

const lengthOf: Apply = (value, _args, { spend }) => {
  if (isList(value)) return value.length;
  if (!isObject(value)) return textOf(value).length;
  const count = Object.keys(value).length;
  spend(count);
  return count;
};

/** With a second argument the texts of an attribute of the items. */
const join: Apply = (value, [separator = '', attribute], { spend, line }) => {
  if (!isList(value)) return textOf(value);
  spend(value.length);
  const between = textOf(separator);
  const texts = value.map((item) => textOf(attribute === undefined ? item : attributeOf(item, attribute, 'join')));
  const length = texts.reduce((sum, text) => sum + text.length + between.length, 0);
  if (length > TEMPLATE_LIMITS.outputLength) failLimit('The text is too long.', line);
  return texts.join(between);
};

const replace: Apply = (value, [from = '', to = ''], { spend, line }) => {
  const [text, before, after] = [textOf(value), textOf(from), textOf(to)];
  if (before === '') failValue('The filter replace looks for a text that is not empty.', line);
  spend(weightOf(text));
  const parts = text.split(before);
  spend(parts.length);
  if (text.length + (parts.length - 1) * (after.length - before.length) > TEMPLATE_LIMITS.outputLength) failLimit('The text is too long.', line);
  return parts.join(after);
};

function date(value: Value, [format = DEFAULT_DATE_FORMAT]: readonly Value[], { zone, line }: FilterContext): string | undefined {
  const letters = textOf(format);
  if (letters.length > TEMPLATE_LIMITS.formatLength) failLimit(`The format of a date has ${TEMPLATE_LIMITS.formatLength} characters at most.`, line);
  return dateFormatted(value, letters, zone);
}

const MOST_PLACES = 10;

const round: Apply = (value, [places = 0], { line }) => {
  if (isEmpty(value)) return '';
  const scaled = scaledOf(value) ?? failValue('The value is no number.', line);
  const count = typeof places === 'number' && Number.isInteger(places) && places >= 0 && places <= MOST_PLACES ? places : failValue(`A number has 0 to ${MOST_PLACES} decimals.`, line);
  return numberOf(scaledOf(decimalOf(scaled, count)) ?? 0n, line);
};

const orDefault: Apply = (value, [other = '', alsoFalse = false]) =>
  (value === null || value instanceof Missing || (isTrue(alsoFalse) && !isTrue(value)) ? other : value);

/** The listed ones alone (communications 3.5). */
export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['default', { arguments: [0, 2], takesMissing: true, apply: orDefault }],
  ['upper', { arguments: [0, 0], apply: onText((text) => text.toUpperCase()) }],
  ['lower', { arguments: [0, 0], apply: onText((text) => text.toLowerCase()) }],
  ['title', { arguments: [0, 0], apply: onText(wordCase) }],
  ['capitalize', { arguments: [0, 0], apply: onText((text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()) }],
  ['length', { arguments: [0, 0], apply: lengthOf }],
  ['join', { arguments: [0, 2], apply: join }],
  ['replace', { arguments: [2, 2], apply: replace }],
  ['round', { arguments: [0, 1], apply: round }],
  ['trim', { arguments: [0, 0], apply: onText((text) => text.trim()) }],
  ['first', { arguments: [0, 0], apply: endOf('first') }],
  ['last', { arguments: [0, 0], apply: endOf('last') }],
  ['escape', { arguments: [0, 0], apply: (value) => (value instanceof Markup ? value : new Markup(escapeHtml(textOf(value)))) }],
  // Only what the service built is markup already; whatever else comes stays a text, and is escaped.
  ['safe', { arguments: [0, 0], apply: (value) => value }],
  ['date', { arguments: [0, 1], apply: formatted('date', date) }],
  ['money', { arguments: [0, 0], apply: formatted('amount', (value) => moneyText(value)) }],
  ['percent', { arguments: [0, 0], apply: formatted('rate', (value) => percentText(value)) }],
  ['phone', { arguments: [0, 0], apply: onText(phoneText) }],
  ['lastFour', { arguments: [0, 0], apply: onText(lastFourText) }],
  ['mask', { arguments: [0, 0], apply: onText(maskText) }],
]);
