/**
 * Words for what a validator expected. typia names TypeScript types, which nobody outside knows: tags become bounds in words, lists and
 * objects are called so instead of by the names of their types, and texts in quotes stay as they are.
 */
export function inWords(expected: string): string {
  const quoted: string[] = [];
  const bare = expected.replace(QUOTED, (text) => `${MARK}${quoted.push(text) - 1}${MARK}`);
  const named = TABLE.reduce((text, [pattern, words]) => text.replace(pattern, words), OUTERMOST.reduce(withoutInside, bare));
  const textAt = (place: string): string => quoted[Number(place)] ?? '';
  return named
    .replace(PARENTHESES, '')
    .replace(PATTERN, (_, place: string) => ` matching ${JSON.parse(textAt(place)) as string}`)
    .replace(PLACE, (_, place: string) => textAt(place))
    .replaceAll(`${ANY_ID} of at most 300 characters`, ID_IN_WORDS)
    .replaceAll(ANY_ID, ID_IN_WORDS);
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const MARK = '\u0000';
const PLACE = /\0(\d+)\0/g;
const PATTERN = / & Pattern<\0(\d+)\0>/g;
/** What ids in requests look like (base.md, AnyId), whose text tells nobody anything. */
const ANY_ID = 'string matching ^ext-|^[A-Z][A-Z0-9]-[A-Z0-9]+-[A-Z0-9]+|^\\d+';
const ID_IN_WORDS = 'an id, or ext- and an external id';
/** They stand around alternatives, which nobody reads otherwise without them. */
const PARENTHESES = /[()]/g;

/** Brackets whose inside tells nobody anything, and what they are called without it. */
const OUTERMOST: readonly { readonly opens: RegExp; readonly open: string; readonly close: string; readonly words: string }[] = [
  { opens: /\b(?:Readonly)?Array</, open: '<', close: '>', words: 'a list' },
  {
    opens: /\b(?!(?:Exclusive)?(?:Minimum|Maximum)<|M(?:in|ax)(?:Length|Items)<|Decimals<|Type<|Format<|Default<|Pattern<)[A-Z]\w*</,
    open: '<',
    close: '>',
    words: 'an object',
  },
  { opens: /\{/, open: '{', close: '}', words: 'an object' },
];

function withoutInside(text: string, { opens, open, close, words }: (typeof OUTERMOST)[number]): string {
  let rest = text;
  for (let found = opens.exec(rest); found !== null; found = opens.exec(rest)) {
    const begin = found.index + found[0].length;
    let depth = 1;
    let end = begin;
    for (; depth > 0 && end < rest.length; end += 1) depth += Number(rest[end] === open) - Number(rest[end] === close);
    rest = rest.slice(0, found.index) + words + rest.slice(end);
  }
  return rest;
}

/** In this order: what the later rows look for is what the earlier ones leave. */
const TABLE: readonly (readonly [RegExp, string])[] = [
  [/ \| undefined\b|\bundefined \| /g, ''],
  [/ ?& Default<[^>]*>/g, ''],
  [/\bnumber & Type<[^>]*>/g, 'a whole number'],
  [/ ?& Decimals<100, 0\.01>/g, ' with at most 2 decimals'],
  [/ ?& Decimals<100000000, [^>]*>/g, ' with at most 8 decimals'],
  // The narrower bound of two is named last.
  [/ ?& Maximum<[^>]*>(?=[^|)]*& Maximum<)/g, ''],
  [/ ?& Minimum<[^>]*>(?=[^|)]*& Minimum<)/g, ''],
  [/ ?& Minimum<([^>]*)> & Maximum<([^>]*)>/g, ' of $1 to $2'],
  [/ ?& Maximum<([^>]*)> & Minimum<([^>]*)>/g, ' of $2 to $1'],
  [/ ?& Minimum<([^>]*)>/g, ' of at least $1'],
  [/ ?& ExclusiveMinimum<([^>]*)> & Maximum<([^>]*)>/g, ' above $1 and at most $2'],
  [/ ?& Maximum<([^>]*)>/g, ' of at most $1'],
  [/ ?& ExclusiveMinimum<([^>]*)>/g, ' above $1'],
  [/ ?& ExclusiveMaximum<([^>]*)>/g, ' below $1'],
  [/ ?& MinLength<([^>]*)> & MaxLength<([^>]*)>/g, ' of $1 to $2 characters'],
  [/ ?& MaxLength<([^>]*)> & MinLength<([^>]*)>/g, ' of $2 to $1 characters'],
  [/ ?& MinLength<1>/g, ' that is not empty'],
  [/ ?& MinLength<([^>]*)>/g, ' of at least $1 characters'],
  [/ ?& MaxLength<([^>]*)>/g, ' of at most $1 characters'],
  [/ ?& MinItems<([^>]*)> & MaxItems<([^>]*)>/g, ' of $1 to $2 items'],
  [/ ?& MinItems<1>/g, ' that is not empty'],
  [/ ?& MinItems<([^>]*)>/g, ' of at least $1 items'],
  [/ ?& MaxItems<([^>]*)>/g, ' of at most $1 items'],
  [/\bstring & Format<\0\d+\0>/g, 'an e-mail address'],
  [/\bWords\b/g, 'a list'],
  [/\b(?:__type|(?!CalendarDate\b|Instant\b|Pattern\b)[A-Z]\w*)/g, 'an object'],
  [/\b(object|list)\.o\d+\b/g, '$1'],
  [/\ban object(?: [&|] an object)+/g, 'an object'],
  [/string & \(CalendarDate \| Instant\)/g, 'a date YYYY-MM-DD that exists, or an ISO 8601 date-time with Z or an offset'],
  [/string & CalendarDate/g, 'a date YYYY-MM-DD that exists'],
  [/string & Instant/g, 'an ISO 8601 date-time with Z or an offset'],
];
