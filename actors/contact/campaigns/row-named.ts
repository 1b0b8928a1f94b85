import { isForChannel, type SendableChannel } from '../../../engine/index.js';
import { contactOf, isReachable, type PersonState } from '../../borrower/index.js';
import { channelOfTemplate, companyOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { QueryEnv, QuerySpec } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';

/** What a row names besides its borrower. */
export interface RowNames {
  readonly loanId: string | null;
  readonly contactId: string | null;
  readonly useTemplate: string | null;
}

/** The borrower and the loan of a row by their service ids, and the channels that the contact and the template of the row are for. */
export interface RowNamed {
  readonly personId: string;
  /** An unknown loan is as the row names it: the send says what is wrong. */
  readonly loanId: string | null;
  readonly channels: readonly SendableChannel[];
}

/** In the order in which a row is sent by them. */
const CHANNELS: readonly SendableChannel[] = ['email', 'text', 'mail'];

/** Names the borrower and the loan of a row by their service ids, so that those who are named in two ways are written to once. */
export const rowNamed: QuerySpec<PersonState, RowNames> = {
  kind: 'person',
  type: 'person.named',
  on: 'target',
  read({ state, env, query }): RowNamed {
    if (!isReachable(state)) return refuse('notFound', 'There is no such borrower.');
    const { loanId } = query;
    const known = loanId === null ? undefined : resolveId(env, env.tenant, 'loan', loanId);
    return { personId: state.id, loanId: known ?? loanId, channels: channelsFor(env, state, query) };
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
