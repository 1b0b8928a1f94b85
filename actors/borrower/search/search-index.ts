import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { type Tenant, tenantKey } from '../../kernel/fact.js';
import { ask } from '../../kernel/policy.js';
import { wholeList } from '../../list-order.js';
import { openText } from '../contact-fields.js';
import { borrowerAsks } from '../questions.js';
import { type Affiliation, isReachable, type PersonState } from '../state.js';
import { personView } from '../views.js';
import { type DigitField, profileOf, type SearchProfile, type TermField } from './profile.js';
import { digitsOf, digitsScore, type PersonSearchQuery, search, termScore, termsOf } from './query.js';

/** Fields that match by their whole value only. */
type ExactField = 'borrowerType' | 'externalId' | 'dateOfBirth' | 'emailExact' | 'phoneExact' | 'employeeEmailExact';
export type SearchField = TermField | DigitField | ExactField;

/** A match: its score, and the matched terms by field. */
export interface Match {
  readonly score: number;
  readonly highlight: ReadonlyMap<SearchField, readonly string[]>;
}

/**
 * The terms of one tenant's borrowers: by field, each term with the numbers of the borrowers that have it. A borrower
 * that changes gets a new number, and the old number is no longer in use. The index holds personal data in clear and
 * therefore exists in memory only.
 */
export class SearchIndex {
  readonly #terms = new Map<SearchField, Map<string, Set<number>>>();
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
    for (const [field, terms] of profile.terms) for (const term of terms) this.#enter(field, term, number);
    for (const [field, numbers] of profile.digits) for (const digits of numbers) this.#enter(field, digits, number);
    for (const email of profile.emails) this.#enter('emailExact', email, number);
    for (const phone of [...(profile.digits.get('phone') ?? []), ...profile.archivedPhones]) this.#enter('phoneExact', phone, number);
    for (const email of profile.employeeEmails) this.#enter('employeeEmailExact', email, number);
    this.#enter('borrowerType', profile.borrowerType, number);
    if (profile.externalId !== null) this.#enter('externalId', profile.externalId, number);
    if (profile.dateOfBirth !== null) this.#enter('dateOfBirth', profile.dateOfBirth, number);
  }

  /** The borrower is no longer found. Its terms stay in memory until `scrub`. */
  drop(id: string): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#numbers.delete(id);
    this.#ids.delete(number);
  }

  /** Removes the terms of all numbers that are no longer in use: after an erasure nothing of the borrower may stay in memory. */
  scrub(): void {
    for (const terms of this.#terms.values()) {
      for (const [term, numbers] of terms) {
        for (const number of numbers) if (!this.#ids.has(number)) numbers.delete(number);
        if (numbers.size === 0) terms.delete(term);
      }
    }
  }

  /** The borrowers with a term like `wanted` in one of the fields. */
  find(fields: readonly SearchField[], wanted: string): Map<string, Match> {
    const found = new Map<string, Match>();
    for (const field of fields) {
      for (const [term, numbers] of this.#candidates(field, wanted)) {
        const score = scoreOf(field, wanted, term);
        if (score === 0) continue;
        for (const number of numbers) {
          const id = this.#ids.get(number);
          if (id !== undefined && score > (found.get(id)?.score ?? 0)) found.set(id, { score, highlight: new Map([[field, [term]]]) });
        }
      }
    }
    return found;
  }

  /** Exact fields need one look-up; the others are compared term by term. */
  #candidates(field: SearchField, wanted: string): Iterable<readonly [string, Set<number>]> {
    const terms = this.#terms.get(field);
    if (!terms) return [];
    if (!EXACT.has(field)) return terms;
    const numbers = terms.get(wanted);
    return numbers ? [[wanted, numbers]] : [];
  }

  #enter(field: SearchField, term: string, number: number): void {
    let terms = this.#terms.get(field);
    if (!terms) this.#terms.set(field, (terms = new Map()));
    const numbers = terms.get(term);
    if (numbers) numbers.add(number);
    else terms.set(term, new Set([number]));
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
  return DIGITS.has(field) ? digitsScore(wanted, known) : termScore(wanted, known);
}

/** Maximum number of results of one search. */
const MAX_RESULTS = 100;
const DEFAULT_RESULTS = 25;

