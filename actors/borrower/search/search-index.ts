import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { type Tenant, tenantKey } from '../../kernel/fact.js';
import { ask } from '../../kernel/policy.js';
import { wholeList } from '../../list-order.js';
import { openText } from '../contact-fields.js';
import { borrowerAsks } from '../questions.js';
import { type Affiliation, isReachable, type PersonState } from '../state.js';
import { personView } from '../views.js';
import { type DigitField, profileOf, type SearchProfile, type WordField } from './profile.js';
import { digitsOf, digitsScore, type PersonSearchQuery, search, wordScore, wordsOf } from './query.js';

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

/** Most borrowers that one search answers. */
const MAX_RESULTS = 100;
const DEFAULT_RESULTS = 25;

interface TenantIndex {
  readonly index: SearchIndex;
  /** Borrowers that changed since they were entered. */
  readonly dirty: Set<string>;
}

/**
 * The search over borrowers. The index of a tenant is made from the opened personal data at its first search, and
 * brought up to date by each later one.
 */
export class PersonSearch {
  readonly #tenants = new Map<string, TenantIndex>();
  readonly #courtCases = new CourtCases();

  /** To be told of every change of a borrower; costs nothing where nobody has searched. */
  touch({ tenant, id, status }: PersonState): void {
    if (status === 'erased') this.#courtCases.forget(tenant);
    const known = this.#tenants.get(tenantKey(tenant));
    if (!known) return;
    known.dirty.add(id);
    if (status !== 'erased') return;
    known.index.drop(id);
    known.index.scrub();
  }

  readonly query: QuerySpec<PersonState> = {
    kind: 'person',
    type: 'person.search',
    on: 'tenant',
    read: ({ query, env }) => this.#answer(query as PersonSearchQuery, env),
  };

  /** Who has an e-mail address or a telephone number among its contacts, in any part of a cluster. */
  readonly senders: QuerySpec<PersonState> = {
    kind: 'person',
    type: 'person.senders',
    on: 'tenant',
    read: ({ query, env }) => {
      const { email, phone } = query as SenderQuery;
      const index = this.#indexOf(env.tenant, env);
      const ids = [
        ...(email === undefined ? [] : index.find(['emailExact'], email).keys()),
        ...(phone === undefined ? [] : index.find(['phoneExact'], digitsOf(phone)).keys()),
      ];
      const items = ids.flatMap((id) => {
        const state = env.stateOf<PersonState>('person', id);
        return state && isReachable(state) ? sendersIn(state, email ?? phone ?? '', env) : [];
      });
      return wholeList(items, ({ personId, contactId }) => [personId, contactId], 2);
    },
  };

