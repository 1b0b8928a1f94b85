import type { CatalogRow } from '../actor.js';
import type { Catalog } from '../lists/catalog.js';
import type { Tenant } from '../fact.js';

/** Actors that others than borrowers and loans hang on, nearest first: a task on a case, a note on an interaction. */
const BETWEEN = ['case', 'interaction'] as const;

/**
 * What is seen by somebody who sees the loans of some investors alone. A loan is hidden when none of them owns it now, a
 * borrower when all of its loans are hidden and there is one; what hangs on a borrower (cases, interactions, tasks) may tell of each of
 * its loans, so that it is hidden as soon as one of them is.
 */
export class Sight {
  readonly #investors: ReadonlySet<string>;

  /** `today`: a date as text. */
  constructor(
    private readonly catalog: Pick<Catalog, 'get' | 'list'>,
    private readonly tenant: Tenant,
    investorIds: readonly string[],
    private readonly today: string,
  ) {
    this.#investors = new Set(investorIds);
  }

  sees(kind: string, row: CatalogRow): boolean {
    if (kind === 'loan') return this.#owns(row);
    if (kind === 'person') {
      const loans = this.#loansOf(row.id);
      return loans.length === 0 || loans.some((loan) => this.#owns(loan));
    }
    return [row.parentId, ...(row.alsoUnder ?? [])].every((id) => id === null || this.#tellsNothingHidden(id));
  }

  /** What is neither a borrower nor a loan nor below one (an employee, a team) tells of none. */
  #tellsNothingHidden(id: string): boolean {
    if (this.catalog.get(this.tenant, 'person', id)) return this.#loansOf(id).every((loan) => this.#owns(loan));
    const loan = this.catalog.get(this.tenant, 'loan', id);
    if (loan) return this.#owns(loan);
    for (const kind of BETWEEN) {
      const row = this.catalog.get(this.tenant, kind, id);
      if (row) return this.sees(kind, row);
    }
    return true;
  }

  #loansOf(personId: string): readonly CatalogRow[] {
    return this.catalog.list(this.tenant, 'loan', { parentId: personId, limit: Number.MAX_SAFE_INTEGER }).rows;
  }

  /** Owners are those of the newest date that has come, before the first of all those of the first. */
  #owns({ fields }: CatalogRow): boolean {
    const owners = ((fields['owners'] ?? []) as readonly string[]).map(
      (owner) => [owner.slice(0, DATE_LENGTH), owner.slice(DATE_LENGTH)] as const,
    );
    const dates = owners.map(([date]) => date).sort();
    const current = dates.filter((date) => date <= this.today).pop() ?? dates[0];
    return owners.some(([date, investorId]) => date === current && this.#investors.has(investorId));
  }
}

const DATE_LENGTH = 10;
