import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { addDays, addYears, civil, dayOf, daysInMonth, type Day, must, parseDay, RELEASE, SEED_RULES } from '../../../engine/index.js';

/*
 * The law changes without notice to us. The sources of the rules must be read again before the last reading is half a year old, and
 * before a date on which a rule begins or ends. The day of the release counts, so that the same code always passes or fails.
 */

const MONTHS = 6;
const NEAR_DAYS = 30;

interface Dated {
  readonly code: string;
  readonly effectiveFrom: string | null;
  readonly effectiveTo: string | null;
  readonly basis: { readonly readings: readonly { readonly citation: string; readonly readOn: string }[] };
}

const dayIn = (text: string): Day => must(parseDay(text), `${text} is no date`);

function monthsBefore(value: Day, months: number): Day {
  const { year, month, day } = civil(value);
  const at = year * 12 + month - 1 - months;
  const [toYear, toMonth] = [Math.floor(at / 12), (at % 12) + 1];
  return dayOf(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth)));
}

/** The readings that must be repeated before a release of this day, and the dates that come. */
const toRead = (rules: readonly Dated[], release: Day): readonly string[] =>
  rules.flatMap(({ code, effectiveFrom, effectiveTo, basis }) => [
    ...basis.readings
      .filter(({ readOn }) => dayIn(readOn) < monthsBefore(release, MONTHS))
      .map(({ citation, readOn }) => `${code}: ${citation} was read on ${readOn}`),
    ...[effectiveFrom, effectiveTo]
      .filter((date) => date !== null && dayIn(date) <= addDays(release, NEAR_DAYS) && basis.readings.some(({ readOn }) => readOn < date))
      .map((date) => `${code} changes on ${date}`),
  ]);

test('on the day of the release no source is older than six months, and no date of a rule is near', async (t) => {
  t.same(toRead(SEED_RULES, dayIn(RELEASE.date)), []);
});

test('a release in half a year fails, and so does one before a rule begins', async (t) => {
  t.ok(toRead(SEED_RULES, addYears(dayIn(RELEASE.date), 1)).length > 20);
  const begins = must(SEED_RULES.find(({ code }) => code === 'NYC-SHIELD')?.effectiveFrom, 'it begins on a day');
  t.ok(toRead(SEED_RULES, addDays(dayIn(begins), -NEAR_DAYS)).includes(`NYC-SHIELD changes on ${begins}`));
  t.ok(toRead(SEED_RULES, addDays(dayIn(begins), 1)).includes(`NYC-SHIELD changes on ${begins}`), 'nobody has read it since it began');
  t.same(
    toRead(SEED_RULES, addDays(dayIn(begins), -NEAR_DAYS - 2)).filter((found) => found.includes('NYC')),
    [],
  );
});

test('each reading grows old by itself: reading one source again does not date the others', async (t) => {
  const days = new Set(SEED_RULES.flatMap(({ basis }) => basis.readings.map(({ readOn }) => readOn)));
  t.ok(days.size > 2, 'the readings are of several days');
  const oldest = must([...days].sort()[0], 'there are readings');
  // On this release only the readings of the first day are more than six months old.
  const release = addDays(dayOf(2027, 5, Number(oldest.slice(-2))), 1);
  const due = toRead(SEED_RULES, release).filter((found) => found.includes(' was read on '));
  const all = SEED_RULES.flatMap(({ basis }) => basis.readings);
  t.equal(due.length, all.filter(({ readOn }) => readOn === oldest).length);
  t.ok(due.length > 0 && due.length < all.length);
  const [rule] = SEED_RULES.filter(({ basis }) => basis.readings.length > 1);
  const { basis, ...rest } = must(rule, 'a rule has several readings');
  const aged = basis.readings.map((reading, index) => ({ ...reading, readOn: index === 1 ? '2026-05-01' : RELEASE.date }));
  t.same(toRead([{ ...rest, basis: { readings: aged } }], dayIn(RELEASE.date)), [
    `${rest.code}: ${basis.readings[1]?.citation} was read on 2026-05-01`,
  ]);
});

test('the release has a day, and the version of the package', async (t) => {
  const { version } = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8')) as { readonly version: string };
  t.equal(RELEASE.version, version);
});

/** Rules whose text was not found in any public copy, and why they stand without it. Every other rule of a law has a text, or a part. */
const SECOND_HAND: Readonly<Record<string, string>> = {
  'NYC-FREQ': 'Copies of 6 RCNY 5-77 show only the contents of the title. The number is older than the amendment, and stricter.',
  'NYC-ELECTRONIC': 'The City’s announcement of the amended rule names no consent. A firm’s account of it does, and is the stricter one.',
};

/** Readings without a page, and why. */
const NO_PAGE: readonly string[] = [
  '6 RCNY 5-77(b)(1)(iv)', // a register of rules that names no page
  '12 CFR 1006.18(e)(1), (2), (4)', // a file that quotes the regulation paragraph by paragraph
  '12 CFR 1006.34(b)(5)', // the same file
];

test('a rule stands on a text, or on a part of one, but for the named ones', async (t) => {
  const found = SEED_RULES.filter(
    ({ basis: { readings } }) => readings.length > 0 && readings.every(({ readFrom }) => readFrom === 'secondHand'),
  ).map(({ code }) => code);
  t.same(found.sort(), Object.keys(SECOND_HAND).sort());
});

test('each rule of a law has its source, address, date and bound parties; only a choice of the company has none', async (t) => {
  for (const { code, kind, lawCitation, basis, parameters } of SEED_RULES) {
    const { binds, readings, counts } = basis;
    t.equal(lawCitation === null, readings.length === 0, `${code}: a citation has a reading`);
    t.equal(binds === 'company', readings.length === 0, `${code}: a company binds itself alone`);
    for (const { citation, quote, summary, address, readOn, readFrom } of readings) {
      t.ok(citation.length > 5, code);
      t.ok((quote ?? summary ?? '').length > 4, `${code} says what was read`);
      t.ok(readFrom !== 'secondHand' || quote === null, `${code}: a report about the law is no quotation of it`);
      t.ok(readFrom !== 'text' || quote !== null, `${code}: ${citation} is quoted, or only a part was read`);
      t.ok(!/; |…|\.\.\./.test(quote ?? ''), `${code} quotes words that follow each other`);
      if (address !== null || !NO_PAGE.includes(citation)) t.match(address, /^[a-z0-9.-]+\.[a-z]{2,}\/\S+$/, `${code} names the page`);
      t.ok(dayIn(readOn) <= dayIn(RELEASE.date), `${code} was read before the release`);
    }
    if (kind === 'frequency' || code.endsWith('-FREQ')) t.ok(counts.length > 0, `${code} says what it counts`);
    if (kind !== 'business' && counts[0] !== undefined) t.equal(parameters['limit'] ?? 1, counts[0].limit, `${code} counts what it says`);
  }
});
