import type { tags } from 'typia';
import { companyOf, zoneOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import { type DateText, dayOfText } from '../../wire.js';
import type { FactDraft } from '../../kernel/fact.js';
import { findContact, openText } from '../contact-fields.js';
import { othersWithValue } from '../same-value.js';
import type { Contact, NumberCheck, NumberList } from '../state.js';
import { contactView } from '../views.js';
import { type Context, decided, fact, mustMove, onPerson } from './common.js';

export interface NumberCheckBody {
  readonly list: NumberList;
  readonly isListed: boolean;
  /** The day of the list: not one to come. */
  readonly checkedOn: DateText;
}

/** Most numbers of one import. */
const MOST_NUMBERS = 1_000;

/** `POST /communicator/number-checks`: what a list says of numbers, whosever they are. */
export interface NumberImportBody extends Omit<NumberCheckBody, 'isListed'> {
  readonly numbers: readonly { readonly number: string & tags.MaxLength<40>; readonly isListed: boolean }[] &
    tags.MinItems<1> &
    tags.MaxItems<typeof MOST_NUMBERS>;
}

export interface NumberImportView {
  readonly list: NumberList;
  readonly checkedOn: DateText;
  /** Contacts that the list has said something of. */
  readonly matched: number;
  /** Numbers that no borrower has: nothing of them is kept. */
  readonly unmatched: number;
}

/** `POST /people/{personId}/contacts/{contactId}/number-checks`. An older list does not take the place of a newer one. */
export const checkNumber = onPerson('contact.checkNumber', (context: Context<NumberCheckBody & { readonly contactId?: string }>) => {
  const { state, env, command } = context;
  mustMove(state, 'update');
  const anyId = command.params['contactId'] ?? context.body.contactId ?? '';
  const contact = findContact(state, anyId) ?? refuse('notFound', `There is no contact ${anyId}.`);
  if (contact.contactType !== 'phone') refuse('ruleViolation', 'Only telephone numbers stand on such lists.');
  const { list, isListed, checkedOn: date } = context.body;
  const checkedOn = dayOfText(date);
  if (checkedOn > env.today(zoneOf(companyOf(env, env.tenant))))
    refuseProperty('checkedOn', 'a day that has come', 'No list is of a day to come.');
  const value = openText(env, state.id, 'contact.value', contact.id, contact.value);
  const holders = [contact, ...othersWithValue(env, state, contact, () => value)];
  return decided(
    context,
    holders.flatMap((holder) => checkedContact(holder, { list, isListed, checkedOn })),
    (after) => contactView(after, findContact(after, contact.id) ?? contact, env, 'tokens'),
  );
});

/** The contact with the answer, if it is newer than what is known. */
function checkedContact(contact: Contact, said: NumberCheck): readonly FactDraft[] {
  const checks = contact.numberChecks ?? [];
  const before = checks.find(({ list }) => list === said.list);
  const isSameDay = before?.checkedOn === said.checkedOn;
  const isNews = before === undefined || before.checkedOn < said.checkedOn || (isSameDay && before.isListed !== said.isListed);
  if (!isNews) return [];
  const { createdAt: _created, updatedAt: _updated, ...fields } = contact;
  return [fact('ContactUpdated', { contact: { ...fields, numberChecks: [...checks.filter(({ list }) => list !== said.list), said] } })];
}
