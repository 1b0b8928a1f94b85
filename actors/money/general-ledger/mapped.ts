import { amountText } from '../../../engine/index.js';
import { accountFor, type CompanyState, type LedgerAccount, type LedgerMapping, mappingOn } from '../../company/index.js';
import type { Fault } from '../../errors.js';
import type { BatchState } from './batch.js';
import { type Dimensions, dimensionsText, type Role, type RoleTotal } from './entries.js';

/** A role in use that the mapping of the day gives no account. */
export interface Unmapped {
  readonly role: Role;
  readonly dimensions: Dimensions;
  readonly debitCents: number;
  readonly creditCents: number;
}

type Mapped = Pick<BatchState, 'day' | 'totals'>;

const mappingOfBatch = (company: CompanyState, { day }: Pick<BatchState, 'day'>): LedgerMapping => mappingOn(company, day);

export function unmappedIn(company: CompanyState, batch: Mapped): readonly Unmapped[] {
  const mapping = mappingOfBatch(company, batch);
  return batch.totals.filter((total) => accountFor(company, mapping, total) === undefined);
}

const named = ({ role, dimensions }: Unmapped): string => [role, dimensionsText(dimensions)].filter((text) => text !== '').join(' ');

/** What is said of a role without an account: its dimensions, and what it has booked. */
export const unmappedFault = (unmapped: Unmapped): Fault => ({
  path: named(unmapped),
  expected: 'an account in the mapping of the day',
  message: `has no account for debits of ${amountText(unmapped.debitCents)} and credits of ${amountText(unmapped.creditCents)}`,
});

export type AccountOf = (total: Pick<RoleTotal, 'role' | 'dimensions'>) => LedgerAccount | undefined;

export function accountsOfBatch(company: CompanyState, batch: Pick<BatchState, 'day'>): AccountOf {
  const mapping = mappingOfBatch(company, batch);
  return (total) => accountFor(company, mapping, total);
}
