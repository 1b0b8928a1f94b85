import { type Apply, type Filter, type FilterCall, libraryFilter, readText } from './filter.js';
import { TEMPLATE_LIMITS } from './limits.js';
import { bounded } from './rendering.js';
import { failLimit, failValue } from './template-error.js';
import { isList, Markup, propertyOf, textOf, type Value, weightOf } from './values.js';

/** A list as it is, of nothing an empty one, of everything else one with it alone. */
function listOf(value: Value, { rendering }: FilterCall): readonly Value[] {
  const list = isList(value) ? value : value === null || value === undefined ? [] : [value];
  if (list.length > TEMPLATE_LIMITS.listLength) failLimit(`A filter takes lists of ${TEMPLATE_LIMITS.listLength} items at most.`);
  rendering.spend(weightOf(list));
  return list;
}

/** Of a list, by the name of a property where one is given. */
const library = (name: string): Apply => {
  const filter = libraryFilter(name);
  return (value, [property, ...others], call) => {
    const list = listOf(value, call);
    call.rendering.spend(list.length * others.reduce<number>((sum, other) => sum + weightOf(other), 0));
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

const slice: Apply = (value, [begin, length = 1], call) => {
  if (typeof begin !== 'number' || typeof length !== 'number' || length < 0) return failValue('The filter slice takes numbers.');
  const items = isList(value) ? listOf(value, call) : readText(value, call);
  const from = begin < 0 ? Math.max(items.length + begin, 0) : begin;
  return items.slice(from, from + length);
};

/** Of lists, texts and objects. */
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

/** In the place of nothing, of an empty text or list, and of `false` unless that is allowed. */
const orDefault: Apply = (value, [other, named]) => {
  const allowsFalse = isList(named) && named[1] === true;
  return isMissing(value) || (value === false && !allowsFalse) ? other : value;
};

const NONE = [0, 0] as const;

export const DATA_FILTERS: readonly (readonly [name: string, filter: Filter])[] = [
  ['default', { arguments: [1, 1], named: ['allow_false'], apply: orDefault }],
  ['size', { arguments: NONE, apply: size }],
  ['length', { arguments: NONE, apply: size }],
  ['first', { arguments: NONE, apply: endOf('first') }],
  ['last', { arguments: NONE, apply: endOf('last') }],
  ['join', { arguments: [0, 1], apply: join }],
  ['slice', { arguments: [1, 2], apply: slice }],
  ['concat', { arguments: [1, 1], apply: concat }],
  ['reverse', { arguments: NONE, apply: library('reverse') }],
  ['sort', { arguments: [0, 1], apply: library('sort') }],
  ['map', { arguments: [1, 1], apply: library('map') }],
  ['where', { arguments: [1, 2], apply: library('where') }],
  ['uniq', { arguments: NONE, apply: library('uniq') }],
  ['compact', { arguments: NONE, apply: library('compact') }],
];
