import type { FilterImplOptions } from 'liquidjs';
import { ARITHMETIC, dateFormatted, decimalOf, defaultDateFormat, moneyText, numberOf, percentText, scaledOf, WHOLE } from './formats.js';
import {
  type Apply,
  bounded,
  contextOf,
  type Filter,
  type FilterCall,
  libraryFilter,
  readText,
  renderingOf,
  TEXT_FILTERS,
} from './rendering.js';
import { failLimit, failValue, isList, Markup, plainOf, propertyOf, TEMPLATE_LIMITS, textOf, type Value, weightOf } from './values.js';

const isEmpty = (value: Value): boolean => value === null || value === undefined || value === '';

/** An empty value gives an empty text. */
const formatted =
  (noun: string, format: (...given: Parameters<Apply>) => string | undefined): Apply =>
  (value, args, call) =>
    isEmpty(value) ? '' : (format(value instanceof Markup ? value.html : value, args, call) ?? failValue(`The value is no ${noun}.`));

const date = formatted('date, or its format is none', (value, [format], call) => {
  const { zone, language } = call.rendering.options;
  const letters = readText(format ?? defaultDateFormat(language), call);
  if (letters.length > TEMPLATE_LIMITS.formatLength)
    failLimit(`The format of a date has ${TEMPLATE_LIMITS.formatLength} characters at most.`);
  return dateFormatted(value, letters, zone, language);
});

/** An exact number; an empty value is zero. */
function operand(value: Value, filter: string): bigint {
  return scaledOf(value instanceof Markup ? value.html : (value ?? 0)) ?? failValue(`The filter ${filter} takes numbers.`);
}

const MOST_DECIMALS = 10;

const round: Apply = (value, [decimals = 0]) => {
  if (isEmpty(value)) return '';
  const count =
    typeof decimals === 'number' && Number.isInteger(decimals) && decimals >= 0 && decimals <= MOST_DECIMALS
      ? decimals
      : failValue(`A number has 0 to ${MOST_DECIMALS} decimals.`);
  return numberOf(scaledOf(decimalOf(operand(value, 'round'), count)) ?? 0n);
};

const sum: Apply = (value, [key], { rendering }) => {
  const list = isList(value) ? value : [value];
  rendering.spend(weightOf(list) + list.length * TEMPLATE_LIMITS.stepCost);
  return numberOf(list.reduce<bigint>((total, item) => total + operand(key === undefined ? item : propertyOf(item, key), 'sum'), 0n));
};

/** Bounds the end of a range, since the library fills the whole list at once. */
const rangeEnd: Apply = (value) => {
  const end = numberOf(operand(value, 'of a range'));
  return Number.isInteger(end) && Math.abs(end) <= TEMPLATE_LIMITS.rangeEnd
    ? end
    : failLimit(`A range lies between whole numbers up to ${TEMPLATE_LIMITS.rangeEnd}.`);
};

/** The filter that `parseTemplate` puts around both ends of a range. */
export const RANGE_END = 'range_end';

const FORMAT_FILTERS: readonly (readonly [name: string, filter: Filter])[] = [
  ['date', { arguments: [0, 1], apply: date }],
  ['money', { arguments: [0, 0], apply: formatted('amount', moneyText) }],
  ['percent', { arguments: [0, 0], apply: formatted('rate', percentText) }],
  ['round', { arguments: [0, 1], apply: round }],
  ['sum', { arguments: [0, 1], apply: sum }],
  [RANGE_END, { arguments: [0, 0], isInner: true, apply: rangeEnd }],
  ...Object.entries(ARITHMETIC).map(
    ([name, compute]) =>
      [
        name,
        { arguments: [1, 1], apply: (value, [other]) => numberOf(compute(operand(value, name), operand(other, name))) },
      ] as const satisfies readonly [string, Filter],
  ),
  ...Object.entries(WHOLE).map(
    ([name, compute]) =>
      [name, { arguments: [0, 0], apply: (value) => numberOf(compute(operand(value, name))) }] as const satisfies readonly [string, Filter],
  ),
];

