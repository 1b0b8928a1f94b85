import { addressOf, homeAddressOf, isValidHome, type PersonState, type RecordedContact } from '../../../borrower/index.js';
import type { LoanState } from '../../../loan/index.js';
import type { ActorModule, CommandContext, CommandSpec, DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { isPolicyOn } from './gathering.js';
import { isWatched, loansToMatch, matchedNow } from './matching.js';

/**
 * Who comes to match after the declaration is added beside what made it so (people 11, rule 9): in one batch with the new home or the
 * activation, so that neither a crash nor another process comes between. Supercases are known on every shard; the member lies beside its
 * borrower.
 */
const LATER: { readonly [Kind in string]?: (context: CommandContext<never>, facts: readonly FactDraft[]) => readonly FactDraft[] } = {
  person: ({ state, env }, facts) => movedHome(env, state, facts),
  loan: ({ state, env }, facts) => activated(env, state, facts),
};

/** Borrowers or loans, whose commands tell disasters what they have changed. */
export const matchingDisasters = (module: ActorModule): ActorModule => ({ ...module, commands: module.commands.map(matching) });

function matching(spec: CommandSpec<never>): CommandSpec<never> {
  const later = LATER[spec.kind];
  if (later === undefined) return spec;
  return {
    ...spec,
    decide(context) {
      const decision = spec.decide(context);
      if (decision.preview || decision.facts.length === 0) return decision;
      const more = later(context, decision.facts);
      return more.length === 0 ? decision : { ...decision, facts: [...decision.facts, ...more] };
    },
  };
}

const CONTACT_FACTS: ReadonlySet<string> = new Set(['ContactAdded', 'ContactUpdated']);

/** There is one primary home: the newest that is written is the one. */
function movedHome(env: DecideEnv, person: PersonState, facts: readonly FactDraft[]): readonly FactDraft[] {
  const contacts = facts
    .filter(({ type }) => CONTACT_FACTS.has(type))
    .map(({ body }) => (body as { readonly contact: RecordedContact }).contact);
  const moved = contacts.findLast(isValidHome);
  if (moved === undefined || !isPolicyOn(env) || !isWatched(person)) return [];
  const home = addressOf(env, person, moved);
  return home === null ? [] : matchedNow(env, { personId: person.id, home, loanIds: loansToMatch(env, person.id) });
}

/** What brings a loan into servicing. */
const ACTIVATIONS: ReadonlySet<string> = new Set(['LoanActivated', 'LineActivated', 'LoanMigrated']);

function activated(env: DecideEnv, { id, record }: LoanState, facts: readonly FactDraft[]): readonly FactDraft[] {
  if (record === null || !facts.some(({ type }) => ACTIVATIONS.has(type)) || !isPolicyOn(env)) return [];
  const person = env.read<PersonState>('person', record.personId);
  const home = person && isWatched(person) ? homeAddressOf(env, person) : null;
  return person && home ? matchedNow(env, { personId: person.id, home, loanIds: [id] }) : [];
}
