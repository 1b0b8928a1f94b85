import { type Apply, type Filter, type FilterCall, libraryFilter, readText } from './filter.js';
import { lastFourText, maskText, phoneText } from './formats.js';
import { TEMPLATE_LIMITS } from './limits.js';
import { bounded } from './rendering.js';
import { escapeHtml, isList, Markup, type Value } from './values.js';

/** A change of a text by what stands in the arguments. */
type Change = (text: string, args: readonly (string | number)[], call: FilterCall) => unknown;

/** Every text counts, and what comes of it. */
const onText =
  (change: Change): Apply =>
  (value, args, call) => {
    const given = args.map((arg) => (typeof arg === 'number' ? arg : readText(arg, call)));
    const result = change(readText(value, call), given, call);
    if (typeof result === 'string') call.rendering.spend(bounded(result).length);
    return result;
  };

const own = (change: (text: string) => string): Apply => onText((text) => change(text));

const library = (name: string): Apply => {
  const filter = libraryFilter(name);
  return onText((text, args, call) => filter(call, text, ...args));
};

/** Looks for the first argument in the text: at each of its places, at worst. */
const searching = (name: string): Apply => {
  const filter = libraryFilter(name);
  return onText((text, args, call) => {
    const wanted = String(args[0] ?? '');
    call.rendering.spend((text.length * wanted.length) / TEMPLATE_LIMITS.comparisonsACharacter);
    return filter(call, text, ...args);
  });
};

/** Of markup markup is left. */
const trimming = (name: string): Apply => {
  const change = library(name);
  return (value, args, call) => {
    const text = change(value, args, call);
    return value instanceof Markup && typeof text === 'string' ? new Markup(text) : text;
  };
};

const split: Apply = (value, args, call) => {
  const parts = SPLIT(value, args, call);
  const count = isList(parts) ? parts.length : 0;
  call.rendering.spend(count * TEMPLATE_LIMITS.stepCost);
  return parts;
};
const SPLIT = searching('split');

const wordCase = (text: string): string =>
  text.toLowerCase().replace(/(^|[\s(-])(\p{L})/gu, (_all, before: string, letter: string) => before + letter.toUpperCase());

const escape: Apply = (value, _args, call) => (value instanceof Markup ? value : new Markup(bounded(escapeHtml(readText(value, call)))));

const newlineToBr: Apply = (value, _args, call) =>
  new Markup(bounded((value instanceof Markup ? readText(value, call) : escapeHtml(readText(value, call))).replace(/\r?\n/g, '<br>\n')));

/** Only what the service built is markup already; whatever else comes stays a text, and is escaped. */
const unchanged = (value: Value): Value => value;

const NONE = [0, 0] as const;

/** The names of the interface beside those of Liquid. */
export const TEXT_FILTERS: readonly (readonly [name: string, filter: Filter])[] = [
  ['upcase', { arguments: NONE, apply: library('upcase') }],
  ['upper', { arguments: NONE, apply: library('upcase') }],
  ['downcase', { arguments: NONE, apply: library('downcase') }],
  ['lower', { arguments: NONE, apply: library('downcase') }],
  ['capitalize', { arguments: NONE, apply: library('capitalize') }],
  ['title', { arguments: NONE, apply: own(wordCase) }],
  ['strip', { arguments: NONE, apply: trimming('strip') }],
  ['trim', { arguments: NONE, apply: trimming('strip') }],
  ['lstrip', { arguments: NONE, apply: trimming('lstrip') }],
  ['rstrip', { arguments: NONE, apply: trimming('rstrip') }],
  ['append', { arguments: [1, 1], apply: library('append') }],
  ['prepend', { arguments: [1, 1], apply: library('prepend') }],
  ['replace', { arguments: [1, 2], apply: searching('replace') }],
  ['replace_first', { arguments: [1, 2], apply: searching('replace_first') }],
  ['remove', { arguments: [1, 1], apply: searching('remove') }],
  ['remove_first', { arguments: [1, 1], apply: searching('remove_first') }],
  ['split', { arguments: [1, 1], apply: split }],
  ['truncate', { arguments: [0, 2], apply: library('truncate') }],
  ['truncatewords', { arguments: [0, 2], apply: library('truncatewords') }],
  ['strip_html', { arguments: NONE, apply: library('strip_html') }],
  ['strip_newlines', { arguments: NONE, apply: library('strip_newlines') }],
  ['newline_to_br', { arguments: NONE, apply: newlineToBr }],
  ['url_encode', { arguments: NONE, apply: library('url_encode') }],
  ['escape', { arguments: NONE, apply: escape }],
  ['safe', { arguments: NONE, apply: unchanged }],
  ['raw', { arguments: NONE, apply: unchanged }],
  ['phone', { arguments: NONE, apply: own(phoneText) }],
  ['lastFour', { arguments: NONE, apply: own(lastFourText) }],
  ['mask', { arguments: NONE, apply: own(maskText) }],
];
