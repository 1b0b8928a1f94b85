import { must } from '../../../engine/index.js';
import type { ResourceCreated } from '../../kernel/resources/index.js';
import { EVERY_PERMISSION } from '../../permission.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { PERMISSIONS } from './permission-table.js';
import { type Role, ROLE_TYPE } from './roles.js';
import { type User, USER } from './user.js';

interface StandardRole {
  readonly alias: string;
  readonly isSystem: boolean;
  /** Which permissions of the table the role has; null = all, including those of later versions. */
  readonly has: ((name: string) => boolean) | null;
}

const READING = /:(list|read)(\.|$)/;
const OF_ACCESS = /^(apikey:|auth\.|role:|user:)/;
const OF_AGENT = new RegExp(
  [
    '^(case|communicator|consent|contact|legalrepresentative|note|operation|person|promise\\.to\\.pay\\.plan|taskrouter\\.task|verification):',
    '^(casetype|employee|identity|loan|loan\\.balance|monitoring|task|team|transaction|workflowtype):(list|read)',
    '^document:(create|list|read|update)$',
  ].join('|'),
);
const OF_MANY = /^(supercase|task):/;

/** The roles that a company begins with. */
const STANDARD_ROLES: readonly StandardRole[] = [
  // The first user of a company has this role, so that somebody can create the other users.
  { alias: 'super-admin', isSystem: true, has: null },
  { alias: 'admin', isSystem: false, has: null },
  { alias: 'supervisor', isSystem: false, has: (name) => OF_AGENT.test(name) || OF_MANY.test(name) || READING.test(name) },
  { alias: 'agent', isSystem: false, has: (name) => OF_AGENT.test(name) },
  { alias: 'readOnly', isSystem: false, has: (name) => READING.test(name) },
  { alias: 'api', isSystem: true, has: (name) => !OF_ACCESS.test(name) },
];

type RoleFact = FactDraft & { readonly body: ResourceCreated };

/** The roles of a new company as facts; the first is the role of its first user. */
export const standardRoles = (env: DecideEnv): readonly RoleFact[] =>
  STANDARD_ROLES.map(({ alias, isSystem, has }) => {
    const permissions = has === null ? [EVERY_PERMISSION] : PERMISSIONS.map(({ name }) => name).filter(has);
    const stored: Role = { alias, isSystem, permissions };
    return { type: 'ResourceCreated', body: { resource: ROLE_TYPE, id: env.newId('RL'), parentId: null, stored } };
  });

/** The first user of a company; its first API keys act as this user. */
export function foundingUser(env: DecideEnv, roles: readonly RoleFact[]): FactDraft {
  const {
    body: { id: roleId },
  } = must(roles[0], 'a company has standard roles');
  const stored: User = {
    externalId: null,
    number: 1,
    type: 'api',
    status: 'active',
    userName: 'api',
    roleIds: [roleId],
    auths: [],
    passwordHash: null,
    generation: 0,
  };
  const body: ResourceCreated = { resource: USER, id: env.newId('UR'), parentId: null, stored };
  return { type: 'ResourceCreated', body };
}