/** A list as it is; an empty list for an empty value; for any other value a list of that value. */
function listOf(value: Value, { rendering }: FilterCall): readonly Value[] {
  const list = isList(value) ? value : value === null || value === undefined ? [] : [value];
  if (list.length > TEMPLATE_LIMITS.listLength) failLimit(`A filter takes lists of ${TEMPLATE_LIMITS.listLength} items at most.`);
  rendering.spend(weightOf(list));
  return list;
}

/** A list filter of the library; its argument may name a property. */
const library = (name: string): Apply => {
  const filter = libraryFilter(name);
  return (value, [property, ...others], call) => {
    const list = listOf(value, call);
    call.rendering.spend(list.length * others.reduce<number>((total, other) => total + weightOf(other), 0));
    return filter(call, list, ...(property === undefined ? [] : [nameOf(property, call), ...others]));
  };
};

function nameOf(property: Value, call: FilterCall): string {
  const name = readText(property, call);
  return name.length > TEMPLATE_LIMITS.nameLength
    ? failLimit(`The name of a property has ${TEMPLATE_LIMITS.nameLength} characters at most.`)
    : name;
}

const concat: Apply = (value, [other], call) => [...listOf(value, call), ...listOf(other, call)];

const join: Apply = (value, [separator = ' '], call) => {
  const [list, between] = [listOf(value, call), readText(separator, call)];
  call.rendering.spend(list.length * between.length);
  return bounded(list.map(textOf).join(between));
};

const sectionOf: Apply = (value, [begin, length = 1], call) => {
  if (typeof begin !== 'number' || typeof length !== 'number' || length < 0) return failValue('The filter slice takes numbers.');
  const items = isList(value) ? listOf(value, call) : readText(value, call);
  const from = begin < 0 ? Math.max(items.length + begin, 0) : begin;
  return items.slice(from, from + length);
};

/** For lists, texts and objects. */
const size: Apply = (value) => propertyOf(value, 'size') ?? 0;
const endOf =
  (key: 'first' | 'last'): Apply =>
  (value) =>
    propertyOf(value, key);

const isMissing = (value: Value): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (isList(value) && value.length === 0) ||
  (value instanceof Markup && value.html === '');

/** Replaces an empty value, an empty text or list, and `false` unless `allow_false` is set. */
const orDefault: Apply = (value, [other, named]) => {
  const allowsFalse = isList(named) && named[1] === true;
  return isMissing(value) || (value === false && !allowsFalse) ? other : value;
};

const NONE = [0, 0] as const;

const DATA_FILTERS: readonly (readonly [name: string, filter: Filter])[] = [
  ['default', { arguments: [1, 1], named: ['allow_false'], apply: orDefault }],
  ['size', { arguments: NONE, apply: size }],
  ['length', { arguments: NONE, apply: size }],
  ['first', { arguments: NONE, apply: endOf('first') }],
  ['last', { arguments: NONE, apply: endOf('last') }],
  ['join', { arguments: [0, 1], apply: join }],
  ['slice', { arguments: [1, 2], apply: sectionOf }],
  ['concat', { arguments: [1, 1], apply: concat }],
  ['reverse', { arguments: NONE, apply: library('reverse') }],
  ['sort', { arguments: [0, 1], apply: library('sort') }],
  ['map', { arguments: [1, 1], apply: library('map') }],
  ['where', { arguments: [1, 2], apply: library('where') }],
  ['uniq', { arguments: NONE, apply: library('uniq') }],
  ['compact', { arguments: NONE, apply: library('compact') }],
];

/** The filters of the interface, and further filters of Liquid that can be bounded. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map([...TEXT_FILTERS, ...DATA_FILTERS, ...FORMAT_FILTERS]);

/** A filter as the library calls it: counts as a step of the rendering, and takes plain values. */
export function metered({ apply }: Filter): FilterImplOptions {
  return function (this: unknown, value: unknown, ...args: readonly unknown[]): unknown {
    const context = contextOf(this);
    const rendering = renderingOf(context);
    rendering.step();
    return apply(plainOf(value), args.map(plainOf), { context, rendering, self: this });
  };
}
