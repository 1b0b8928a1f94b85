import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import { declaredCommands, declaredQueries } from '../../kernel/resources/index.js';
import type { CompanyState } from '../state.js';
import { CREDIT_AGENCY } from './agency.js';

/** Credit agencies (parties 12). */
export const creditCommands: readonly CommandSpec<CompanyState>[] = declaredCommands<CompanyState>('company', CREDIT_AGENCY);

export const creditQueries: readonly QuerySpec<CompanyState>[] = declaredQueries<CompanyState>('company', CREDIT_AGENCY);
