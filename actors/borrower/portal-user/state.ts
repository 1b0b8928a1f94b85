import { createHash } from 'node:crypto';
import { NEVER_SIGNED_IN, type SignIn, type SignInStep, type UserAuth } from '../../company/index.js';
import type { Fact, Tenant } from '../../kernel/fact.js';

/** A borrower's own way into the portal: beside the borrower, and sealed with the borrower's key. */
export interface PortalUserState {
  readonly id: string;
  readonly tenant: Tenant;
  personId: string;
  externalId: string | null;
  /** What it is found by; the name itself is personal data. */
  nameHash: string;
  /** `PersonalPart` as JSON. */
  sealed: Uint8Array;
  status: 'active' | 'inactive';
  passwordHash: string | null;
  generation: number;
  signIn: SignIn;
  createdAt: number;
  updatedAt: number | null;
  /** Microseconds; 0 before the user exists. */
  createdStamp: number;
  updatedStamp: number;
}

export interface PersonalPart {
  readonly userName: string;
  readonly auths: readonly UserAuth[];
}

export type PortalUserFields = Pick<PortalUserState, 'externalId' | 'nameHash' | 'sealed' | 'status' | 'passwordHash' | 'generation'>;

/** What happens to it. */
export interface PortalUserFacts {
  readonly PortalUserCreated: PortalUserFields & { readonly personId: string };
  readonly PortalUserChanged: PortalUserFields;
  readonly SignInRecorded: { readonly step: SignInStep['type']; readonly signIn: SignIn };
  readonly SessionsEnded: { readonly generation: number; readonly passwordHash: string | null };
}

export const newPortalUser = (id: string, tenant: Tenant): PortalUserState => ({
  id,
  tenant,
  personId: '',
  externalId: null,
  nameHash: '',
  sealed: new Uint8Array(),
  status: 'active',
  passwordHash: null,
  generation: 0,
  signIn: NEVER_SIGNED_IN,
  createdAt: 0,
  updatedAt: null,
  createdStamp: 0,
  updatedStamp: 0,
});

/** User names are unique however they are written. */
export const hashOfName = (userName: string): string => createHash('sha256').update(userName.toLowerCase()).digest('hex');

type Apply = { [Type in keyof PortalUserFacts]: (state: PortalUserState, body: PortalUserFacts[Type], fact: Fact) => void };

const APPLY: Apply = {
  PortalUserCreated(state, body, { businessAt, stamp }) {
    Object.assign(state, body, { createdAt: businessAt, createdStamp: stamp });
  },
  PortalUserChanged(state, body, { businessAt }) {
    Object.assign(state, body, { updatedAt: businessAt });
  },
  SignInRecorded(state, { signIn }) {
    state.signIn = signIn;
  },
  SessionsEnded(state, { generation, passwordHash }) {
    Object.assign(state, { generation, passwordHash });
  },
};

export function evolvePortalUser(state: PortalUserState, fact: Fact): void {
  const apply = APPLY[fact.type as keyof PortalUserFacts] as (state: PortalUserState, body: unknown, fact: Fact) => void;
  apply(state, fact.body, fact);
  state.updatedStamp = fact.stamp;
}
