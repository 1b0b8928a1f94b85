import type { Agent } from './fact.js';

/** Who did something, as every reply names it. */
export interface ActorView {
  /** The user that a key acts for; of the service itself, its part. */
  readonly id: string;
  readonly name: string | null;
  readonly userType: 'borrower' | 'agent' | 'api' | 'system';
  /** For people to read. */
  readonly descriptor: string;
  readonly employee: { readonly id: string } | null;
}

const USER_TYPES = { user: 'agent', borrower: 'borrower', key: 'api', system: 'system' } as const satisfies Record<
  Agent['type'],
  ActorView['userType']
>;

const DESCRIPTORS = { user: 'User', borrower: 'Borrower', key: 'API key', system: 'Service' } as const satisfies Record<
  Agent['type'],
  string
>;

export const actorView = ({ type, id, userId }: Agent): ActorView => ({
  id: userId ?? id,
  name: null,
  userType: USER_TYPES[type],
  descriptor: `${DESCRIPTORS[type]} ${id}`,
  employee: null,
});
