import { addDays, type BusinessCalendar, type Day, dayAt, FEDERAL_CALENDAR, must, parseDay } from '../../engine/index.js';
import { refuse } from '../errors.js';
import type { EvolveEnv } from '../kernel/actor.js';
import type { Tenant } from '../kernel/fact.js';
import { findRecord, recordsOf, type ResourceRecord } from '../kernel/resources/index.js';
import { FEE_TYPE, type StoredFeeType } from './fee-types.js';
import type { LoanTypeSettings, SettingsVersion } from './loan-type-settings.js';
import type { FeeType } from './loan-type-wire.js';
import { PROMO_TYPE, type PromoType } from './promo-types.js';
import type { ApiKey, CompanyState, LoanType } from './state.js';

/*
 * What other domains read of a company: its zone, products, fee types and keys. All of these are pure functions
 * of the company's state, which `env.read` returns on every shard.
 */

/** The company of a tenant. */
export function companyOf(env: Pick<EvolveEnv, 'read'>, tenant: Tenant): CompanyState {
  const company = env.read<CompanyState>('company', tenant.company);
  return company?.profile ? company : refuse('notFound', `There is no company ${tenant.company}.`);
}

/** The zone of the product's dates: the loan type's own, else the company's. */
export const zoneOf = (company: CompanyState, loanType?: LoanType): string => loanType?.timezone ?? company.profile?.timezone ?? 'UTC';

/**
 * The days on which a company's money moves: bank days that are not holidays of the company. The company's own holidays
 * never replace those of the banks.
 */
export function moneyCalendarOf({ profile }: CompanyState): BusinessCalendar {
  const named = profile?.config.calendar.holidays ?? null;
  return named === null || named.length === 0 ? FEDERAL_CALENDAR : { closed: closedDaysOf(named), isFederal: true };
}

/** By whose days reminders are evaluated. A company lives by them once it may send any. */
export const REMINDER_ZONE = 'America/Los_Angeles';

/** The days on which a company works: its list of holidays is used instead of the federal one. */
export function workCalendarOf({ profile }: CompanyState): BusinessCalendar {
  const named = profile?.config.calendar.holidays ?? null;
  return named === null ? FEDERAL_CALENDAR : { closed: closedDaysOf(named), isFederal: false };
}

const closedDays = new WeakMap<readonly string[], ReadonlySet<Day>>();

/** Lists are replaced and never changed, so the set of each list can be cached. */
function closedDaysOf(named: readonly string[]): ReadonlySet<Day> {
  const known = closedDays.get(named);
  if (known !== undefined) return known;
  const made = new Set(named.flatMap((text) => parseDay(text) ?? []));
  closedDays.set(named, made);
  return made;
}

/** The zone in a company's state, for the runtime, which does not know the types of states. */
export const companyZone = (state: CompanyState): string => zoneOf(state);

export const loanTypeOf = (company: CompanyState, loanTypeId: string): LoanType | undefined => company.loanTypes.get(loanTypeId);

/** The newest settings, against which a new loan is checked. */
export function currentSettings(loanType: LoanType): LoanTypeSettings {
  const newest = loanType.versions.at(-1);
  return newest ? newest.settings : refuse('notFound', `The loan type ${loanType.id} has no settings.`);
}

export const loanTypeVersions = (company: CompanyState, loanTypeId: string): readonly SettingsVersion[] =>
  settingsTimeline(loanTypeOf(company, loanTypeId)?.versions ?? []);

/**
 * The settings as the ledger reads them: ascending days, each with the settings from that day on. Of several edits that
 * begin on one day the last one applies, and an edit that begins earlier than a former edit replaces it.
 */
export function settingsTimeline(versions: LoanType['versions']): readonly SettingsVersion[] {
  const timeline: SettingsVersion[] = [];
  for (const { from, settings } of versions) {
    while ((timeline.at(-1)?.from ?? -Infinity) >= from) timeline.pop();
    timeline.push({ from, value: settings });
  }
  return timeline;
}

/** The version in force on a day; before the first one, the first. */
export function settingsAt(versions: readonly SettingsVersion[], day: Day): LoanTypeSettings {
  const version = versions.findLast((candidate) => candidate.from <= day) ?? versions[0];
  return must(version, 'a loan type has settings').value;
}

/** All fee types of a loan type, in the order of creation, inactive ones included. */
export const feeTypesOf = (company: CompanyState, loanTypeId: string): readonly FeeType[] => feesOfProduct(company, loanTypeId).types;

/** When the fee types of a loan type were last edited, in milliseconds (0 without any), and the day after in a zone: it holds from then. */
export function feeTypesEdition(
  company: CompanyState,
  loanTypeId: string,
  zone: string,
): { readonly editedAt: number; readonly from: Day } {
  const { editedAt, holdFrom } = feesOfProduct(company, loanTypeId);
  let from = holdFrom.get(zone);
  if (from === undefined) holdFrom.set(zone, (from = addDays(dayAt(zone, editedAt), 1)));
  return { editedAt, from };
}

/** What is asked of the fee types of a loan type with each command. */
interface FeesOfProduct {
  readonly types: readonly FeeType[];
  readonly editedAt: number;
  /** The day after, by zone. */
  readonly holdFrom: Map<string, Day>;
}

/** By the records of fee types, which are replaced and never changed, and then by loan type. */
const feesOfProducts = new WeakMap<ReadonlyMap<string, ResourceRecord<StoredFeeType>>, Map<string, FeesOfProduct>>();

function feesOfProduct(company: CompanyState, loanTypeId: string): FeesOfProduct {
  const records = recordsOf<StoredFeeType>(company, FEE_TYPE.type);
  let ofProducts = feesOfProducts.get(records);
  if (ofProducts === undefined) feesOfProducts.set(records, (ofProducts = new Map()));
  const known = ofProducts.get(loanTypeId);
  if (known !== undefined) return known;
  const own = [...records.values()].filter(({ parentId }) => parentId === loanTypeId);
  const editedAt = Math.max(0, ...own.map(({ createdAt, updatedAt }) => Math.max(createdAt, updatedAt ?? 0)));
  const made: FeesOfProduct = { types: own.map(feeTypeOfRecord), editedAt, holdFrom: new Map() };
  ofProducts.set(loanTypeId, made);
  return made;
}

/** A fee type of a loan type by its id or its apiName. */
export function feeTypeOf(company: CompanyState, loanTypeId: string, idOrApiName: string): FeeType | undefined {
  return feeTypesOf(company, loanTypeId).find((feeType) => feeType.id === idOrApiName || feeType.name.apiName === idOrApiName);
}

const feeTypeOfRecord = ({ id, parentId, stored }: ResourceRecord<StoredFeeType>): FeeType => ({
  id,
  loanTypeId: parentId ?? '',
  ...stored,
});

/** A promo type with its id. */
export interface KnownPromoType extends PromoType {
  readonly id: string;
}

/** A promo type of a loan type. */
export function promoTypeOf(company: CompanyState, loanTypeId: string, id: string): KnownPromoType | undefined {
  const record = findRecord<PromoType>(company, PROMO_TYPE, id);
  return record === undefined || record.parentId !== loanTypeId ? undefined : { id: record.id, ...record.stored };
}

/** The key with this hash (SHA-256, hexadecimal), whatever its status. */
export function findKeyByHash(company: CompanyState, hash: string): ApiKey | undefined {
  for (const key of company.keys.values()) if (key.hash === hash) return key;
  return undefined;
}
