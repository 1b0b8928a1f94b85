import { createHash, timingSafeEqual } from 'node:crypto';
import { dateText } from '../../wire.js';
import { day } from '../../../engine/index.js';

/** How answers are compared: what a caller says and what is on file are brought into one form first. */
export type AnswerForm = 'text' | 'street' | 'digits' | 'date' | 'money';

const FORMS: Readonly<Record<AnswerForm, (text: string) => string>> = {
  text: (text) => foldedWords(text).join(' '),
  street: (text) =>
    foldedWords(text)
      .map((word) => STREET_WORDS[word] ?? word)
      .join(' '),
  digits: (text) => text.replace(/\D/g, ''),
  date: isoDate,
  money: (text) => {
    const value = Number(text.replace(/[$,\s]/g, ''));
    return text.trim() !== '' && Number.isFinite(value) ? value.toFixed(2) : '';
  },
};

/** The one form of an answer; empty where it is none. */
export const normalized = (form: AnswerForm, text: string): string => FORMS[form](text.slice(0, LONGEST));

/** Longer answers are no answers. */
const LONGEST = 200;

/** Letters and digits without case and accents, word by word. */
const foldedWords = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}@.]+/u)
    .filter((word) => word !== '')
    .map((word) => word.replace(/\.$/, ''));

/** Words of streets that callers shorten (USPS Publication 28, appendix C). */
const STREET_WORDS: Readonly<Record<string, string>> = {
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
  const words = text
    .trim()
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^(\d+)(st|nd|rd|th)$/, '$1'));
  const [a = '', b = '', c = ''] = words;
  if (words.length !== 3) return '';
  if (/^\d{4}$/.test(a)) return dateOf(a, b, c);
  if (monthOf(a) > 0) return dateOf(c, String(monthOf(a)), b);
  if (monthOf(b) > 0) return dateOf(c, String(monthOf(b)), a);
  return dateOf(c, a, b);
}

const monthOf = (word: string): number => MONTHS.indexOf(word.slice(0, 3)) + 1;

function dateOf(year: string, month: string, ofMonth: string): string {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(ofMonth)) return '';
  const time = Date.UTC(Number(year), Number(month) - 1, Number(ofMonth));
  const text = dateText(day(Math.floor(time / 86_400_000)));
  return text === `${year}-${month.padStart(2, '0')}-${ofMonth.padStart(2, '0')}` ? text : '';
}

/** Whether an answer is one of the right ones. It takes as long whichever it is, and whether it is any. */
export function isAmong(form: AnswerForm, answer: string, right: readonly string[]): boolean {
  const given = normalized(form, answer);
  const digest = digestOf(given);
  let isRight = false;
  for (const text of right) {
    const known = normalized(form, text);
    const isSame = timingSafeEqual(digest, digestOf(known)) && known !== '';
    isRight = isSame || isRight;
  }
  return isRight;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
