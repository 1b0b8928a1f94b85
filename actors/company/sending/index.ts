import { type AnyDeclaration, declaredCommands, declaredQueries } from '../../kernel/resources/index.js';
import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { CompanyState } from '../state.js';
import { SENDING_DOMAIN, verifySendingDomain } from './sending-domains.js';
import { SENDING_NUMBER } from './sending-numbers.js';

const DECLARED: readonly AnyDeclaration[] = [SENDING_DOMAIN, SENDING_NUMBER];

/** Commands for the domains and numbers from which a company sends. */
export const sendingCommands: readonly CommandSpec<CompanyState>[] = [
  ...DECLARED.flatMap((declaration) => declaredCommands<CompanyState>('company', declaration)),
  verifySendingDomain,
];

export const sendingQueries: readonly QuerySpec<CompanyState>[] = DECLARED.flatMap((declaration) =>
  declaredQueries<CompanyState>('company', declaration),
);
