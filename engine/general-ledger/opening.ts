import type { Day } from '../calendar/index.js';
import type { Believed, Cause } from './believed.js';
import type { Role } from './chart.js';
import { balancedBy, type Posted } from './lines.js';

/** Balances that a loan brings with it. */
const CARRIED: ReadonlySet<Role> = new Set<Role>([
  'principalReceivable',
  'interestReceivable',
  'feesReceivable',
  'deferredFees',
  'borrowerCredit',
]);

/** A claim that has left the general ledger where the loan was before. */
const CLAIMED: ReadonlySet<Role> = new Set<Role>(['memoChargedOff']);

/** The parts of other owners. */
const SERVICED: ReadonlySet<Role> = new Set<Role>(['memoServicedPrincipal', 'memoServicedInterest', 'memoServicedFees']);

/**
 * A loan of another system: its history until the day of its migration is one opening of its balances, against an account of its own.
 * A correction of that history corrects the opening.
 */
export function asOpening(believed: readonly Believed[], day: Day, cause: Cause): readonly Believed[] {
  const earlier = believed.filter(({ effectiveDate }) => effectiveDate < day);
  const carried = (roles: ReadonlySet<Role>): readonly Posted[] =>
    earlier.flatMap(({ lines }) => lines.filter(({ role }) => roles.has(role)));
  const opening = (rule: string, lines: Believed['lines']): readonly Believed[] =>
    lines.length === 0 ? [] : [{ ...cause, rule, effectiveDate: day, isDaily: false, lines }];
  return [
    ...opening('migrated', balancedBy(carried(CARRIED), { role: 'migrationOpening' })),
    ...opening('migratedServiced', balancedBy(carried(SERVICED), { role: 'memoContra' })),
    ...opening('migratedClaim', balancedBy(carried(CLAIMED), { role: 'memoContra' })),
    ...believed.filter(({ effectiveDate }) => effectiveDate >= day),
  ];
}
