import { isClosed } from '../cases/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { SupercaseFacts } from './facts.js';
import type { Population, SupercaseState } from './state.js';

export type Context = CommandContext<SupercaseState>;

/** A fact of a supercase; the type names its body. */
export const fact = <Type extends keyof SupercaseFacts>(type: Type, body: SupercaseFacts[Type]): FactDraft => ({ type, body });

export const onSupercase = (type: string, decide: (context: Context) => Decision<SupercaseState>): CommandSpec<SupercaseState> => ({
  kind: 'supercase',
  type,
  place: { on: 'target' },
  catchUpFirst: false,
  decide,
});

export function requireActive({ id, status }: SupercaseState): void {
  if (isClosed(status)) refuse('caseClosed', `The supercase ${id} is ${status}: reopen it first.`);
}

export const populationOf = ({ id, populations }: SupercaseState, populationId: string | undefined): Population =>
  populations.find((population) => population.id === populationId) ??
  refuse('notFound', `The supercase ${id} has no population ${populationId}.`);

/** What is committed is locked. */
export function requireDraft({ id, isDraft }: Population): void {
  if (!isDraft) refuse('invalidState', `The population ${id} is committed: its members stay.`);
}
