import { must } from '../../../engine/index.js';
import { caseTypeOf, companyOf } from '../../company/index.js';
import { Refusal, refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { loansNamed, openedBySystem } from '../cases/index.js';
import { populationOf, requireActive, requireDraft } from './context.js';
import { supercaseOf } from './named.js';
import type { SupercaseMemberRequest } from './requests.js';
import { type MemberFacts, type MemberState, memberView } from './member.js';
import { pairOf } from './member-pairs.js';

const fact = <Type extends keyof MemberFacts>(type: Type, body: MemberFacts[Type]): FactDraft => ({ type, body });

const onMember = (type: string, decide: (context: CommandContext<MemberState>) => Decision<MemberState>): CommandSpec<MemberState> => ({
  kind: 'supercaseMember',
  type,
  place: { on: 'target' },
  catchUpFirst: false,
  decide,
});

const done = (facts: readonly FactDraft[]): Decision<MemberState> => ({ facts, reply: () => ({ data: undefined }) });

/** One pair of `POST …/members`, beside its borrower. With `dryRun` it is checked and not kept. */
export const addMember: CommandSpec<MemberState> = {
  kind: 'supercaseMember',
  type: 'supercaseMember.create',
  place: { on: 'beside', kind: 'person' },
  catchUpFirst: false,
  decide({ besideId, body, command, env }): Decision<MemberState> {
    const personId = besideId ?? refuse('notFound', 'There is no such borrower.');
    const supercase = supercaseOf(env, command.params['supercaseId'] ?? '');
    requireActive(supercase);
    const population = populationOf(supercase, command.params['populationId']);
    requireDraft(population);
    const [loanId] = loansNamed(env, env.tenant, personId, [(body as SupercaseMemberRequest).loanId], () => 'loanId');
    const pair = { supercaseId: supercase.id, populationId: population.id, personId, loanId: must(loanId, 'the loan was found') };
    refuseTwice(env, pair);
    const isDryRun = (command.query as { readonly dryRun?: boolean } | undefined)?.dryRun === true;
    return { facts: [fact('MemberAdded', pair)], preview: isDryRun, reply: (after) => ({ data: memberView(after) }) };
  },
};

function refuseTwice(env: DecideEnv, pair: MemberFacts['MemberAdded']): void {
  const same = pairOf(env, pair);
  if (same) refuse('duplicate', `The supercase ${pair.supercaseId} has this borrower with this loan already: ${same.id}.`);
}

/** `DELETE …/members/{memberId}`. */
export const removeMember = onMember('supercaseMember.delete', ({ id, state, command, env }) => {
  const { supercaseId, populationId } = command.params;
  if (state.supercaseId !== supercaseOf(env, supercaseId ?? '').id || state.populationId !== populationId)
    refuse('notFound', `The population has no member ${id}.`);
  requireDraft(populationOf(supercaseOf(env, state.supercaseId), state.populationId));
  return done([fact('MemberRemoved', {})]);
});

/** Of the members of a draft that was deleted. */
export const dropMember = onMember('supercaseMember.drop', () => done([fact('MemberRemoved', {})]));

/** Of each member of a population that was committed: a subcase, one for all loans of a borrower. */
export const openSubcase = onMember('supercaseMember.openSubcase', ({ state, env }) => {
  if (state.status === 'created') return done([]);
  const known = subcaseOfBorrower(state, env);
  try {
    const { caseId, facts } = known === null ? opened(state, env) : associated(state, known);
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

const associated = ({ loanId }: MemberState, caseId: string): Subcase => ({
  caseId,
  facts: [{ type: 'CaseAssociated', body: { objectType: 'loan', objectIds: [loanId] }, target: { kind: 'case', id: caseId } }],
});

/** What another loan of the borrower has brought in the same population. */
function subcaseOfBorrower({ personId, populationId }: MemberState, env: DecideEnv): string | null {
  const { rows } = env.list('supercaseMember', {
    parentId: personId,
    matches: ({ parentId, fields }) => parentId === personId && fields['populationId'] === populationId,
    limit: Number.MAX_SAFE_INTEGER,
  });
  for (const { id } of rows) {
    const subcaseId = env.read<MemberState>('supercaseMember', id)?.subcaseId ?? null;
    if (subcaseId !== null) return subcaseId;
  }
  return null;
}
