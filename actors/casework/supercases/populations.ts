import type { Decision } from '../../kernel/actor.js';
import type { MassOrder } from '../../kernel/jobs/mass-facts.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import { refuse, refuseProperty } from '../../errors.js';
import { type Context, fact, onSupercase, populationOf, requireActive, requireDraft } from './context.js';
import { gatheredOn } from './disasters/gathering.js';
import type { MemberFilter } from './member.js';
import type { CreatePopulationRequest, UpdatePopulationRequest } from './requests.js';
import type { SupercaseState } from './state.js';
import { populationView } from './views.js';

/** `POST /supercases/{id}/populations`. */
export const createPopulation = onSupercase('supercasePopulation.create', (context) => {
  requireActive(context.state);
  const { name = null } = context.body as CreatePopulationRequest;
  const id = context.env.newId('SP');
  return shown(id, 0, [fact('PopulationDrafted', { id, name })]);
});

/** `PUT …/populations/{populationId}`: another name, or the commit. */
export const updatePopulation = onSupercase('supercasePopulation.update', (context) => {
  const { state, command } = context;
  requireActive(state);
  const population = populationOf(state, command.params['populationId']);
  const { name = population.name, isDraft = population.isDraft } = context.body as UpdatePopulationRequest;
  if (isDraft && !population.isDraft)
    refuseProperty('isDraft', 'false: a committed population stays committed', 'A committed population is no draft again.');
  const renamed = name === population.name ? [] : [fact('PopulationRenamed', { id: population.id, name })];
  const memberCount = countMembers(context.env, population.id);
  if (isDraft === population.isDraft) return shown(population.id, memberCount, renamed);
  return shown(population.id, memberCount, [
    ...renamed,
    ...committed(context, population.id, memberCount),
    ...gatheredOn(state, population, context.env),
  ]);
});

/** `DELETE …/populations/{populationId}`: its members go with it. */
export const deletePopulation = onSupercase('supercasePopulation.delete', ({ state, command, env }) => {
  const population = populationOf(state, command.params['populationId']);
  requireDraft(population);
  const order = orderOf('supercase.dropPopulation', population.id, 'supercaseMember.drop');
  return {
    facts: [fact('PopulationDropped', { id: population.id }), { type: 'MassOrdered', body: order }, ...gatheredOn(state, population, env)],
    reply: () => ({ data: undefined }),
  };
});

/** Membership is locked, and each member gets its subcase: mass work, which can be watched. */
function committed({ state, command }: Context, id: string, memberCount: number): Decision<SupercaseState>['facts'] {
  if (state.subcaseTypeId === null) refuse('invalidState', `The supercase ${state.id} has no subcaseTypeId: say which cases it makes.`);
  if (memberCount === 0) refuse('invalidState', `The population ${id} has no members.`);
  const order = orderOf('supercase.commit', id, 'supercaseMember.openSubcase');
  return [fact('PopulationCommitted', { id, operationId: operationIdOf(command.commandId) }), { type: 'MassOrdered', body: order }];
}

const orderOf = (kind: string, populationId: string, command: string): MassOrder => ({
  kind,
  resultObjectId: populationId,
  isDryRun: false,
  isHeld: false,
  supposing: [],
  task: { type: 'command', command, selection: { kind: 'supercaseMember', filter: { populationId } satisfies MemberFilter }, body: {} },
});

export const countMembers = (env: Pick<Context['env'], 'count'>, populationId: string): number =>
  env.count({ kind: 'supercaseMember', filter: { populationId } satisfies MemberFilter });

const shown = (id: string, memberCount: number, facts: Decision<SupercaseState>['facts']): Decision<SupercaseState> => ({
  facts,
  reply: (after) => ({ data: populationView(after, populationOf(after, id), memberCount) }),
});
