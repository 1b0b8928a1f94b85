import { chooseContact, type ContactPlan, faultOfContact, judge, type GuardVerdict } from '../../../engine/index.js';
import { type Contact, personOf } from '../../borrower/index.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import { situationOf } from './situation.js';

/** What the guard may read, which every command and query of the borrower's shard gives. */
export type ScreenEnv = EvolveEnv & Pick<DecideEnv, 'tenant' | 'list' | 'now'>;

/** A contact to be screened. Ids are service ids: whoever asks has found what a body names. */
export interface ScreenAsked {
  readonly personId: string;
  /** Null: by the rules of the channel. */
  readonly contactId: string | null;
  /** A contact that comes with the same command, in place of `contactId`. */
  readonly newContact?: Contact;
  readonly plan: ContactPlan;
}

export interface Screened {
  readonly verdict: GuardVerdict;
  /** Whom it would reach; null where nobody can be. */
  readonly contact: Contact | null;
}

/**
 * Asks the guard from within a decision on the borrower's shard. Reads alone, and answers the same when asked twice.
 * The verdict includes the preferences of the borrower, so that a sender asks nothing else. Record it with `decisionBeside`.
 */
export function screen(env: ScreenEnv, { personId, contactId, newContact, plan }: ScreenAsked): Screened {
  const person = personOf(env, personId);
  const named = newContact ?? person.contacts.find(({ id }) => id === contactId);
  const chosen = contactId === null && plan.channel !== null ? chooseContact(person.contacts, plan.channel) : null;
  const contact = named ?? chosen;
  const verdict = judge(plan, situationOf(env, person, contact, plan));
  return { verdict, contact: contact !== null && faultOfContact(contact, plan.channel) === null ? contact : null };
}
