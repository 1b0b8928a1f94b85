import { test } from 'tap';
import {
  type BookedMoney,
  cents,
  ExpectedIndex,
  type ExpectedMoney,
  FEDERAL_CALENDAR,
  isMissingOn,
  must,
  parseDay,
  type Day,
} from '../../../engine/index.js';
import { Random } from '../../random.js';
import { SEED } from '../../seed.js';

const day = (text: string): Day => must(parseDay(text), text);

const money = (key: string, amountCents: number, changes: Partial<ExpectedMoney> = {}): ExpectedMoney => ({
  key,
  amountCents: cents(amountCents),
  dueDay: day('2026-03-03'),
  patience: 1,
  references: [],
  parts: [],
  ...changes,
});

const entry = (id: string, amountCents: number, changes: Partial<BookedMoney> = {}): BookedMoney => ({
  id,
  amountCents: cents(amountCents),
  day: day('2026-03-03'),
  references: [],
  text: '',
  ...changes,
});

const matched = (expected: readonly ExpectedMoney[], entries: readonly BookedMoney[]) => {
  const index = new ExpectedIndex(expected, FEDERAL_CALENDAR);
  return { results: index.match(entries), open: index.open().map(({ key }) => key) };
};

test('a reference comes before an amount, also where another entry of the amount stands before', (t) => {
  const expected = [money('a', 500, { references: ['TRACE-A'] }), money('b', 500)];
  const { results } = matched(expected, [entry('1', 500), entry('2', 500, { text: 'ach trace-a.' })]);
  t.match(results, [
    { id: '1', result: 'matched', key: 'b', by: 'amount' },
    { id: '2', result: 'matched', key: 'a', by: 'reference' },
  ]);
  t.end();
});

test('an amount is found within its window of business days, the nearest day first, and only in its own direction', (t) => {
  const expected = [money('friday', 500, { dueDay: day('2026-03-06') }), money('tuesday', 500, { dueDay: day('2026-03-10') })];
  t.match(matched(expected, [entry('1', 500, { day: day('2026-03-09') })]).results, [{ key: 'tuesday' }]);
  t.match(matched(expected, [entry('1', 500, { day: day('2026-03-07') })]).results, [{ key: 'friday' }]);
  t.match(matched([expected[0] ?? money('', 0)], [entry('1', 500, { day: day('2026-03-11') })]).results, [{ key: 'friday' }]);
  t.match(matched([expected[0] ?? money('', 0)], [entry('1', 500, { day: day('2026-03-12') })]).results, [{ result: 'unexpected' }]);
  t.match(matched([expected[0] ?? money('', 0)], [entry('1', 500, { day: day('2026-03-05') })]).results, [{ key: 'friday' }]);
  t.match(matched([expected[0] ?? money('', 0)], [entry('1', 500, { day: day('2026-03-04') })]).results, [{ result: 'unexpected' }]);
  t.match(matched(expected, [entry('1', -500, { day: day('2026-03-09') })]).results, [{ result: 'unexpected' }]);
  t.end();
});

test('the reference with another amount is a difference, unless it names several things', (t) => {
  const expected = [money('a', 500, { references: ['FILE-1'] })];
  t.match(matched(expected, [entry('1', 499, { references: ['file-1'] })]), {
    results: [{ result: 'differentAmount', key: 'a', expectedCents: 500 }],
    open: [],
  });
  const two = [...expected, money('b', 300, { references: ['FILE-1'] })];
  t.match(matched(two, [entry('1', 499, { references: ['FILE-1'] })]), { results: [{ result: 'unexpected' }], open: ['a', 'b'] });
  t.match(matched(expected, [entry('1', -499, { references: ['FILE-1'] })]).results, [{ result: 'unexpected' }]);
  t.end();
});

test('a sum is found, or its parts are, and never both', (t) => {
  const parts = [money('p1', 200, { references: ['TRACE-1'] }), money('p2', 300, { references: ['TRACE-2'] })];
  const sum = money('sum', 500, { parts });
  t.same(matched([sum], [entry('1', 500)]).open, []);
  t.match(matched([sum], [entry('1', 500), entry('2', 200)]).results, [{ key: 'sum' }, { result: 'unexpected' }]);
  const half = matched([sum], [entry('1', 200, { references: ['TRACE-1'] }), entry('2', 500)]);
  t.match(half.results, [{ key: 'p1' }, { result: 'unexpected' }]);
  t.same(half.open, ['p2']);
  t.same(matched([sum], []).open, ['sum']);
  t.end();
});

test('money is missing once its business days are over', (t) => {
  const friday = money('a', 500, { dueDay: day('2026-03-06') });
  t.notOk(isMissingOn(friday, day('2026-03-08'), FEDERAL_CALENDAR));
  t.ok(isMissingOn(friday, day('2026-03-09'), FEDERAL_CALENDAR));
  t.end();
});

test('over random books nothing is found twice, nothing is lost, and every match is right', (t) => {
  const random = new Random(SEED);
  for (let round = 0; round < 300; round += 1) {
    const expected = Array.from({ length: random.below(12) }, (_, at): ExpectedMoney => {
      const parts = Array.from({ length: random.below(4) }, (__, part) =>
        money(`${at}/${part}`, 100 * (1 + random.below(3)), { references: [`TRACE-${at}-${part}`] }),
      );
      const total = parts.reduce((sum, { amountCents }) => sum + amountCents, 0);
      return money(String(at), total || 100 * (1 + random.below(6)), { references: [`FILE-${at}`], parts });
    });
    const entries = Array.from({ length: random.below(20) }, (_, at) => {
      const named =
        random.below(2) === 0
          ? [`FILE-${random.below(12)}`]
          : random.below(2) === 0
            ? [`TRACE-${random.below(12)}-${random.below(4)}`]
            : [];
      return entry(String(at), 100 * (1 + random.below(6)), { references: named });
    });
    const { results, open } = matched(expected, entries);
    const keys = results.flatMap((each) => (each.result === 'unexpected' ? [] : [each.key]));
    const all = new Map(expected.flatMap((each) => [each, ...each.parts]).map((each) => [each.key, each]));
    const isRight = results.every((each, at) => each.result !== 'matched' || all.get(each.key)?.amountCents === entries[at]?.amountCents);
    const isOnce = new Set(keys).size === keys.length && !keys.some((key) => key.includes('/') && keys.includes(key.split('/')[0] ?? ''));
    // Each sum is found, open, or divided into parts of which each is found or open.
    const isWhole = expected.every(({ key, parts }) => {
      const own = (each: string): boolean => keys.includes(each) !== open.includes(each);
      return own(key) ? !parts.some((part) => open.includes(part.key)) : parts.length > 0 && parts.every((part) => own(part.key));
    });
    if (results.length !== entries.length || !isRight || !isOnce || !isWhole)
      t.fail(`round ${round}: ${JSON.stringify({ expected, entries, results, open })}`);
  }
  t.end();
});
