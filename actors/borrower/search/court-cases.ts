import { ask } from '../../kernel/question.js';
import { borrowerAsks } from '../questions.js';
import { type Tenant, tenantKey } from '../../kernel/fact.js';
import type { QueryEnv } from '../../kernel/actor.js';
import { wordsOf } from './words.js';

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
export class CourtCases {
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
