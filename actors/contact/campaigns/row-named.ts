import { isForChannel, type SendableChannel } from '../../../engine/index.js';
import { contactOf, isReachable, type PersonState } from '../../borrower/index.js';
import { channelOfTemplate, companyOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';

/** What a row names besides its borrower. */
export interface RowNames {
  readonly contactId: string | null;
  readonly useTemplate: string | null;
}

/** The borrower of a row by the service id, and the channels that the contact and the template of the row are for. */
export interface RowNamed {
  readonly personId: string;
  readonly channels: readonly SendableChannel[];
}

/** In the order in which a row is sent by them. */
const CHANNELS: readonly SendableChannel[] = ['email', 'text', 'mail'];

/** Names a borrower of a list by the service id, so that one who is named in two ways is written to once. */
export const rowNamed: QuerySpec<PersonState, RowNames> = {
  kind: 'person',
  type: 'person.named',
  on: 'target',
  read({ state, env, query }): RowNamed {
    if (!isReachable(state)) return refuse('notFound', 'There is no such borrower.');
    return { personId: state.id, channels: channelsFor(env, state, query) };
  },
};

/** Of a contact that the borrower has not all channels: the send of each of them says what is wrong. */
function channelsFor(env: QueryEnv, person: PersonState, { contactId, useTemplate }: RowNames): readonly SendableChannel[] {
  const contact = contactId === null ? undefined : contactOf(person, contactId);
  const channelOfNamed = useTemplate === null ? undefined : channelOfTemplate(companyOf(env, env.tenant), useTemplate);
  return CHANNELS.filter(
    (channel) => (contact === undefined || isForChannel(contact, channel)) && (channelOfNamed === undefined || channelOfNamed === channel),
  );
}
