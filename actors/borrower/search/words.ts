/** How texts are compared in searches: without case and accents, word by word; numbers by their digits. */

/** Names shorter than this must match from their beginning exactly; longer ones may have one wrong letter. */
const FUZZY_LETTERS = 4;
/** Numbers may be named by their end from this length on. */
const SUFFIX_DIGITS = 4;

export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** The form in which two values of a contact are the same. */
export const comparable = (type: 'email' | 'phone' | 'address', value: string): string =>
  type === 'phone' ? digitsOf(value) : value.trim().toLowerCase();

/** 1 = the same word, 0.8 = its beginning, 0.6 = one letter away; 0 = another word. */
export function wordScore(wanted: string, known: string): number {
  if (wanted === known) return 1;
  if (known.startsWith(wanted)) return 0.8;
  return wanted.length >= FUZZY_LETTERS && isOneEditAway(wanted, known) ? 0.6 : 0;
}

/** 1 = the same digits, 0.8 = their end. */
export function digitsScore(wanted: string, known: string): number {
  if (wanted === '' || wanted === known) return wanted === '' ? 0 : 1;
  return wanted.length >= SUFFIX_DIGITS && known.endsWith(wanted) ? 0.8 : 0;
}

/** Whether one insertion, deletion or substitution, or the exchange of two neighbors, makes one word the other. */
export function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const rest = (text: string, from: number): string => text.slice(from);
  if (short.length !== long.length) return rest(short, start) === rest(long, start + 1);
  if (rest(short, start + 1) === rest(long, start + 1)) return true;
  return short[start] === long[start + 1] && short[start + 1] === long[start] && rest(short, start + 2) === rest(long, start + 2);
}
