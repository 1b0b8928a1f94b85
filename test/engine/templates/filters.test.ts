import { test } from 'tap';
import { errorOf, rendered } from './render.js';

const CONTEXT = {
  empty_list: [],
  pair: [1, 2],
  mixed: [1, 'b', null],
  rows: [
    { n: 'x', amount: '10.10' },
    { n: 'y', amount: 20.2 },
  ],
  record: { a: 1 },
  unsorted: [3, 1, 2, 1],
};

/** An expression, and what it prints in a plain text. */
const ROWS: readonly (readonly [expression: string, printed: string])[] = [
  ['1234.5 | money', '$1,234.50'],
  ['0 | money', '$0.00'],
  ['-1234567.891 | money', '-$1,234,567.89'],
  ['1.005 | money', '$1.01'],
  ['"12.3456789012" | money', '$12.35'],
  ['999 | money', '$999.00'],
  ['nil | money', ''],
  ['missing | money', ''],
  ['-0.001 | money', '$0.00'],
  ['"2026-03-01" | date', 'March 1, 2026'],
  ['"2026-03-01T07:30:00.000Z" | date', 'February 28, 2026'],
  ['"2026-03-01T07:30:05Z" | date: "YYYY-MM-DD HH:mm:ss"', '2026-02-28 23:30:05'],
  ['"2026-03-01" | date: "ddd, D MMM YY [at] M/DD"', 'Sun, 1 Mar 26 at 3/01'],
  ['"2026-03-01T20:05:00Z" | date: "h:mm A, dddd"', '12:05 PM, Sunday'],
  ['"2026-03-01T08:05:00Z" | date: "hh a H"', '12 am 0'],
  ['"2026-03-01T20:05:09Z" | date: "%A, %B %-d, %Y at %-I:%M:%S %p (100%%)"', 'Sunday, March 1, 2026 at 12:05:09 PM (100%)'],
  ['"2026-03-01" | date: "%d/%m/%y %a %b %e"', '01/03/26 Sun Mar 1'],
  ['nil | date', ''],
  ['0.0525 | percent', '5.25%'],
  ['"0.12345" | percent', '12.35%'],
  ['1 | percent', '100.00%'],
  ['missing | percent', ''],
  ['"+12025550143" | phone', '(202) 555-0143'],
  ['"202-555-0143" | phone', '(202) 555-0143'],
  ['"+4930123456" | phone', '+4930123456'],
  ['nil | phone', ''],
  ['"4111 1111 1111 1234" | lastFour', '1234'],
  ['"12" | lastFour', '12'],
  ['"123-45-6789" | mask', '***-**-6789'],
  ['"6789" | mask', '****'],
  ['"" | mask', ''],
  ['missing | default: "none"', 'none'],
  ['nil | default: "none"', 'none'],
  ['"" | default: "none"', 'none'],
  ['0 | default: "none"', '0'],
  ['empty_list | default: "none"', 'none'],
  ['false | default: "none"', 'none'],
  ['false | default: "none", allow_false: true', 'false'],
  ['"Ana Lee" | upper', 'ANA LEE'],
  ['"Ana Lee" | upcase', 'ANA LEE'],
  ['"Ana Lee" | lower', 'ana lee'],
  ['"Ana Lee" | downcase', 'ana lee'],
  ['"aNA (lee)-mary o\'hara" | title', "Ana (Lee)-Mary O'hara"],
  ['"ANA lee" | capitalize', 'Ana lee'],
  ['unsorted | length', '4'],
  ['"four" | length', '4'],
  ['record | length', '1'],
  ['missing | length', '0'],
  ['pair | size', '2'],
  ['mixed | join: "-"', '1-b-'],
  ['pair | join', '1 2'],
  ['rows | map: "n" | join: ", "', 'x, y'],
  ['"a" | join: ","', 'a'],
  ['rows | where: "n", "y" | map: "amount" | first', '20.2'],
  ['unsorted | sort | join', '1 1 2 3'],
  ['unsorted | uniq | reverse | join', '2 1 3'],
  ['mixed | compact | join', '1 b'],
  ['pair | concat: unsorted | slice: 1, 2 | join', '2 3'],
  ['"a-b-c" | replace: "-", "+"', 'a+b+c'],
  ['"a-b-c" | replace_first: "-", "+"', 'a+b-c'],
  ['"a-b-c" | remove: "-"', 'abc'],
  ['"a,b" | split: "," | last', 'b'],
  ['"a" | append: "b" | prepend: "c"', 'cab'],
  ['"abcdef" | truncate: 5', 'ab...'],
  ['"one two three" | truncatewords: 2', 'one two...'],
  ['"a b&c" | url_encode', 'a+b%26c'],
  ['"<b>a</b>" | strip_html', 'a'],
  ['"abc" | slice: -2, 2', 'bc'],
  ['"abc" | slice: 0', 'a'],
  ['2.345 | round: 2', '2.35'],
  ['2.5 | round', '3'],
  ['-2.5 | round', '-3'],
  ['"2.44" | round: 1', '2.4'],
  ['nil | round', ''],
  ['"  a " | trim', 'a'],
  ['"  a " | strip', 'a'],
  ['"  a " | lstrip', 'a '],
  ['"  a " | rstrip', '  a'],
  ['pair | first', '1'],
  ['pair | last', '2'],
  ['"abc" | first', 'a'],
  ['empty_list | first', ''],
  ['0.1 | plus: 0.2', '0.3'],
  ['0.3 | minus: 0.1', '0.2'],
  ['10.1 | times: 3', '30.3'],
  ['7 | divided_by: 2', '3.5'],
  ['1 | divided_by: 3', '0.3333333333'],
  ['-7 | modulo: 3', '2'],
  ['"10.10" | plus: "0.20" | money', '$10.30'],
  ['missing | plus: 1', '1'],
  ['2.1 | ceil', '3'],
  ['-2.1 | floor', '-3'],
  ['-2.5 | abs', '2.5'],
  ['1 | at_least: 5', '5'],
  ['1 | at_most: 5', '1'],
  ['rows | sum: "amount" | money', '$30.30'],
  ['pair | sum', '3'],
  ['"<a>" | escape', '&lt;a&gt;'],
  ['"<a>" | escape | escape', '&lt;a&gt;'],
  ['"<a>" | safe', '<a>'],
];

