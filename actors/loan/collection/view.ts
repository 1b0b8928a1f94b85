import type { Address } from '../../address.js';
import { collectionAgencyOf, companyOf } from '../../company/index.js';
import type { EvolveEnv, QuerySpec } from '../../kernel/actor.js';
import { isPermitted } from '../../permission.js';
import {
  amount,
  type Amount,
  type DateText,
  dateText,
  type DateTimeText,
  dateTimeText,
  dayOfText,
  millisecondsOf,
  orNull,
  rateValue,
  type RateValue,
} from '../../wire.js';
import { recordOf, requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import { type AssignmentType, collectedBy, livePlacement, type Placement, placementOn, type PlacementStatus } from './placements.js';

export interface CollectionAgencyQuery {
  /** Where the loan was placed on this day; default today. */
  readonly toEffectiveDate?: DateText;
  /** As it was known at that moment: the second time axis. */
  readonly recordedAsOf?: DateTimeText;
}

/** The present assignment of a loan to a collection agency. */
export interface CollectionAgencyAssignmentView {
  readonly object: 'collectionAgencyAssignment';
  readonly loanId: string;
  readonly agencyId: string | null;
  readonly agencyExternalId: string | null;
  readonly assignedOnDate: DateText | null;
  readonly status: 'unassigned' | PlacementStatus;
  readonly assignmentType: AssignmentType | null;
  readonly metro2: { readonly reportK2Segment: boolean };
  readonly caseId: string | null;
  /** The agency that the borrower deals with. */
  readonly agency: AssignedAgencyView | null;
  /** All placements, the present one included, oldest first. Without the permission to read collection agencies: null. */
  readonly history: readonly PlacementView[] | null;
}

interface AssignedAgencyView {
  readonly legalName: string;
  readonly contactPhone: string;
  readonly contactEmail: string | null;
  readonly mailingAddress: Address | null;
}

interface PlacementView {
  readonly agencyId: string;
  readonly status: PlacementStatus;
  readonly assignmentType: AssignmentType;
  readonly assignedOnDate: DateText;
  /** The first day on which the agency does not have the loan any more. */
  readonly endedOnDate: DateText | null;
  readonly commissionRate: RateValue | null;
  /** External payments that are effective while the agency has the loan. */
  readonly collectedAmount: Amount;
  readonly commissionAmount: Amount;
  readonly metro2: { readonly reportK2Segment: boolean };
  readonly caseId: string | null;
  readonly recordedAt: DateTimeText;
  readonly endedAt: DateTimeText | null;
}

/** The permission with which commissions are shown. Borrowers do not have it. */
const OF_AGENCIES = 'collection.agency:read';

export function placementView(
  state: LoanState,
  env: EvolveEnv,
  permissions: ReadonlySet<string>,
  placement = livePlacement(state),
): CollectionAgencyAssignmentView {
  const agency = placement === null ? undefined : collectionAgencyOf(companyOf(env, state.tenant), placement.agencyId)?.stored;
  return {
    object: 'collectionAgencyAssignment',
    loanId: state.id,
    agencyId: placement?.agencyId ?? null,
    agencyExternalId: agency?.externalId ?? null,
    assignedOnDate: orNull(dateText, placement?.assignedOn),
    status: placement?.status ?? 'unassigned',
    assignmentType: placement?.assignmentType ?? null,
    metro2: { reportK2Segment: placement?.isK2SegmentReported ?? false },
    caseId: placement?.caseId ?? null,
    agency:
      agency === undefined
        ? null
        : {
            legalName: agency.legalName,
            contactPhone: agency.contactPhone,
            contactEmail: agency.contactEmail,
            mailingAddress: agency.mailingAddress,
          },
    history: isPermitted(permissions, OF_AGENCIES) ? state.parties.placements.map((known) => historyView(state, known)) : null,
  };
}

function historyView(state: LoanState, placement: Placement): PlacementView {
  const { collectedCents, commissionCents } = collectedBy(state, placement);
  return {
    agencyId: placement.agencyId,
    status: placement.status,
    assignmentType: placement.assignmentType,
    assignedOnDate: dateText(placement.assignedOn),
    endedOnDate: orNull(dateText, placement.endedOn),
    commissionRate: orNull(rateValue, placement.commissionRate),
    collectedAmount: amount(collectedCents),
    commissionAmount: amount(commissionCents),
    metro2: { reportK2Segment: placement.isK2SegmentReported },
    caseId: placement.caseId,
    recordedAt: dateTimeText(placement.recordedAt),
    endedAt: orNull(dateTimeText, placement.endedAt),
  };
}

const getAssignment: QuerySpec<LoanState, CollectionAgencyQuery> = {
  kind: 'loan',
  type: 'loanAgency.get',
  on: 'target',
  read({ state, env, request, query: { toEffectiveDate, recordedAsOf } }) {
    requirePerson(state, request.params['personId'], env);
    const day = toEffectiveDate === undefined ? env.today(recordOf(state).zone) : dayOfText(toEffectiveDate);
    const placement = placementOn(state, day, recordedAsOf === undefined ? null : millisecondsOf(recordedAsOf));
    return placementView(state, env, request.permissions, placement);
  },
};

export const collectionQueries: readonly QuerySpec<LoanState>[] = [getAssignment];
