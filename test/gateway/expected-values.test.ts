import { test } from 'tap';
import { inEnglish } from '../../gateway/index.js';

/** What a validator says it expected, and how it reads in an answer. */
const DESCRIPTIONS: readonly (readonly [string, string])[] = [
  ['(boolean | undefined)', 'true or false'],
  ['("heavy" | "light" | undefined)', '"heavy" or "light"'],
  ['("MetaData" | "ReadonlyArray<x>")', '"MetaData" or "ReadonlyArray<x>"'],
  ['((string & MinLength<1> & MaxLength<50>) | null | undefined)', 'a string of 1 to 50 characters or null'],
  ['(string & MaxLength<100> & MinLength<1>)', 'a string of 1 to 100 characters'],
  ['string & MinLength<1>', 'a string that is not empty'],
  ['(string & Format<"email"> & MaxLength<320>)', 'an e-mail address of at most 320 characters'],
  ['(string & Pattern<"^ext-|^[A-Z][A-Z0-9]-[A-Z0-9]+-[A-Z0-9]+|^\\\\d+"> & MaxLength<300>)', 'an id, or ext- and an external id'],
  ['string & Pattern<"^\\\\d{6}$">', 'a string matching ^\\d{6}$'],
  ['((string & MaxLength<9> & Pattern<"^[A-Z]$">) | null)', 'a string of at most 9 characters matching ^[A-Z]$ or null'],
  ['((string & CalendarDate) | null | undefined)', 'a date YYYY-MM-DD that exists or null'],
  ['((string & (CalendarDate | Instant)) | undefined)', 'a date YYYY-MM-DD that exists, or an ISO 8601 date-time with Z or an offset'],
  ['((number & Type<"uint32"> & Minimum<1> & Maximum<100> & Default<25>) | undefined)', 'a whole number of 1 to 100'],
  [
    '((number & Decimals<100, 0.01> & Minimum<0> & Maximum<9999999999999.99> & Maximum<999999999.99>) | null)',
    'a number with at most 2 decimals of 0 to 999999999.99 or null',
  ],
  [
    '(number & Decimals<100000000, 1e-8> & ExclusiveMinimum<0> & Maximum<99.99999999>)',
    'a number with at most 8 decimals above 0 and at most 99.99999999',
  ],
  ['(MetaData | null | undefined)', 'an object or null'],
  ['__type.o24', 'an object'],
  [
    '(Partial<Omit<AutopaySection, "retry">> & { readonly retry?: Partial<{ readonly maxAttempts: Days; }> | undefined; } | undefined)',
    'an object',
  ],
  ['Array<> & MinItems<1>', 'a list that is not empty'],
  [
    '((ReadonlyArray<number | boolean | (string & MaxLength<500>)> & MaxItems<100>) | (string & MaxLength<500>) | undefined)',
    'a list of at most 100 items or a string of at most 500 characters',
  ],
  ['(ReadonlyArray<"a" | "b"> & MinItems<1> & MaxItems<7>)', 'a list of 1 to 7 items'],
  ['Array<> & UniqueItems<true>', 'a list without repetitions'],
  ['(ReadonlyArray<Name> & MinItems<1> & MaxItems<100> & UniqueItems<true>)', 'a list of 1 to 100 items without repetitions'],
];

test('what a validator expected is described in words, never in types of the source', (t) => {
  for (const [expected, words] of DESCRIPTIONS) t.equal(inEnglish(expected), words);
  t.end();
});
