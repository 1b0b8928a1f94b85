import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { type Tenant, tenantKey } from '../../kernel/fact.js';
import { wholeList } from '../../page.js';
import { openText } from '../fields.js';
import { type Affiliation, isReachable, type PersonState } from '../state.js';
import { personView } from '../views.js';
import { CourtCases } from './court-cases.js';
import { profileOf } from './profile.js';
import { type PersonSearchQuery, search } from './query.js';
import { SearchIndex } from './search-index.js';
import { digitsOf } from './words.js';

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
