import { createHash, timingSafeEqual } from 'node:crypto';
import { dateText } from '../../wire.js';
import { day } from '../../../engine/index.js';

/** How an answer is normalized before it is compared with the data on file. */
export type AnswerFormat = 'text' | 'street' | 'digits' | 'date' | 'money';

const NORMALIZERS: Readonly<Record<AnswerFormat, (text: string) => string>> = {
  text: (text) => foldedTerms(text).join(' '),
  street: (text) =>
    foldedTerms(text)
      .map((term) => STREET_ABBREVIATIONS[term] ?? term)
      .join(' '),
  digits: (text) => text.replace(/\D/g, ''),
  date: isoDate,
  money: (text) => {
    const value = Number(text.replace(/[$,\s]/g, ''));
    return text.trim() !== '' && Number.isFinite(value) ? value.toFixed(2) : '';
  },
};

/** The normalized answer; empty if the text is not an answer. */
export const normalized = (format: AnswerFormat, text: string): string => NORMALIZERS[format](text.slice(0, LONGEST));

/** Answers are cut at this length. */
const LONGEST = 200;

/** Letters and digits without case and accents, term by term. */
const foldedTerms = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}@.]+/u)
    .filter((term) => term !== '')
    .map((term) => term.replace(/\.$/, ''));

/** Words of streets that callers shorten (USPS Publication 28, appendix C). */
const STREET_ABBREVIATIONS: Readonly<Record<string, string>> = {
  avenue: 'ave',
  boulevard: 'blvd',
  circle: 'cir',
  court: 'ct',
  drive: 'dr',
  highway: 'hwy',
  lane: 'ln',
  parkway: 'pkwy',
  place: 'pl',
  road: 'rd',
  square: 'sq',
  street: 'st',
  terrace: 'ter',
  trail: 'trl',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  apartment: 'apt',
  suite: 'ste',
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `1984-05-17`, `5/17/1984`, `May 17, 1984` and `17 May 1984` as the first of them. */
function isoDate(text: string): string {
  const parts = text
    .trim()
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((term) => term !== '')
    .map((term) => term.replace(/^(\d+)(st|nd|rd|th)$/, '$1'));
  const [a = '', b = '', c = ''] = parts;
  if (parts.length !== 3) return '';
  if (/^\d{4}$/.test(a)) return dateOf(a, b, c);
  if (monthOf(a) > 0) return dateOf(c, String(monthOf(a)), b);
  if (monthOf(b) > 0) return dateOf(c, String(monthOf(b)), a);
  return dateOf(c, a, b);
}

const monthOf = (term: string): number => MONTHS.indexOf(term.slice(0, 3)) + 1;

function dateOf(year: string, month: string, ofMonth: string): string {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(ofMonth)) return '';
  const time = Date.UTC(Number(year), Number(month) - 1, Number(ofMonth));
  const text = dateText(day(Math.floor(time / 86_400_000)));
  return text === `${year}-${month.padStart(2, '0')}-${ofMonth.padStart(2, '0')}` ? text : '';
}

/** Whether an answer is one of the right ones. It takes the same time whichever one it is, and if it is none. */
export function isAmong(format: AnswerFormat, answer: string, right: readonly string[]): boolean {
  const given = normalized(format, answer);
  const digest = digestOf(given);
  let isRight = false;
  for (const text of right) {
    const known = normalized(format, text);
    const isSame = timingSafeEqual(digest, digestOf(known)) && known !== '';
    isRight = isSame || isRight;
  }
  return isRight;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
