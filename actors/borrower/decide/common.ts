import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision, DecideEnv, Reply } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { PersonFacts } from '../facts.js';
import { mayMovePerson, type PersonMove } from '../machine.js';
import type { PersonState } from '../state.js';

export type Context = CommandContext<PersonState>;

/** A command on a borrower that can be reached. */
export function onPerson(type: string, decide: (context: Context) => Decision<PersonState>): CommandSpec<PersonState> {
  return { kind: 'person', type, place: { on: 'target' }, catchUpFirst: false, decide };
}

/** A fact of a borrower; the type names its body. */
export const fact = <Type extends keyof PersonFacts>(type: Type, body: PersonFacts[Type]): FactDraft => ({ type, body });

/** A decision whose reply shows personal data, so that it is stored sealed. */
export function decided(
  context: Context,
  facts: readonly FactDraft[],
  data: (after: PersonState) => unknown,
  reply: Omit<Reply, 'data' | 'sealedFor'> = {},
): Decision<PersonState> {
  return { facts, reply: (after) => ({ ...reply, data: data(after), sealedFor: context.id }) };
}

/** A decision that answers without data. */
export const done = (facts: readonly FactDraft[]): Decision<PersonState> => ({ facts, reply: () => ({ data: undefined }) });

export function mustMove(state: PersonState, move: PersonMove): void {
  if (mayMovePerson(state.status, move)) return;
  refuse('invalidState', `The borrower ${state.id} is ${state.status}: ${move} is not possible.`);
}

/** Refuses an external id that another object of the kind has. */
export function refuseTaken(env: DecideEnv, kind: string, externalId: string | null | undefined, ownId: string | null): void {
  if (externalId === null || externalId === undefined) return;
  const holder = env.findExternal(env.tenant, kind, externalId);
  if (holder === undefined || holder === ownId) return;
  refuse('duplicate', `Another ${kind} (${holder}) has this externalId.`, {
    errors: [{ path: 'externalId', expected: 'an id that no other one has', message: 'taken already' }],
  });
}

/** The id of the case that a change is recorded under: one of the same borrower's. */
export function caseOf({ id, env }: Context, caseId: string | null | undefined): string | null {
  if (caseId === null || caseId === undefined) return null;
  const known = caseId.startsWith('ext-') ? env.findExternal(env.tenant, 'case', caseId.slice(4)) : caseId;
  const found = known === undefined ? undefined : env.read<{ readonly personId?: string }>('case', known);
  return known !== undefined && found?.personId === id
    ? known
    : refuseProperty('caseId', 'a case of this borrower', `The borrower has no case ${caseId}.`);
}

/** The facts with the case in their envelopes. */
export const under = (caseId: string | null, facts: readonly FactDraft[]): readonly FactDraft[] =>
  caseId === null ? facts : facts.map((draft) => ({ ...draft, caseId }));