test('each filter, a row', async (t) => {
  for (const [expression, printed] of ROWS) t.equal(rendered(`{{ ${expression} }}`, CONTEXT, { output: 'text' }), printed, expression);
});

test('a date is written in the language of the template, and in English where that is not known', async (t) => {
  const day = { day: '2026-03-01', moment: '2026-03-01T20:05:00Z' };
  const spanish = { output: 'text', language: 'es' } as const;
  t.equal(rendered('{{ day | date }}', day, spanish), '1 de marzo de 2026');
  t.equal(rendered('{{ moment | date: "dddd D MMM, h:mm A" }}', day, spanish), 'domingo 1 mar, 12:05 p. m.');
  t.equal(rendered('{{ day | date: "%A %-d de %B" }}', day, spanish), 'domingo 1 de marzo');
  t.equal(rendered('{{ day | date }}', day, { ...spanish, language: 'fr' }), 'March 1, 2026');
});

test('escaped HTML is not escaped again, and `safe` and `raw` have no effect on HTML that the service did not make', async (t) => {
  t.equal(rendered('{{ "<a>" | escape }}'), '&lt;a&gt;');
  t.equal(rendered('{{ "<script>" | safe }}{{ "<script>" | raw }}'), '&lt;script&gt;&lt;script&gt;');
  t.equal(rendered('{{ "<script>" | escape | upper }}'), '&amp;LT;SCRIPT&amp;GT;');
  t.equal(rendered('{{ "<i>\n" | newline_to_br }}'), '&lt;i&gt;<br>\n');
  t.equal(rendered('{% cycle "<i>", "b" %}'), '&lt;i&gt;');
});

/** Filters of the library that cannot be bounded, read outside data, or have other results on other machines. */
const OTHERS: readonly string[] = [
  'json',
  'inspect',
  'sample',
  'where_exp',
  'group_by',
  'group_by_exp',
  'find_exp',
  'push',
  'unshift',
  'sha256',
  'base64_decode',
  'date_to_string',
  'sort_natural',
  'xml_escape',
];

test('there is no other filter', async (t) => {
  for (const name of OTHERS) t.match(errorOf(`{{ a | ${name} }}`), { kind: 'syntax', message: `There is no filter ${name}.` }, name);
});
