import { isPermitted, Refusal } from '../../actors/index.js';
import type { Caller } from '../routing/call.js';
import type { FoundUser } from './accounts.js';
import { BORROWER_PERMISSIONS } from './borrower-limits.js';

type Reach = Pick<FoundUser, 'permissions' | 'investorIds' | 'userType'>;

/** Who sets the credentials of a user could act as that user: nobody does that for somebody who may do or see more. */
export function assertMayActAs(
  { permissions: own, investorIds: ownInvestors }: Caller,
  { permissions, investorIds, userType }: Reach,
): void {
  const beyond = permissions.find((name) => !isPermitted(own, name));
  if (beyond !== undefined)
    throw new Refusal('permissionDenied', `The user has a permission that you lack: ${beyond}.`, { extra: { permission: beyond } });
  if (ownInvestors === undefined) return;
  // A borrower sees all loans of its own, whoever they belong to.
  if (userType === 'borrower' || investorIds === undefined || !investorIds.every((id) => ownInvestors.includes(id)))
    throw new Refusal('permissionDenied', 'The user sees loans of investors that you do not see.');
}

/** The same for the users of borrowers: who makes one, or says how it signs in, could act as that borrower. */
export const assertMayActForBorrowers = (caller: Caller): void =>
  assertMayActAs(caller, { permissions: [...BORROWER_PERMISSIONS], userType: 'borrower' });
