import type { tags } from 'typia';
import { type Rate, ZERO } from '../../engine/index.js';
import type { Declaration, ResourceHost } from '../kernel/resources/index.js';
import { refuseProperty } from '../errors.js';
import { type DateTimeText, orNull, type RateValue, rateOf, rateValue, type ShortText, type Text, type Whole } from '../wire.js';

/**
 * A kind of promo program of a loan type. `sameAsCash` and `deferredInterest` give interest back if the loan is paid in
 * time; `reducedRate` lowers the interest rate by `promoRate` while the program runs.
 */
export type PromoKind = 'sameAsCash' | 'deferredInterest' | 'reducedRate';

export interface PromoType {
  readonly promoType: PromoKind;
  readonly displayName: string;
  readonly description: string | null;
  readonly status: 'active' | 'inactive';
  readonly defaults: PromoDefaults;
}

/** Default values of a program. */
export interface PromoDefaults {
  readonly promoDurationDays: number | null;
  readonly promoGracePeriodDays: number | null;
  readonly disqualifyOverdueDays: number | null;
  /** For `reducedRate` only. */
  readonly promoRate: Rate | null;
}

type PromoDays = Whole & tags.Maximum<36500>;

interface PromoDefaultsBody {
  readonly promoDurationDays?: (PromoDays & tags.Minimum<1>) | null;
  readonly promoGracePeriodDays?: PromoDays | null;
  readonly disqualifyOverdueDays?: (PromoDays & tags.Minimum<1>) | null;
  readonly promoRate?: (RateValue & tags.Maximum<99.99999999>) | null;
}

export interface PromoTypeCreateBody {
  readonly promoType: PromoKind;
  readonly displayName: ShortText & tags.MinLength<1>;
  readonly description?: Text | null;
  readonly status?: 'active' | 'inactive';
  readonly defaults?: PromoDefaultsBody;
}

export interface PromoTypeUpdateBody {
  readonly displayName?: ShortText & tags.MinLength<1>;
  readonly description?: Text | null;
  readonly status?: 'active' | 'inactive';
  readonly defaults?: PromoDefaultsBody;
}

export interface PromoTypeView {
  readonly id: string;
  readonly object: 'promoType';
  readonly companyId: string;
  readonly loanTypeId: string;
  readonly promoType: PromoKind;
  readonly displayName: string;
  readonly description: string | null;
  readonly status: 'active' | 'inactive';
  readonly defaults: {
    readonly promoDurationDays: number | null;
    readonly promoGracePeriodDays: number | null;
    readonly disqualifyOverdueDays: number | null;
    readonly promoRate: RateValue | null;
  };
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

interface LoanTypes {
  readonly loanTypes: ReadonlyMap<string, unknown>;
}

export const PROMO_TYPE: Declaration<PromoTypeCreateBody, PromoTypeUpdateBody, PromoType> = {
  type: 'promoType',
  prefix: 'PY',
  param: 'promoTypeId',
  parent: { param: 'loanTypeId', noun: 'loan type', exists: (host: ResourceHost & LoanTypes, id) => host.loanTypes.has(id) },
  unique: [{ name: 'displayName', of: ({ displayName }) => displayName }],
  create: ({ promoType, displayName, description = null, status = 'active', defaults }) =>
    checked({ promoType, displayName, description, status, defaults: mergedDefaults(NO_DEFAULTS, defaults) }),
  change: (before, { defaults, ...plain }) => checked({ ...before, ...plain, defaults: mergedDefaults(before.defaults, defaults) }),
  retire: (before) => ({ ...before, status: 'inactive' }),
  view: ({ defaults, ...stored }, record) => ({
    ...stored,
    loanTypeId: record.parentId ?? '',
    defaults: { ...defaults, promoRate: orNull(rateValue, defaults.promoRate) },
  }),
};

const NO_DEFAULTS: PromoDefaults = { promoDurationDays: null, promoGracePeriodDays: null, disqualifyOverdueDays: null, promoRate: null };

function mergedDefaults(before: PromoDefaults, body: PromoDefaultsBody = {}): PromoDefaults {
  const { promoRate, ...plain } = body;
  return { ...before, ...plain, promoRate: promoRate === undefined ? before.promoRate : orNull(rateOf, promoRate) };
}

function checked(promoType: PromoType): PromoType {
  const { promoRate } = promoType.defaults;
  const hasRate = promoRate !== null && promoRate > ZERO;
  if (promoType.promoType === 'reducedRate' && !hasRate)
    refuseProperty('defaults.promoRate', 'a rate above zero', '`defaults.promoRate` is required for a reduced rate.');
  if (promoType.promoType !== 'reducedRate' && promoRate !== null)
    refuseProperty('defaults.promoRate', 'null', '`defaults.promoRate` can only be set for a reduced rate.');
  return promoType;
}
