import { declaredCommands } from '../../kernel/resources/index.js';
import type { CommandSpec } from '../../kernel/actor.js';
import type { CompanyState } from '../state.js';
import { activateVersion, TEMPLATE_DESCRIPTOR, TEMPLATE_VERSION } from './descriptors.js';

export { templateQueries } from './queries.js';

/** Commands for the templates of a company. */
export const templateCommands: readonly CommandSpec<CompanyState>[] = [
  ...declaredCommands<CompanyState>('company', TEMPLATE_DESCRIPTOR),
  ...declaredCommands<CompanyState>('company', TEMPLATE_VERSION),
  activateVersion,
];
