import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { CompanyState } from '../state.js';
import { accountCommands, accountQueries } from './accounts.js';
import { mappingCommands, mappingQueries } from './mappings.js';
import { adoptSettings, settingsQuery } from './settings.js';

export type { LedgerAccountCreateBody, LedgerAccountListQuery, LedgerAccountUpdateBody, LedgerAccountView } from './accounts.js';
export { accountNamed, type LedgerAccount } from './chart.js';
export { closedThrough } from './closed-days.js';
export {
  accountFor,
  type LedgerMapping,
  type MappingCreateBody,
  type MappingCreateQuery,
  type MappingListQuery,
  mappingOn,
  type MappingView,
} from './mappings.js';
export {
  type AdoptSettingsQuery,
  type GeneralLedgerSettingsBody,
  generalLedgerEditions,
  generalLedgerSettingsOn,
  type GeneralLedgerSettingsQuery,
  type GeneralLedgerSettingsView,
  nonaccrualAfterOf,
} from './settings.js';

/** Settings, accounts and mappings of the books, hosted by the company. */
export const generalLedgerCommands: readonly CommandSpec<CompanyState>[] = [adoptSettings, ...accountCommands, ...mappingCommands];

export const generalLedgerQueries: readonly QuerySpec<CompanyState>[] = [settingsQuery, ...accountQueries, ...mappingQueries];
