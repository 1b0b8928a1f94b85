import { must } from '../../../engine/index.js';
import type { ActorDefinition, CatalogRow } from '../../kernel/actor.js';
import type { Fact, Tenant } from '../../kernel/fact.js';
import { type DateTimeText, dateTimeText, orNull } from '../../wire.js';
import type { MemberStatus } from './requests.js';

/** One borrower with one loan that a supercase is about. It lies beside the borrower, and so beside the subcase. */
export interface MemberState extends MemberFields {
  readonly id: string;
  readonly tenant: Tenant;
  status: MemberStatus;
  subcaseId: string | null;
  failureReason: string | null;
  createdAt: number;
  updatedAt: number | null;
  createdStamp: number;
  updatedStamp: number;
  isRemoved: boolean;
}

interface MemberFields {
  readonly supercaseId: string;
  readonly populationId: string;
  readonly personId: string;
  readonly loanId: string;
}

export interface MemberFacts {
  readonly MemberAdded: MemberFields;
  readonly MemberRemoved: Readonly<Record<string, never>>;
  readonly MemberSubcaseOpened: { readonly subcaseId: string };
  readonly MemberFailed: { readonly reason: string };
}

/** Members of one population. */
export interface MemberFilter {
  readonly populationId: string;
}

const APPLY: { readonly [Type in keyof MemberFacts]: (state: MemberState, body: MemberFacts[Type], fact: Fact) => void } = {
  MemberAdded(state, fields, fact) {
    Object.assign(state, fields);
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
  },
  MemberRemoved(state) {
    state.isRemoved = true;
  },
  MemberSubcaseOpened(state, { subcaseId }) {
    state.status = 'created';
    state.subcaseId = subcaseId;
  },
  MemberFailed(state, { reason }) {
    state.status = 'failed';
    state.failureReason = reason;
  },
};

export const memberDefinition: ActorDefinition<MemberState> = {
  kind: 'supercaseMember',
  prefix: 'MB',
  initial: (id, tenant) => ({
    id,
    tenant,
    supercaseId: '',
    populationId: '',
    personId: '',
    loanId: '',
    status: 'pending',
    subcaseId: null,
    failureReason: null,
    createdAt: 0,
    updatedAt: null,
    createdStamp: 0,
    updatedStamp: 0,
    isRemoved: false,
  }),
  evolve(state, fact) {
    const apply = must(APPLY[fact.type as keyof MemberFacts], `a member knows no fact ${fact.type}`);
    (apply as (state: MemberState, body: unknown, fact: Fact) => void)(state, fact.body, fact);
    state.updatedStamp = fact.stamp;
    if (fact.type !== 'MemberAdded') state.updatedAt = fact.businessAt;
  },
  clone: (state) => ({ ...state }),
  row: memberRow,
  pack: (state) => state,
  unpack: (packed) => packed as MemberState,
  selects: (filter) => {
    const { populationId } = filter as MemberFilter;
    return ({ fields }) => fields['populationId'] === populationId;
  },
};

function memberRow({
  id,
  createdStamp,
  updatedStamp,
  personId,
  supercaseId,
  populationId,
  loanId,
  status,
  isRemoved,
}: MemberState): CatalogRow | null {
  if (isRemoved) return null;
  return {
    id,
    externalId: null,
    createdStamp,
    updatedStamp,
    parentId: personId,
    alsoUnder: [populationId],
    fields: { supercaseId, populationId, loanId, status },
  };
}

export interface MemberView {
  readonly id: string;
  readonly object: 'supercaseMember';
  readonly supercaseId: string;
  readonly populationId: string;
  readonly personId: string;
  readonly loanId: string;
  readonly status: MemberStatus;
  readonly subcaseId: string | null;
  readonly failureReason: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export const memberView = ({
  id,
  supercaseId,
  populationId,
  personId,
  loanId,
  status,
  subcaseId,
  failureReason,
  createdAt,
  updatedAt,
}: MemberState): MemberView => ({
  id,
  object: 'supercaseMember',
  supercaseId,
  populationId,
  personId,
  loanId,
  status,
  subcaseId,
  failureReason,
  createdAt: dateTimeText(createdAt),
  updatedAt: orNull(dateTimeText, updatedAt),
  deletedAt: null,
});
