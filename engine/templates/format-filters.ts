import { ARITHMETIC, decimalOf, numberOf, scaledOf, WHOLE } from './decimals.js';
import { type Apply, type Filter, readText } from './filter.js';
import { DEFAULT_DATE_FORMAT, dateFormatted, moneyText, percentText } from './formats.js';
import { TEMPLATE_LIMITS } from './limits.js';
import { failLimit, failValue } from './template-error.js';
import { isList, Markup, propertyOf, type Value, weightOf } from './values.js';

const isEmpty = (value: Value): boolean => value === null || value === undefined || value === '';

/** Of what is empty nothing is made. */
const formatted =
  (noun: string, format: (...given: Parameters<Apply>) => string | undefined): Apply =>
  (value, args, call) =>
    isEmpty(value) ? '' : (format(value instanceof Markup ? value.html : value, args, call) ?? failValue(`The value is no ${noun}.`));

const date = formatted('date, or its format is none', (value, [format = DEFAULT_DATE_FORMAT], call) => {
  const letters = readText(format, call);
  if (letters.length > TEMPLATE_LIMITS.formatLength)
    failLimit(`The format of a date has ${TEMPLATE_LIMITS.formatLength} characters at most.`);
  return dateFormatted(value, letters, call.rendering.options.zone);
});

/** Exact; nothing is zero. */
function operand(value: Value, filter: string): bigint {
  return scaledOf(value instanceof Markup ? value.html : (value ?? 0)) ?? failValue(`The filter ${filter} takes numbers.`);
}

const MOST_PLACES = 10;

const round: Apply = (value, [places = 0]) => {
  if (isEmpty(value)) return '';
  const count =
    typeof places === 'number' && Number.isInteger(places) && places >= 0 && places <= MOST_PLACES
      ? places
      : failValue(`A number has 0 to ${MOST_PLACES} decimals.`);
  return numberOf(scaledOf(decimalOf(operand(value, 'round'), count)) ?? 0n);
};

const sum: Apply = (value, [key], { rendering }) => {
  const list = isList(value) ? value : [value];
  rendering.spend(weightOf(list) + list.length * TEMPLATE_LIMITS.stepCost);
  return numberOf(list.reduce<bigint>((total, item) => total + operand(key === undefined ? item : propertyOf(item, key), 'sum'), 0n));
};

/** An end of a range: the library would fill a list of any length before anyone looks at it. */
const rangeEnd: Apply = (value) => {
  const end = numberOf(operand(value, 'of a range'));
  return Number.isInteger(end) && Math.abs(end) <= TEMPLATE_LIMITS.rangeEnd
    ? end
    : failLimit(`A range lies between whole numbers up to ${TEMPLATE_LIMITS.rangeEnd}.`);
};

/** The filter that `parseTemplate` puts around both ends of a range. */
export const RANGE_END = 'range_end';

export const FORMAT_FILTERS: readonly (readonly [name: string, filter: Filter])[] = [
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
