import { type AnyVersioned, versionedCommands, versionedQueries } from '../../declared/index.js';
import type { CommandSpec, QuerySpec } from '../../runtime/actor.js';
import type { CompanyState } from '../state.js';
import { CASE_TYPE } from './case-types.js';
import { DO_NOT_INTERACT_TYPE } from './do-not-interact-types.js';
import { linkCommands, linkQuery } from './links.js';
import { NOTIFICATION_TYPE } from './notification-types.js';

const VERSIONED: readonly AnyVersioned[] = [CASE_TYPE as AnyVersioned, DO_NOT_INTERACT_TYPE, NOTIFICATION_TYPE];
const LINKED: readonly AnyVersioned[] = [DO_NOT_INTERACT_TYPE, NOTIFICATION_TYPE];

/** What a company's casework is configured by (cases 6, 10 and 11). */
export const caseworkCommands: readonly CommandSpec<CompanyState>[] = [
  ...VERSIONED.flatMap((declaration) => versionedCommands<CompanyState>('company', declaration)),
  ...LINKED.flatMap(linkCommands),
];

export const caseworkQueries: readonly QuerySpec<CompanyState>[] = [
  ...VERSIONED.flatMap((declaration) => versionedQueries<CompanyState>('company', declaration)),
  ...LINKED.map(linkQuery),
];
