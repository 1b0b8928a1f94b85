import {
  type AnyDeclaration,
  type AnyVersioned,
  declaredCommands,
  declaredQueries,
  versionedCommands,
  versionedQueries,
} from '../../kernel/resources/index.js';
import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { CompanyState } from '../state.js';
import { CASE_TYPE } from './case-types.js';
import { DO_NOT_INTERACT_TYPE, linkCommands, linkQuery } from './do-not-interact-types.js';
import { NOTIFICATION_TYPE } from './notification-types.js';
import { PAIRING_CONFIG, syncPairing } from './pairing/pairing-configs.js';
import { setSmartReviews } from './smart-review-commands.js';
import { workerCommands, workerQueries } from './workers.js';
import { WORKFLOW_TYPE } from './workflow-types.js';

const VERSIONED: readonly AnyVersioned[] = [CASE_TYPE, DO_NOT_INTERACT_TYPE, NOTIFICATION_TYPE, WORKFLOW_TYPE];
const PAIRING = PAIRING_CONFIG as AnyDeclaration;
const LINKED: readonly AnyVersioned[] = [DO_NOT_INTERACT_TYPE, NOTIFICATION_TYPE];

/** Commands for the configuration of casework. */
export const caseworkCommands: readonly CommandSpec<CompanyState>[] = [
  ...VERSIONED.flatMap((declaration) => versionedCommands<CompanyState>('company', declaration)),
  ...LINKED.flatMap(linkCommands),
  ...declaredCommands<CompanyState>('company', PAIRING),
  syncPairing,
  setSmartReviews,
  ...workerCommands,
];

export const caseworkQueries: readonly QuerySpec<CompanyState>[] = [
  ...VERSIONED.flatMap((declaration) => versionedQueries<CompanyState>('company', declaration)),
  ...LINKED.map(linkQuery),
  ...declaredQueries<CompanyState>('company', PAIRING),
  ...workerQueries,
];