  #answer(query: PersonSearchQuery, env: QueryEnv): unknown {
    const matches = [...search(this.#indexOf(env.tenant, env), query, this.#ownersOf(query, env))];
    const ranked = matches.filter(([id]) => env.sees('person', id)).sort(([idA, a], [idB, b]) => b.score - a.score || (idA < idB ? -1 : 1));
    const shown = ranked.slice(0, Math.min(query.limit ?? DEFAULT_RESULTS, MAX_RESULTS)).flatMap(([id, match]) => {
      const state = env.stateOf<PersonState>('person', id);
      return state && isReachable(state) ? [{ state, match }] : [];
    });
    return {
      items: shown.map(({ state }) => personView(state, env)),
      total: ranked.length,
      hasMore: ranked.length > shown.length,
      hasPrevious: false,
      search: {
        total: { value: ranked.length, relation: 'eq' },
        maxScore: shown[0]?.match.score ?? null,
        hits: shown.map(({ state, match }) => ({ id: state.id, score: match.score, highlight: Object.fromEntries(match.highlight) })),
        inputErrors: [],
      },
    };
  }

  #ownersOf({ loanId, caseId, bankruptcyCourtCase }: PersonSearchQuery, env: QueryEnv): readonly (readonly string[])[] {
    return [
      ...(loanId === undefined ? [] : [ownerOf('loan', loanId, env)]),
      ...(caseId === undefined ? [] : [ownerOf('case', caseId, env)]),
      ...(bankruptcyCourtCase === undefined || bankruptcyCourtCase === '' ? [] : [this.#courtCases.borrowersOf(bankruptcyCourtCase, env)]),
    ];
  }

  #indexOf(tenant: Tenant, env: QueryEnv): SearchIndex {
    const rows = env.listAll('person', { limit: Number.MAX_SAFE_INTEGER }).rows;
    const known = this.#tenants.get(tenantKey(tenant));
    if (known) {
      for (const id of known.dirty) refresh(known.index, env, id);
      known.dirty.clear();
      // A test mode that was emptied leaves more in the index than there are borrowers.
      if (known.index.size === rows.length) return known.index;
    }
    const fresh: TenantIndex = { index: new SearchIndex(), dirty: new Set() };
    for (const { id } of rows) refresh(fresh.index, env, id);
    this.#tenants.set(tenantKey(tenant), fresh);
    return fresh.index;
  }
}

/** The sender of something that came in: an address in lower case, or a number in E.164. */
export interface SenderQuery {
  readonly email?: string;
  readonly phone?: string;
}

/** A contact that the sender may have used. */
export interface SenderItem {
  readonly personId: string;
  readonly contactId: string;
  readonly affiliation: Affiliation;
}

/** Contacts with exactly this value that are still kept. */
const sendersIn = (state: PersonState, value: string, env: QueryEnv): readonly SenderItem[] =>
  state.contacts
    .filter(({ id, status, value: sealed }) => status !== 'archived' && openText(env, state.id, 'contact.value', id, sealed) === value)
    .map(({ id: contactId, affiliation }) => ({ personId: state.id, contactId, affiliation }));

function refresh(index: SearchIndex, env: QueryEnv, id: string): void {
  const state = env.stateOf<PersonState>('person', id);
  if (state && isReachable(state)) index.put(profileOf(state, env));
  else index.drop(id);
}

/** The borrower of a loan or case. */
function ownerOf(kind: 'loan' | 'case', anyId: string, env: QueryEnv): readonly string[] {
  const id = anyId.startsWith('ext-') ? env.findExternal(env.tenant, kind, anyId.slice(4)) : anyId;
  return env.list(kind, { matches: (row) => row.id === id, limit: 1 }).rows.flatMap(({ parentId }) => parentId ?? []);
}

/** The number of a court's case as it was read: words in clear, in memory alone. */
interface Known {
  readonly personId: string | null;
  readonly updatedStamp: number;
  readonly words: readonly string[];
}

/**
 * Whose bankruptcy has which number at the court. The list of cases says which there are and when each was changed, so that each search
 * reads those alone that changed since the one before, and nothing has to be told or kept over a restart.
 */
class CourtCases {
  readonly #tenants = new Map<string, ReadonlyMap<string, Known>>();

  /** After an erasure nothing of it may stay. */
  forget(tenant: Tenant): void {
    this.#tenants.delete(tenantKey(tenant));
  }

  /** Borrowers with a case whose number has all words of the text, or begins so: a digit more or less is another case. */
  borrowersOf(text: string, env: QueryEnv): readonly string[] {
    const wanted = wordsOf(text);
    const found = new Set<string>();
    for (const [id, { personId, words }] of this.#upToDate(env)) {
      const isMeant = wanted.length > 0 && wanted.every((word) => words.some((known) => known.startsWith(word)));
      if (isMeant && personId !== null && env.sees('case', id)) found.add(personId);
    }
    return [...found];
  }

  #upToDate(env: QueryEnv): ReadonlyMap<string, Known> {
    const before = this.#tenants.get(tenantKey(env.tenant));
    const { rows } = env.listAll('case', { matches: ({ fields }) => fields['caseType'] === 'bankruptcy', limit: Number.MAX_SAFE_INTEGER });
    const now = new Map<string, Known>();
    for (const { id, parentId: personId, updatedStamp } of rows) {
      const known = before?.get(id);
      if (known?.updatedStamp === updatedStamp) now.set(id, known);
      else now.set(id, { personId, updatedStamp, words: wordsIn(env, id) });
    }
    this.#tenants.set(tenantKey(env.tenant), now);
    return now;
  }
}

const wordsIn = (env: QueryEnv, id: string): readonly string[] => wordsOf(ask(env, borrowerAsks.courtCaseNumber, id) ?? '');
