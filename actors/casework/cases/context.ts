import { isReachable, type PersonState } from '../../borrower/index.js';
import { type CompanyState, employeeOf, teamOf } from '../../company/index.js';
import { resolveId } from '../../kernel/ids.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision, DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { CaseFacts } from './facts.js';
import { type CaseMove, isClosed, mayMove } from './machine.js';
import type { CaseState } from './state.js';
import { caseView } from './view.js';

/** Shared by all commands and queries of a case. */

export type Context<Body = unknown> = CommandContext<CaseState, Body>;

/** A fact of a case; the type determines its body. */
export const fact = <Type extends keyof CaseFacts>(type: Type, body: CaseFacts[Type]): FactDraft => ({ type, body });

/** A command on a case that allows the move; `move` null: `decide` checks the status itself. */
export function onCase<Body>(
  type: string,
  move: CaseMove | null,
  decide: (context: Context<Body>) => Decision<CaseState>,
): CommandSpec<CaseState, Body> {
  return {
    kind: 'case',
    type,
    place: { on: 'target' },
    decide(context) {
      requirePerson(context.state, context.command.params['personId'], context.env);
      if (move !== null) requireMove(context.state, move);
      return decide(context);
    },
  };
}

export function requireMove(state: CaseState, move: CaseMove): void {
  if (mayMove(state.status, move)) return;
  if (isClosed(state.status)) refuse('caseClosed', `The case ${state.id} is ${state.status}. Reopen it first.`);
  refuse('invalidState', `The case ${state.id} is ${state.status}: ${move} is not possible.`);
}

/** Refuses with 404 a case of another borrower than that of the path, and one whose borrower was deleted or erased. */
export function requirePerson(state: CaseState, anyId: string | undefined, env: EvolveEnv): void {
  const person = env.read<PersonState>('person', state.personId);
  if (!person || !isReachable(person)) refuse('notFound', `There is no case ${state.id}.`);
  if (anyId === undefined || resolveId(env, state.tenant, 'person', anyId) === state.personId) return;
  refuse('notFound', `There is no case ${state.id} under this borrower.`);
}

/** A decision whose reply is the case. The copy for retries is sealed with the borrower's key. */
export const withCaseReply = ({ state, env }: Context, facts: readonly FactDraft[]): Decision<CaseState> =>
  decided(state.personId, facts, (after) => caseView(after, env));

export const decided = (personId: string, facts: readonly FactDraft[], data: (after: CaseState) => unknown): Decision<CaseState> => ({
  facts,
  reply: (after) => ({ data: data(after), sealedFor: personId }),
});

export function refuseTaken(env: DecideEnv, externalId: string | null | undefined, ownId: string | null): void {
  if (externalId == null) return;
  const holder = env.findExternal(env.tenant, 'case', externalId);
  if (holder === undefined || holder === ownId) return;
  refuse('duplicate', `\`externalId\` is already used by the case ${holder}.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}

/** An item of the case; refuses with 404 if there is none. */
export const itemOf = <Item extends { readonly id: string }>(items: readonly Item[], id: string | undefined, noun: string): Item =>
  items.find((item) => item.id === id) ?? refuse('notFound', `The case has no ${noun} ${id}.`);

export const wrongId = (path: string, noun: string, anyId: string): never =>
  refuseProperty(path, `the id of ${noun}`, `There is no ${noun.replace(/^an? /, '')} ${anyId}.`);

/** The id of the employee in a body. */
export const employeeNamed = (company: CompanyState, anyId: string, path: string): string =>
  employeeOf(company, anyId)?.id ?? wrongId(path, 'an employee', anyId);

export const teamNamed = (company: CompanyState, anyId: string, path: string): string =>
  teamOf(company, anyId)?.id ?? wrongId(path, 'a team', anyId);
