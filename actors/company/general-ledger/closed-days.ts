import { addDays, type Day } from '../../../engine/index.js';
import { zoneOf } from '../directory.js';
import type { CompanyState } from '../state.js';

interface Calendar {
  today(zone: string): Day;
}

/** The zones by whose days the loans of a company live. */
function zonesOf(company: CompanyState): ReadonlySet<string> {
  const zones = new Set([zoneOf(company)]);
  for (const loanType of company.loanTypes.values()) zones.add(zoneOf(company, loanType));
  return zones;
}

/** The last day that is over in every zone of the company: its books of that day are closed. */
export function closedThrough(company: CompanyState, env: Calendar): Day {
  let last: Day | null = null;
  for (const zone of zonesOf(company)) {
    const closed = addDays(env.today(zone), -1);
    if (last === null || closed < last) last = closed;
  }
  return last ?? addDays(env.today(zoneOf(company)), -1);
}

/** The first day that the books still take entries for. */
export const firstOpenDay = (company: CompanyState, env: Calendar): Day => addDays(closedThrough(company, env), 1);