interface TenantIndex {
  readonly index: SearchIndex;
  /** Borrowers that have changed since they were indexed. */
  readonly dirty: Set<string>;
}

/**
 * The search over borrowers. The first search of a tenant builds its index from the opened personal data; each later
 * search brings the index up to date.
 */
export class PersonSearch {
  readonly #tenants = new Map<string, TenantIndex>();
  readonly #courtCases = new CourtCases();

  /** Must be called on every change of a borrower. Does nothing for tenants without an index. */
  touch({ tenant, id, status }: PersonState): void {
    if (status === 'erased') this.#courtCases.forget(tenant);
    const known = this.#tenants.get(tenantKey(tenant));
    if (!known) return;
    known.dirty.add(id);
    if (status !== 'erased') return;
    known.index.drop(id);
    known.index.scrub();
  }

  readonly query: QuerySpec<PersonState, PersonSearchQuery> = {
    kind: 'person',
    type: 'person.search',
    on: 'tenant',
    read: ({ query, env }) => this.#answer(query, env),
  };

  /** The borrowers that have an e-mail address or telephone number among their contacts, on all shards of a cluster. */
  readonly senders: QuerySpec<PersonState, SenderQuery> = {
    kind: 'person',
    type: 'person.senders',
    on: 'tenant',
    read: ({ query, env }) => {
      const { email, phone } = query;
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
      // After the test data was deleted, the index has more borrowers than the list.
      if (known.index.size === rows.length) return known.index;
    }
    const fresh: TenantIndex = { index: new SearchIndex(), dirty: new Set() };
    for (const { id } of rows) refresh(fresh.index, env, id);
    this.#tenants.set(tenantKey(tenant), fresh);
    return fresh.index;
  }
}

/** The sender of an incoming message: an address in lower case, or a number in E.164. */
export interface SenderQuery {
  readonly email?: string;
  readonly phone?: string;
}

/** A contact that the sender may have used. */
export interface SenderItem {
  readonly personId: string;
  readonly contactId: string;
  readonly affiliation: Affiliation;
  /** Nobody writes by it any more, but a stop and a list of numbers concern it too: it can be taken into use again. */
  readonly isArchived: boolean;
}

/** Contacts with exactly this value, the archived ones last. */
const sendersIn = (state: PersonState, value: string, env: QueryEnv): readonly SenderItem[] =>
  state.contacts
    .filter(({ id, value: sealed }) => openText(env, state.id, 'contact.value', id, sealed) === value)
    .map(({ id: contactId, affiliation, status }) => ({ personId: state.id, contactId, affiliation, isArchived: status === 'archived' }))
    .sort((a, b) => Number(a.isArchived) - Number(b.isArchived));

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

/** The terms of a court's case number, in clear: in memory only. */
interface Known {
  readonly personId: string | null;
  readonly updatedStamp: number;
  readonly terms: readonly string[];
}

/**
 * Finds borrowers by the court's number of their bankruptcy. The list of cases has the time of each case's last change, so a
 * search reads only the cases that changed since the search before. Nothing is stored, and no case has to report a change.
 */
class CourtCases {
  readonly #tenants = new Map<string, ReadonlyMap<string, Known>>();

  /** After an erasure nothing of the borrower may stay. */
  forget(tenant: Tenant): void {
    this.#tenants.delete(tenantKey(tenant));
  }

  /** Borrowers with a case whose number has all terms of the text, as a whole or a prefix. Wrong letters are not tolerated here. */
  borrowersOf(text: string, env: QueryEnv): readonly string[] {
    const wanted = termsOf(text);
    const found = new Set<string>();
    for (const [id, { personId, terms }] of this.#upToDate(env)) {
      const isMeant = wanted.length > 0 && wanted.every((term) => terms.some((known) => known.startsWith(term)));
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
      else now.set(id, { personId, updatedStamp, terms: termsIn(env, id) });
    }
    this.#tenants.set(tenantKey(env.tenant), now);
    return now;
  }
}

const termsIn = (env: QueryEnv, id: string): readonly string[] => termsOf(ask(env, borrowerAsks.courtCaseNumber, id) ?? '');
