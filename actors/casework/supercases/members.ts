import { applyRow } from '../../kernel/fact-table.js';
import { must, fieldOf } from '../../../engine/index.js';
import { personOf } from '../../borrower/index.js';
import { caseTypeOf, companyOf } from '../../company/index.js';
import { Refusal, refuse } from '../../errors.js';
import {
  ALL_ROWS,
  type ActorDefinition,
  type CatalogRow,
  type CommandContext,
  type CommandSpec,
  type DecideEnv,
  type Decision,
} from '../../kernel/actor.js';
import type { Fact, FactDraft, Tenant } from '../../kernel/fact.js';
import { dateTimeText, type DateTimeText, orNull } from '../../wire.js';
import { associating, type CaseState, loansNamed, openedBySystem } from '../cases/index.js';
import type { MemberStatus, SupercaseMemberRequest } from './requests.js';
import { populationOf, requireActive, requireDraft } from './state.js';
import { supercaseOf } from './views.js';

/** One borrower with one loan, as a member of a supercase. It is on the shard of the borrower, and so of the subcase. */
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
    applyRow(APPLY, state, fact);
    state.updatedStamp = fact.stamp;
    if (fact.type !== 'MemberAdded') state.updatedAt = fact.businessAt;
  },
  clone: (state) => ({ ...state }),
  row: memberRow,
  pack: (state) => state,
  unpack: (packed: MemberState) => packed,
  selects: ({ populationId }: MemberFilter) => {
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

/** The member with this borrower and loan, in any population of the supercase. */
export const pairOf = (
  env: DecideEnv,
  { supercaseId, personId, loanId }: Omit<MemberFacts['MemberAdded'], 'populationId'>,
): CatalogRow | undefined =>
  env.list('supercaseMember', {
    parentId: personId,
    matches: ({ parentId, fields }) => parentId === personId && fields['supercaseId'] === supercaseId && fields['loanId'] === loanId,
    limit: 1,
  }).rows[0];

const fact = <Type extends keyof MemberFacts>(type: Type, body: MemberFacts[Type]): FactDraft => ({ type, body });

const onMember = <Body>(
  type: string,
  decide: (context: CommandContext<MemberState, Body>) => Decision<MemberState>,
): CommandSpec<MemberState, Body> => ({
  kind: 'supercaseMember',
  type,
  place: { on: 'target' },
  catchesUp: false,
  decide,
});

const done = (facts: readonly FactDraft[]): Decision<MemberState> => ({ facts, reply: () => ({ data: undefined }) });

/** Adds one pair of `POST …/members`, on the borrower's shard. With `dryRun` it is only checked. */
export const addMember: CommandSpec<MemberState, SupercaseMemberRequest> = {
  kind: 'supercaseMember',
  type: 'supercaseMember.create',
  place: { on: 'beside', kind: 'person' },
  catchesUp: false,
  decide({ besideId, body, command, env }): Decision<MemberState> {
    const personId = besideId ?? refuse('notFound', 'There is no such borrower.');
    const supercase = supercaseOf(env, command.params['supercaseId'] ?? '');
    requireActive(supercase);
    const population = populationOf(supercase, command.params['populationId']);
    requireDraft(population);
    const [loanId] = loansNamed(env, personId, [body.loanId], () => 'loanId');
    const pair = { supercaseId: supercase.id, populationId: population.id, personId, loanId: must(loanId, 'the loan was found') };
    refuseTwice(env, pair);
    const isDryRun = fieldOf(command.query, 'dryRun') === true;
    return { facts: [fact('MemberAdded', pair)], preview: isDryRun, reply: (after) => ({ data: memberView(after) }) };
  },
};

function refuseTwice(env: DecideEnv, pair: MemberFacts['MemberAdded']): void {
  const same = pairOf(env, pair);
  if (same) refuse('duplicate', `The supercase ${pair.supercaseId} already has this borrower and loan as the member ${same.id}.`);
}

/** `DELETE …/members/{memberId}`. */
export const removeMember = onMember('supercaseMember.delete', ({ id, state, command, env }) => {
  const { supercaseId, populationId } = command.params;
  if (state.supercaseId !== supercaseOf(env, supercaseId ?? '').id || state.populationId !== populationId)
    refuse('notFound', `The population has no member ${id}.`);
  requireDraft(populationOf(supercaseOf(env, state.supercaseId), state.populationId));
  return done([fact('MemberRemoved', {})]);
});

/** Removes a member of a deleted draft. */
export const dropMember = onMember('supercaseMember.drop', () => done([fact('MemberRemoved', {})]));

/** Opens the subcase of a member after its population was committed: one subcase for all loans of a borrower. */
export const openSubcase = onMember('supercaseMember.openSubcase', ({ state, env }) => {
  if (state.status === 'created') return done([]);
  const known = subcaseOfBorrower(state, env);
  try {
    personOf(env, state.personId);
    const { caseId, facts } = known === null ? opened(state, env) : associated(state, known, env);
    return done([...facts, fact('MemberSubcaseOpened', { subcaseId: caseId })]);
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return done([fact('MemberFailed', { reason: cause.message })]);
  }
});

interface Subcase {
  readonly caseId: string;
  readonly facts: readonly FactDraft[];
}

function opened({ personId, loanId, supercaseId, populationId }: MemberState, env: DecideEnv): Subcase {
  const { subcaseTypeId, subcaseName, femaDisasterNumber } = supercaseOf(env, supercaseId);
  const caseTypeId = must(subcaseTypeId ?? undefined, 'a committed supercase has a type for its subcases');
  const isOfEmergency = caseTypeOf(companyOf(env, env.tenant), caseTypeId)?.version.fields.caseType === 'federalEmergency';
  const ofDisaster = isOfEmergency && femaDisasterNumber !== null ? { femaDisasterNumber: String(femaDisasterNumber) } : {};
  const request = { caseTypeId, name: subcaseName };
  const from = { supercaseId, supercasePopulationId: populationId, loanIds: [loanId] };
  return openedBySystem(env, personId, { ...request, ...ofDisaster }, from);
}

function associated({ loanId }: MemberState, subcase: CaseState, env: DecideEnv): Subcase {
  return { caseId: subcase.id, facts: associating(env, subcase, [loanId], 'loanId') };
}

/** The subcase that was opened for another loan of the borrower in the same population. */
function subcaseOfBorrower({ personId, populationId }: MemberState, env: DecideEnv): CaseState | null {
  const { rows } = env.list('supercaseMember', {
    parentId: personId,
    matches: ({ parentId, fields }) => parentId === personId && fields['populationId'] === populationId,
    limit: ALL_ROWS,
  });
  for (const { id } of rows) {
    const subcaseId = env.read<MemberState>('supercaseMember', id)?.subcaseId ?? null;
    if (subcaseId !== null) return must(env.read<CaseState>('case', subcaseId), 'the subcase of a member is beside it');
  }
  return null;
}
