import { type DigitField, type SearchProfile, type WordField } from './profile.js';
import { digitsScore, wordScore } from './words.js';

/** Fields whose whole value must be named. */
type ExactField = 'borrowerType' | 'externalId' | 'dateOfBirth' | 'emailExact' | 'phoneExact' | 'employeeEmailExact';
export type SearchField = WordField | DigitField | ExactField;

/** What is known of a match: its score, and the words that matched by field. */
export interface Match {
  readonly score: number;
  readonly highlight: ReadonlyMap<SearchField, readonly string[]>;
}

/**
 * The words of one tenant's borrowers: by field, each word with the borrowers that have it. A borrower that
 * changes is entered again under a new number; its old number is dead. It holds personal data in clear and
 * therefore lives in memory only.
 */
export class SearchIndex {
  readonly #words = new Map<SearchField, Map<string, Set<number>>>();
  readonly #numbers = new Map<string, number>();
  readonly #ids = new Map<number, string>();
  #nextNumber = 0;

  get size(): number {
    return this.#numbers.size;
  }

  put(profile: SearchProfile): void {
    this.drop(profile.id);
    const number = this.#nextNumber++;
    this.#numbers.set(profile.id, number);
    this.#ids.set(number, profile.id);
    for (const [field, words] of profile.words) for (const word of words) this.#enter(field, word, number);
    for (const [field, numbers] of profile.digits) for (const digits of numbers) this.#enter(field, digits, number);
    for (const email of profile.emails) this.#enter('emailExact', email, number);
    for (const phone of profile.digits.get('phone') ?? []) this.#enter('phoneExact', phone, number);
    for (const email of profile.employeeEmails) this.#enter('employeeEmailExact', email, number);
    this.#enter('borrowerType', profile.borrowerType, number);
    if (profile.externalId !== null) this.#enter('externalId', profile.externalId, number);
    if (profile.dateOfBirth !== null) this.#enter('dateOfBirth', profile.dateOfBirth, number);
  }

  /** The borrower is found no more. Its words stay until `scrub`. */
  drop(id: string): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#numbers.delete(id);
    this.#ids.delete(number);
  }

  /** Takes the words of all dead numbers out of memory: after an erasure nothing of the borrower may stay. */
  scrub(): void {
    for (const words of this.#words.values()) {
      for (const [word, numbers] of words) {
        for (const number of numbers) if (!this.#ids.has(number)) numbers.delete(number);
        if (numbers.size === 0) words.delete(word);
      }
    }
  }

  /** The borrowers with a word like `wanted` in one of the fields. */
  find(fields: readonly SearchField[], wanted: string): Map<string, Match> {
    const found = new Map<string, Match>();
    for (const field of fields) {
      for (const [word, numbers] of this.#candidates(field, wanted)) {
        const score = scoreOf(field, wanted, word);
        if (score === 0) continue;
        for (const number of numbers) {
          const id = this.#ids.get(number);
          if (id !== undefined && score > (found.get(id)?.score ?? 0)) found.set(id, { score, highlight: new Map([[field, [word]]]) });
        }
      }
    }
    return found;
  }

  /** Exact fields need one look-up; the others are compared word by word. */
  #candidates(field: SearchField, wanted: string): Iterable<readonly [string, Set<number>]> {
    const words = this.#words.get(field);
    if (!words) return [];
    if (!EXACT.has(field)) return words;
    const numbers = words.get(wanted);
    return numbers ? [[wanted, numbers]] : [];
  }

  #enter(field: SearchField, word: string, number: number): void {
    let words = this.#words.get(field);
    if (!words) this.#words.set(field, (words = new Map()));
    const numbers = words.get(word);
    if (numbers) numbers.add(number);
    else words.set(word, new Set([number]));
  }
}

const EXACT: ReadonlySet<SearchField> = new Set<SearchField>([
  'borrowerType',
  'externalId',
  'dateOfBirth',
  'emailExact',
  'phoneExact',
  'employeeEmailExact',
]);
const DIGITS: ReadonlySet<SearchField> = new Set<SearchField>(['phone', 'taxId', 'legalRepPhone', 'employeePhone']);

function scoreOf(field: SearchField, wanted: string, known: string): number {
  if (EXACT.has(field)) return wanted === known ? 1 : 0;
  return DIGITS.has(field) ? digitsScore(wanted, known) : wordScore(wanted, known);
}
