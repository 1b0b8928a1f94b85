import { type Day, type OwnershipSpan, ownershipSpans } from '../../../engine/index.js';
import { textsIn } from '../../kernel/lists/row-fields.js';
import type { CatalogRow, EvolveEnv } from '../../kernel/actor.js';
import { recordOf } from '../context.js';
import { ownerId } from '../derived-ids.js';
import type { InvestorShare } from '../origination/terms.js';
import type { LoanState } from '../state.js';
import type { LoanOwner } from './facts.js';

export type LoanOwnership = OwnershipSpan<LoanOwner>;

/** Who owns the loan when, as known at a moment (milliseconds of the company's clock; null: now). None: the lender owns it alone. */
export function ownershipOf(state: LoanState, env: EvolveEnv, knownAt: number | null = null): readonly LoanOwnership[] {
  const changes = state.parties.ownerChanges.filter(({ recordedAt }) => knownAt === null || recordedAt <= knownAt);
  return ownershipSpans([...firstOwnersOf(state, env), ...changes]);
}

/** The owners that the loan was made with. A loan that was made without any is the lender's alone until its owners change. */
export function firstOwnersOf(state: LoanState, env: EvolveEnv): readonly OriginalOwners[] {
  const owners = originalOwners(recordOf(state).atOrigination.investors ?? [], (at) => ownerId(env, state, at));
  return owners.length === 0 && state.parties.ownerChanges.length > 0 ? [{ effectiveDay: null, owners: [] }] : owners;
}

interface OriginalOwners {
  readonly effectiveDay: Day | null;
  readonly owners: LoanOwner[];
}

/** The owners that the loan was made with, by the day from which they own it. */
function originalOwners(investors: readonly InvestorShare[], idOf: (at: number) => string): readonly OriginalOwners[] {
  const groups = new Map<Day | null, LoanOwner[]>();
  investors.forEach(({ investorId, share, effectiveDate, isK2SegmentReported }, at) => {
    const owner = { id: idOf(at), investorId, share, isK2SegmentReported };
    groups.set(effectiveDate, [...(groups.get(effectiveDate) ?? []), owner]);
  });
  return [...groups]
    .map(([effectiveDay, owners]) => ({ effectiveDay, owners }))
    .sort((a, b) => (a.effectiveDay ?? -Infinity) - (b.effectiveDay ?? -Infinity));
}

/** When somebody owns a share of the loan: each investor with the first day, for lists of users who may see only an investor's loans. */
export const owningInvestors = ({
  record,
  parties,
}: LoanState): readonly { readonly from: Day | null; readonly investorIds: readonly string[] }[] =>
  ownershipSpans([...originalOwners(record?.atOrigination.investors ?? [], () => ''), ...parties.ownerChanges]).map(({ from, owners }) => ({
    from,
    investorIds: owners.filter(({ share }) => share > 0).map(({ investorId }) => investorId),
  }));

/** The ids in a field of a loan's row; none where it has no such field. */
export const idsIn = (fields: CatalogRow['fields'], name: string): readonly string[] => textsIn(fields[name]);

/** Whether an investor was an owner on some day, or was paid of the loan. */
export const wasOwnedBy = ({ fields }: Pick<CatalogRow, 'fields'>, investorId: string): boolean =>
  idsIn(fields, 'owners').some((owner) => owner.slice(DATE_LENGTH) === investorId) || idsIn(fields, 'remittedTo').includes(investorId);

const DATE_LENGTH = 10;
