import { addressOf, homeAddressOf, isValidHome, type PersonState, type RecordedContact } from '../../../borrower/index.js';
import type { LoanState } from '../../../loan/index.js';
import type { CommandContext } from '../../../kernel/actor.js';
import { bodiesOf, type FactDraft } from '../../../kernel/fact.js';
import { isPolicyOn } from './gathering.js';
import { isWatched, loansToMatch, matchedNow } from './matching.js';

/*
 * Who comes to match after the declaration is added beside what made it so: in one batch with the new home or the
 * activation, so that neither a crash nor another process comes between. Supercases are known on every shard; the member lies beside its
 * borrower.
 */

export const CONTACT_FACTS: readonly string[] = ['ContactAdded', 'ContactUpdated'];

type ContactFacts = Readonly<Record<string, { readonly contact: RecordedContact }>>;

/** There is one primary home: the newest that is written is the one. */
export function membersOfNewHome({ env, state: person }: CommandContext<PersonState>, facts: readonly FactDraft[]): readonly FactDraft[] {
  const contacts = facts
    .flatMap((draft) => CONTACT_FACTS.flatMap((type) => bodiesOf<ContactFacts, string>([draft], type)))
    .map(({ contact }) => contact);
  const moved = contacts.findLast(isValidHome);
  if (moved === undefined || !isPolicyOn(env) || !isWatched(person)) return [];
  const home = addressOf(env, person, moved);
  return home === null ? [] : matchedNow(env, { personId: person.id, home, loanIds: loansToMatch(env, person.id) });
}

/** What brings a loan into servicing. */
export const ACTIVATIONS: readonly string[] = ['LoanActivated', 'LineActivated', 'LoanMigrated'];

export function membersOfNewLoan(
  { env, state: { id, record } }: CommandContext<LoanState>,
  facts: readonly FactDraft[],
): readonly FactDraft[] {
  if (record === null || !facts.some(({ type }) => ACTIVATIONS.includes(type)) || !isPolicyOn(env)) return [];
  const person = env.read<PersonState>('person', record.personId);
  const home = person && isWatched(person) ? homeAddressOf(env, person) : null;
  return person && home ? matchedNow(env, { personId: person.id, home, loanIds: [id] }) : [];
}
