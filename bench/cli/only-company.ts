import type { House } from '../house.js';
import { UsageError } from './usage-error.js';

/** The company that is meant: the one that was named, or the only one. */
export function onlyCompany({ engine }: House, wanted: string | undefined): string {
  const companies = [...new Set(engine.tenants().map(({ company }) => company))];
  if (wanted !== undefined) {
    if (companies.includes(wanted)) return wanted;
    throw new UsageError(`There is no company ${wanted}; there are ${companies.join(', ')}.`);
  }
  const [only] = companies;
  if (only !== undefined && companies.length === 1) return only;
  throw new UsageError(companies.length === 0 ? 'There is no company yet.' : `Say which company with --company: ${companies.join(', ')}.`);
}
