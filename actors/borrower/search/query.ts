import type { PageQuery } from '../../list-order.js';
import type { AnyId, DateText } from '../../wire.js';
import type { Match, SearchField, SearchIndex } from './search-index.js';

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

/** The parameters of a search. Several combine with AND; none matches nothing. */
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
  /** What must be found of the text: each part for itself. */
  readonly parts: (text: string) => readonly string[];
}

const NAMES: readonly SearchField[] = ['firstName', 'middleName', 'lastName', 'maidenName', 'businessName'];
const EVERYWHERE: readonly SearchField[] = [
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

const words = (...fields: readonly SearchField[]): Rule => ({ fields, parts: wordsOf });
const whole = (field: SearchField): Rule => ({ fields: [field], parts: (text) => [text] });
const digits = (field: SearchField): Rule => ({ fields: [field], parts: (text) => [digitsOf(text)] });
const mailbox = (field: SearchField): Rule => ({ fields: [field], parts: (text) => [text.trim().toLowerCase()] });

const RULES: { readonly [Name in Parameter]: Rule } = {
  _hasTheWords: words(...EVERYWHERE),
  id: words('id'),
  externalId: { fields: ['externalId'], parts: (text) => [text.replace(/^ext-/, '')] },
  borrowerType: whole('borrowerType'),
  fullName: words(...NAMES),
  firstName: words('firstName'),
  middleName: words('middleName'),
  lastName: words('lastName'),
  maidenName: words('maidenName'),
  businessName: words('businessName'),
  incorporatedState: words('incorporatedState'),
  dateOfBirth: whole('dateOfBirth'),
  taxId: digits('taxId'),
  email: words('email'),
  emailExact: mailbox('emailExact'),
  phone: digits('phone'),
  address: words('address'),
  city: words('city'),
  state: words('state'),
  postalCode: words('postalCode'),
  paymentMethod: words('paymentMethod'),
  legalRepFirstName: words('legalRepFirstName'),
  legalRepLastName: words('legalRepLastName'),
  legalRepEmail: words('legalRepEmail'),
  legalRepPhone: digits('legalRepPhone'),
  employeeName: words('employeeName'),
  employeeEmail: words('employeeEmail'),
  employeeEmailExact: mailbox('employeeEmailExact'),
  employeePhone: digits('employeePhone'),
};

/** Words of one search that are looked at; further ones are left out. */
const MAX_PARTS = 40;

/**
 * The borrowers that match all parameters, with the sum of their scores. `owners` are, for each parameter that names
 * a loan, a case or a court's case, the borrowers of what it names.
 */
export function search(index: SearchIndex, query: PersonSearchQuery, owners: readonly (readonly string[])[]): ReadonlyMap<string, Match> {
  let found: ReadonlyMap<string, Match> | undefined;
  let parts = 0;
  for (const name of Object.keys(RULES) as Parameter[]) {
    const text = query[name];
    if (text === undefined || text === '') continue;
    const rule = RULES[name];
    const wanted = rule.parts(text);
    // A text without a single word can be found nowhere.
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
  for (const word of wordsOf(unwanted).slice(0, MAX_PARTS)) for (const id of index.find(EVERYWHERE, word).keys()) left.delete(id);
  return left;
}
