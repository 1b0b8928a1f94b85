import { must } from '../../engine/index.js';
import { API_VERSION, dateText, dateTimeText, orNull } from '../wire.js';
import { type ApiKey, appDomainsOf, type CompanyState, EVER, type LoanType, type LoanTypeVersion } from './state.js';
import type { ApiKeyView, CompanyView } from './commands.js';
import { settingsView } from './loan-type-sections.js';
import type { LoanTypeView } from './loan-type-wire.js';

export function companyView(state: CompanyState): CompanyView {
  const profile = must(state.profile, 'a company without a profile');
  return {
    id: state.id,
    object: 'company',
    ...profile,
    metaData: profile.metaData,
    bankruptcyServiceId: null,
    deceasedServiceId: null,
    femaServiceId: null,
    scraServiceId: null,
    ofacServiceId: null,
    rndServiceId: null,
    tokenizationKeyId: null,
    appDomains: appDomainsOf(state).map(({ id, ...domain }) => ({ id, companyId: state.id, ...domain })),
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: null,
  };
}

export function apiKeyView(state: CompanyState, key: ApiKey): ApiKeyView {
  const { id, userId, description, whitelistedIPs, unknownFields = 'refuse', status } = key;
  return {
    id,
    object: 'apiKey',
    companyId: state.id,
    userId,
    description,
    whitelistedIPs,
    unknownFields,
    key: null,
    status,
    apiVersion: API_VERSION,
    createdAt: dateTimeText(key.createdAt),
    updatedAt: orNull(dateTimeText, key.updatedAt),
    deletedAt: orNull(dateTimeText, key.deletedAt),
  };
}

/** A loan type with the settings of one version, by default the newest. */
export function loanTypeView(state: CompanyState, loanType: LoanType, shown?: LoanTypeVersion): LoanTypeView {
  const { version, from, settings } = shown ?? must(loanType.versions.at(-1), 'a loan type without settings');
  const { versions: _versions, createdAt, updatedAt, ...fields } = loanType;
  return {
    ...fields,
    object: 'loanType',
    companyId: state.id,
    name: loanType.name ?? loanType.assetDisplayName,
    ...settingsView(settings),
    version,
    effectiveDate: from === EVER ? null : dateText(from),
    createdAt: dateTimeText(createdAt),
    updatedAt: orNull(dateTimeText, updatedAt),
    deletedAt: null,
  };
}
