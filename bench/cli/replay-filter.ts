import type { ReplayManyRequest } from '../../actors/index.js';
import { UsageError } from './usage-error.js';

type Value = string | boolean | readonly string[];

const text = (value: string): Value => value;
const list = (value: string): Value => value.split(',');

/** Filters by the names of `GET /loans`. */
const FILTERS: {
  readonly [Name in Exclude<keyof ReplayManyRequest, 'loanIds' | 'all' | 'fromDate' | 'reason' | 'dryRun' | 'hold'>]: (
    value: string,
  ) => Value;
} = {
  statuses: list,
  labels: list,
  managedByService: (value) => value === 'true',
  loanTypeId: text,
  dueDate: text,
  createdAtAfter: text,
  createdAtBefore: text,
  updatedAtAfter: text,
  updatedAtBefore: text,
  originatedAtAfter: text,
  originatedAtBefore: text,
  activatedAtAfter: text,
  activatedAtBefore: text,
};

/** `statuses=active,frozen&dueDate=2026-01-01`, as in the address of a list. */
export function filterOf(query: string): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => {
      const read = (FILTERS as Readonly<Record<string, ((value: string) => Value) | undefined>>)[name];
      if (!read) throw new UsageError(`There is no filter ${name}; there are ${Object.keys(FILTERS).join(', ')}.`);
      return [name, read(value)];
    }),
  );
}
