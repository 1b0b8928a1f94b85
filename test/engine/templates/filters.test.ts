import { test } from 'tap';
import { rendered } from './render.js';

/** An expression, and what it prints in a plain text. */
const ROWS: readonly (readonly [expression: string, printed: string])[] = [
  ['1234.5 | money', '$1,234.50'], ['0 | money', '$0.00'], ['-1234567.891 | money', '-$1,234,567.89'], ['1.005 | money', '$1.01'], ['"12.3456789012" | money', '$12.35'],
  ['999 | money', '$999.00'], ['none | money', ''], ['missing | money', ''], ['-0.001 | money', '$0.00'],
  ['"2026-03-01" | date', 'March 1, 2026'], ['"2026-03-01T07:30:00.000Z" | date', 'February 28, 2026'], ['"2026-03-01T07:30:05Z" | date("YYYY-MM-DD HH:mm:ss")', '2026-02-28 23:30:05'],
  ['"2026-03-01" | date("ddd, D MMM YY [at] M/DD")', 'Sun, 1 Mar 26 at 3/01'], ['"2026-03-01T20:05:00Z" | date("h:mm A, dddd")', '12:05 PM, Sunday'], ['"2026-03-01T08:05:00Z" | date: "hh a H"', '12 am 0'],
  ['none | date', ''],
  ['0.0525 | percent', '5.25%'], ['"0.12345" | percent', '12.35%'], ['1 | percent', '100.00%'], ['missing | percent', ''],
  ['"+12025550143" | phone', '(202) 555-0143'], ['"202-555-0143" | phone', '(202) 555-0143'], ['"+4930123456" | phone', '+4930123456'], ['none | phone', ''],
  ['"4111 1111 1111 1234" | lastFour', '1234'], ['"12" | lastFour', '12'],
  ['"123-45-6789" | mask', '***-**-6789'], ['"6789" | mask', '****'], ['"" | mask', ''],
  ['missing | default("none")', 'none'], ['none | default("none")', 'none'], ['"" | default("none")', ''], ['"" | default("none", true)', 'none'], ['0 | default("none")', '0'],
  ['"Ana Lee" | upper', 'ANA LEE'], ['"Ana Lee" | lower', 'ana lee'], ['"aNA (lee)-mary o\'hara" | title', 'Ana (Lee)-Mary O\'hara'], ['"ANA lee" | capitalize', 'Ana lee'],
  ['[1, 2, 3] | length', '3'], ['"four" | length', '4'], ['{"a": 1} | length', '1'], ['missing | length', '0'],
  ['[1, "b", none] | join("-")', '1-b-'], ['[{"n": "x"}, {"n": "y"}] | join(", ", "n")', 'x, y'], ['"a" | join(",")', 'a'],
  ['"a-b-c" | replace("-", "+")', 'a+b+c'], ['2.345 | round(2)', '2.35'], ['2.5 | round', '3'], ['-2.5 | round', '-3'], ['"2.44" | round(1)', '2.4'],
  ['"  a " | trim', 'a'], ['[1, 2] | first', '1'], ['[1, 2] | last', '2'], ['"abc" | first', 'a'], ['[] | first', ''],
  ['"<a>" | escape', '&lt;a&gt;'], ['"<a>" | escape | escape', '&lt;a&gt;'], ['"<a>" | safe', '<a>'],
];

test('each filter, a row', async (t) => {
  for (const [expression, printed] of ROWS) t.equal(rendered(`{{ ${expression} }}`, {}, { output: 'text' }), printed, expression);
});

test('HTML that was escaped once is not escaped again, and `safe` opens nothing that the service did not build', async (t) => {
  t.equal(rendered('{{ "<a>" | escape }}'), '&lt;a&gt;');
  t.equal(rendered('{{ "<script>" | safe }}'), '&lt;script&gt;');
  t.equal(rendered('{{ "<script>" | escape | upper }}'), '&amp;LT;SCRIPT&amp;GT;');
});
