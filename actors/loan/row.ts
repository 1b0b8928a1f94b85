import { formatDay } from '../../engine/index.js';
import type { CatalogRow } from '../runtime/actor.js';
import { activationOf, recordOf, statusOf } from './context.js';
import { preparedParts } from './migration/parts.js';
import type { InvestorShare } from './origination/terms.js';
import type { LoanState } from './state.js';

type Part = readonly [string, string, string];

function addParts(found: Part[], kind: string, parts: readonly { readonly id: string; readonly externalId: string | null }[]): void {
  for (const { id, externalId } of parts) if (externalId !== null) found.push([kind, externalId, id]);
}

const NONE: readonly never[] = [];

/** What of a loan is found by an external id of its own. */
function gatherParts(parts: Part[], state: LoanState): void {
  for (const [externalId, id] of state.transactions.idsByExternalId) parts.push(['transaction', externalId, id]);
  addParts(parts, 'loanFee', activationOf(state)?.fees ?? NONE);
  addParts(parts, 'promiseToPayPlan', state.promises);
  addParts(parts, 'advance', state.advances);
  addParts(parts, 'promoProgram', state.promoPrograms);
  addParts(parts, 'paymentPlan', state.modifications.plans);
  for (const part of preparedParts(state.migration)) parts.push(part);
  addParts(parts, 'draw', state.draws);
  addParts(parts, 'purchase', state.purchases);
  addParts(parts, 'purchaseDispute', state.disputes);
}

/** Each with the date from which it owns a share, as lists of those who see its loans alone ask. */
function ownersOf(shares: readonly InvestorShare[] | null): readonly string[] {
  const owning = shares?.filter(({ share }) => share > 0) ?? NONE;
  return owning.length === 0
    ? NONE
    : owning.map(({ effectiveDate, investorId }) => `${effectiveDate === null ? EVER : formatDay(effectiveDate)}${investorId}`);
}

/** Before all dates. */
const EVER = '0000-00-00';

/** The loan's line in the list index: what lists filter and order by, as of its last recorded day. */
export function loanRow(state: LoanState): CatalogRow | null {
  const { record } = state;
  if (record === null) return null;
  const { timestamps } = recordOf(state);
  const summary = activationOf(state)?.summary;
  const parts: Part[] = [];
  if (!record.areExternalIdsFree) gatherParts(parts, state);
  return {
    id: state.id,
    externalId: record.externalId,
    createdStamp: record.createdStamp,
    updatedStamp: state.lastUpdate.stamp,
    parentId: record.personId,
    alsoUnder: record.additionalPeople.length === 0 ? NONE : record.additionalPeople.map((person) => person.personId),
    parts,
    fields: {
      status: statusOf(state),
      loanTypeId: record.loanTypeId,
      managedByService: record.managedByService,
      labels: record.labels,
      owners: ownersOf(record.atOrigination.investors),
      dueDate: summary?.nextDueDay == null ? null : formatDay(summary.nextDueDay),
      outstandingCents: summary?.outstandingCents ?? 0,
      createdAt: timestamps.createdAt,
      updatedAt: state.lastUpdate.at,
      originatedAt: timestamps.originatedAt,
      activatedAt: timestamps.activatedAt,
      lastTransactionStamp: state.transactions.newestCreatedStamp,
      lastPromiseStamp: state.promises[state.promises.length - 1]?.createdStamp ?? 0,
      promiseCount: state.promises.length,
      transactionStatuses: state.transactions.statuses(),
      transactionCounts: state.transactions.statusCounts(),
    },
  };
}
