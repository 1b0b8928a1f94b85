import { formatDay } from '../../engine/index.js';
import type { CatalogRow, NamedPart } from '../kernel/actor.js';
import { activationOf, readable, statusOf } from './context.js';
import { preparedParts } from './migration/past-tools.js';
import { owningInvestors } from './owners/index.js';
import { NO_PARTIES } from './parties.js';
import type { LoanRecord, LoanState } from './state.js';

type RowFields = Record<string, CatalogRow['fields'][string]>;

interface Named {
  readonly id: string;
  readonly externalId: string | null;
  readonly areExternalIdsFree?: true;
}

const NONE: readonly never[] = [];

/** By list of records: a list is never changed, only replaced, so its names stay valid. */
const namesKept = new WeakMap<readonly Named[], readonly NamedPart[]>();

function namesOf(kind: string, items: readonly Named[]): readonly NamedPart[] {
  if (items.length === 0) return NONE;
  const kept = namesKept.get(items);
  if (kept !== undefined) return kept;
  const names = items.flatMap(({ id, externalId, areExternalIdsFree }): readonly NamedPart[] =>
    externalId === null || areExternalIdsFree === true ? NONE : [[kind, externalId, id]],
  );
  namesKept.set(items, names);
  return names;
}

/** Parts of a loan that have external ids. */
function partsOf(state: LoanState): readonly (readonly NamedPart[])[] {
  const lists = [
    state.transactions.names,
    namesOf('loanFee', activationOf(state)?.fees ?? NONE),
    namesOf('promiseToPayPlan', state.promises),
    namesOf('advance', state.advances),
    namesOf('card', state.cards),
    namesOf('promoProgram', state.promoPrograms),
    namesOf('paymentPlan', state.modifications.plans),
    preparedParts(state.migration),
    namesOf('draw', state.draws),
    state.purchases.names,
    namesOf('purchaseDispute', state.disputes),
  ].filter(({ length }) => length > 0);
  return lists.length === 0 ? NONE : lists;
}

/** Each investor with the date from which it owns a share, for lists of users who may see only an investor's loans. */
function ownersOf(state: LoanState): readonly string[] {
  if (state.parties === NO_PARTIES && (state.record?.atOrigination.investors ?? NONE).length === 0) return NONE;
  return owningInvestors(state).flatMap(({ from, investorIds }) =>
    investorIds.map((id) => `${from === null ? EVER : formatDay(from)}${id}`),
  );
}

/** Ids of what was done with many loans at once and concerns parties of this one. */
function addParties(fields: RowFields, { parties }: LoanState): void {
  if (parties === NO_PARTIES) return;
  fields.ownerChanges = parties.ownerChanges.flatMap(({ ownerChangeId }) => ownerChangeId ?? NONE);
  fields.remittedTo = [...new Set(parties.remittances.map(({ investorId }) => investorId))];
  fields.agencies = [...new Set(parties.placements.map(({ agencyId }) => agencyId))];
}

/** The merchants that origination and advances name, by the ids that they were named with. */
function addMerchants(fields: RowFields, { record, advances }: LoanState): void {
  if (record?.atOrigination.merchantId == null && advances.length === 0) return;
  const named = [record?.atOrigination.merchantId, ...advances.map(({ details }) => readable(details)?.merchantId)];
  const merchants = named.flatMap((id) => id ?? NONE);
  if (merchants.length > 0) fields.merchants = [...new Set(merchants)];
}

/** What is awaited of processors of cards. */
function addCardWork(fields: RowFields, { transactions }: LoanState): void {
  const { awaitsCards, awaitsCardResults } = transactions.byCards();
  if (awaitsCards) fields.awaitsCards = awaitsCards;
  if (awaitsCardResults) fields.awaitsCardResults = awaitsCardResults;
}

/** The agencies to which the loan is or was reported: a final report is gathered after the reporting has stopped. */
const agenciesOf = ({ creditReporting: { statuses } }: LoanState): readonly string[] =>
  statuses.length === 0 ? NONE : [...new Set(statuses.map(({ creditAgencyId }) => creditAgencyId))];

/** A text before all dates. */
const EVER = '0000-00-00';

/** The loan's row in the list index: the fields by which lists filter and sort, as of its last recorded day. */
export function loanRow(state: LoanState): CatalogRow | null {
  const { record } = state;
  if (record === null) return null;
  return {
    id: state.id,
    externalId: record.areExternalIdsFree ? null : record.externalId,
    createdStamp: record.createdStamp,
    updatedStamp: state.lastUpdate.stamp,
    parentId: record.personId,
    alsoUnder: record.additionalPeople.length === 0 ? NONE : record.additionalPeople.map((person) => person.personId),
    parts: record.areExternalIdsFree ? NONE : partsOf(state),
    fields: rowFields(state, record),
  };
}

/** Each field of all loans is written once and in order: a row is made for every command, and spreads would cost more than the rest. */
function rowFields(state: LoanState, record: LoanRecord): RowFields {
  const { timestamps } = record;
  const summary = activationOf(state)?.summary;
  const fields: RowFields = {
    status: statusOf(state),
    loanTypeId: record.loanTypeId,
    managedByService: record.managedByService,
    labels: record.labels,
    creditAgencies: agenciesOf(state),
    owners: ownersOf(state),
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
  };
  addParties(fields, state);
  addMerchants(fields, state);
  addCardWork(fields, state);
  return fields;
}
