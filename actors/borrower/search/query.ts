import { namesOf } from '../../../engine/index.js';
import type { PageQuery } from '../../list-order.js';
import type { AnyId, DateText } from '../../wire.js';
import type { Match, SearchField, SearchIndex } from './search-index.js';

/** Searches compare texts word by word, without case and accents, and numbers by their digits. A word of a text is a term. */

/** Terms shorter than this must match exactly or be a prefix; longer ones may have one wrong letter. */
const FUZZY_LETTERS = 4;
/** A search for the last digits of a number needs at least this many. */
const SUFFIX_DIGITS = 4;

export const termsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((term) => term !== '');

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** Normalizes the value of a contact, so that equal values give equal texts. */
export const comparable = (type: 'email' | 'phone' | 'address', value: string): string =>
  type === 'phone' ? digitsOf(value) : value.trim().toLowerCase();

/** 1 = the same term, 0.8 = a prefix of it, 0.6 = one letter differs; 0 = no match. */
export function termScore(wanted: string, known: string): number {
  if (wanted === known) return 1;
  if (known.startsWith(wanted)) return 0.8;
  return wanted.length >= FUZZY_LETTERS && isOneEditAway(wanted, known) ? 0.6 : 0;
}

/** 1 = the same digits, 0.8 = their end, 0 = no match. */
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

/** The parameters of a search. Several are combined with AND; a search without parameters finds nothing. */
export interface PersonSearchQuery {
  readonly _hasTheWords?: string;
  readonly _notTheWords?: string;
  readonly _forceIndex?: string;
  readonly id?: string;
  readonly externalId?: string;
  readonly borrowerType?: 'person' | 'business';
  readonly fullName?: string;
  readonly firstName?: string;
  readonly middleName?: string;
  readonly lastName?: string;
  readonly maidenName?: string;
  readonly businessName?: string;
  readonly incorporatedState?: string;
  readonly dateOfBirth?: DateText;
  readonly taxId?: string;
  readonly email?: string;
  readonly emailExact?: string;
  readonly phone?: string;
  readonly address?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode?: string;
  readonly loanId?: AnyId;
  readonly caseId?: AnyId;
  readonly bankruptcyCourtCase?: string;
  readonly paymentMethod?: string;
  readonly legalRepFirstName?: string;
  readonly legalRepLastName?: string;
  readonly legalRepEmail?: string;
  readonly legalRepPhone?: string;
  readonly employeeName?: string;
  readonly employeeEmail?: string;
  readonly employeeEmailExact?: string;
  readonly employeePhone?: string;
  readonly limit?: PageQuery['limit'];
}

type Parameter = Exclude<keyof PersonSearchQuery, '_notTheWords' | '_forceIndex' | 'loanId' | 'caseId' | 'bankruptcyCourtCase' | 'limit'>;

interface Rule {
  readonly fields: readonly SearchField[];
  /** Splits the text into parts. Each of them must be found. */
  readonly parts: (text: string) => readonly string[];
}

const NAMES: readonly SearchField[] = ['firstName', 'middleName', 'lastName', 'maidenName', 'businessName'];
const ALL_FIELDS: readonly SearchField[] = [
  ...NAMES,
  'id',
  'incorporatedState',
  'email',
  'address',
  'city',
  'state',
  'postalCode',
  'paymentMethod',
  'phone',
  'taxId',
  'externalId',
];

const terms = (...fields: readonly SearchField[]): Rule => ({ fields, parts: termsOf });
const whole = (field: SearchField): Rule => ({ fields: [field], parts: (text) => [text] });
const digits = (field: SearchField): Rule => ({ fields: [field], parts: (text) => [digitsOf(text)] });
const mailbox = (field: SearchField): Rule => ({ fields: [field], parts: (text) => [text.trim().toLowerCase()] });

const RULES: { readonly [Name in Parameter]: Rule } = {
  _hasTheWords: terms(...ALL_FIELDS),
  id: terms('id'),
  externalId: { fields: ['externalId'], parts: (text) => [text.replace(/^ext-/, '')] },
  borrowerType: whole('borrowerType'),
  fullName: terms(...NAMES),
  firstName: terms('firstName'),
  middleName: terms('middleName'),
  lastName: terms('lastName'),
  maidenName: terms('maidenName'),
  businessName: terms('businessName'),
  incorporatedState: terms('incorporatedState'),
  dateOfBirth: whole('dateOfBirth'),
  taxId: digits('taxId'),
  email: terms('email'),
  emailExact: mailbox('emailExact'),
  phone: digits('phone'),
  address: terms('address'),
  city: terms('city'),
  state: terms('state'),
  postalCode: terms('postalCode'),
  paymentMethod: terms('paymentMethod'),
  legalRepFirstName: terms('legalRepFirstName'),
  legalRepLastName: terms('legalRepLastName'),
  legalRepEmail: terms('legalRepEmail'),
  legalRepPhone: digits('legalRepPhone'),
  employeeName: terms('employeeName'),
  employeeEmail: terms('employeeEmail'),
  employeeEmailExact: mailbox('employeeEmailExact'),
  employeePhone: digits('employeePhone'),
};

/** Maximum number of terms of one search; further ones are ignored. */
const MAX_PARTS = 40;

/**
 * The borrowers that match all parameters, with the sum of their scores. `owners` has, for each parameter that names
 * a loan, a case or a court's case, the borrowers of that loan or case.
 */
export function search(index: SearchIndex, query: PersonSearchQuery, owners: readonly (readonly string[])[]): ReadonlyMap<string, Match> {
  let found: ReadonlyMap<string, Match> | undefined;
  let parts = 0;
  for (const name of namesOf(RULES)) {
    const text = query[name];
    if (text === undefined || text === '') continue;
    const rule = RULES[name];
    const wanted = rule.parts(text);
    // A text without any term matches nothing.
    if (wanted.length === 0) return new Map();
    for (const part of wanted) {
      if (++parts > MAX_PARTS) break;
      found = both(found, index.find(rule.fields, part));
    }
  }
  for (const ids of owners) found = both(found, new Map(ids.map((id) => [id, { score: 1, highlight: new Map() }])));
  return found ? without(found, index, query._notTheWords ?? '') : new Map();
}

function both(found: ReadonlyMap<string, Match> | undefined, more: ReadonlyMap<string, Match>): ReadonlyMap<string, Match> {
  if (!found) return more;
  const joined = new Map<string, Match>();
  for (const [id, match] of more) {
    const before = found.get(id);
    if (!before) continue;
    const highlight = new Map(before.highlight);
    for (const [field, known] of match.highlight) highlight.set(field, [...new Set([...(highlight.get(field) ?? []), ...known])]);
    joined.set(id, { score: before.score + match.score, highlight });
  }
  return joined;
}

function without(found: ReadonlyMap<string, Match>, index: SearchIndex, unwanted: string): ReadonlyMap<string, Match> {
  const left = new Map(found);
  for (const term of termsOf(unwanted).slice(0, MAX_PARTS)) for (const id of index.find(ALL_FIELDS, term).keys()) left.delete(id);
  return left;
}
