import type { tags } from 'typia';
import { type Cents, ZERO } from '../../engine/index.js';
import type { Declaration, ResourceHost } from '../kernel/resources/index.js';
import { type Fault, Refusal } from '../errors.js';
import {
  type Amount,
  amount,
  centsOf,
  type DateTimeText,
  orNull,
  type RateValue,
  rateOf,
  rateValue,
  type ShortText,
  type SignedAmount,
  type Whole,
} from '../wire.js';
import type { AmountLogic, FeeCategory, FeeTrigger, FeeType, PercentageBase } from './loan-type-wire.js';

export type StoredFeeType = Omit<FeeType, 'id' | 'loanTypeId'>;

type ApiName = string & tags.Pattern<'^[A-Za-z][A-Za-z0-9_.-]{0,49}$'>;
type Count = number & tags.Type<'uint32'> & tags.Minimum<1>;
type TriggerDays = number & tags.Type<'uint32'> & tags.Maximum<365>;

interface FeeTypeFieldsBody {
  readonly status?: 'active' | 'inactive';
  readonly amountLogic?: AmountLogic;
  readonly amount?: Amount | null;
  readonly percentage?: RateValue | null;
  readonly percentageBase?: PercentageBase | null;
  /** For `tiered`: ascending bounds; the last may be null. */
  readonly tiers?: readonly {
    readonly upToAmount: Amount | null;
    readonly amount?: Amount | null;
    readonly percentage?: RateValue | null;
  }[];
  readonly minAmount?: Amount | null;
  readonly maxAmount?: Amount | null;
  readonly capPerLoanAmount?: Amount | null;
  readonly capPerPeriodCount?: Count | null;
  readonly chargeLogic?: FeeType['chargeLogic'];
  readonly trigger?: FeeTrigger;
  /** Days after the due date. */
  readonly triggerDays?: TriggerDays;
  readonly toleranceAmount?: Amount;
  readonly isCancelOnReversal?: boolean;
  readonly stateRules?: readonly {
    readonly state: ShortText & tags.MinLength<2>;
    readonly maxAmount?: Amount | null;
    readonly graceDays?: TriggerDays | null;
  }[];
  readonly waiveDuringScra?: boolean;
  readonly waiveWhileFrozen?: boolean;
}

export interface FeeTypeCreateBody extends FeeTypeFieldsBody {
  readonly name: { readonly displayName: ShortText & tags.MinLength<1>; readonly apiName: ApiName };
  readonly feeType: FeeCategory;
}

export interface FeeTypeUpdateBody extends FeeTypeFieldsBody {
  readonly name?: { readonly displayName?: ShortText & tags.MinLength<1>; readonly apiName?: ApiName };
  readonly feeType?: FeeCategory;
}

interface FeeTierView {
  readonly upToAmount: SignedAmount | null;
  readonly amount: SignedAmount | null;
  readonly percentage: RateValue | null;
}

export interface FeeTypeView {
  readonly id: string;
  readonly object: 'feeType';
  readonly loanTypeId: string;
  readonly companyId: string;
  readonly status: 'active' | 'inactive';
  readonly name: { readonly displayName: string; readonly apiName: string };
  readonly feeType: FeeCategory;
  readonly amountLogic: AmountLogic;
  readonly amount: SignedAmount | null;
  readonly percentage: RateValue | null;
  readonly percentageBase: PercentageBase | null;
  readonly tiers: readonly FeeTierView[];
  readonly minAmount: SignedAmount | null;
  readonly maxAmount: SignedAmount | null;
  readonly capPerLoanAmount: SignedAmount | null;
  readonly capPerPeriodCount: Whole | null;
  readonly chargeLogic: FeeType['chargeLogic'];
  readonly trigger: FeeTrigger;
  readonly triggerDays: Whole;
  readonly toleranceAmount: SignedAmount;
  readonly isCancelOnReversal: boolean;
  readonly stateRules: readonly { readonly state: string; readonly maxAmount: SignedAmount | null; readonly graceDays: Whole | null }[];
  readonly waiveDuringScra: boolean;
  readonly waiveWhileFrozen: boolean;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** The default trigger of each category. */
const TRIGGERS: { readonly [Category in FeeCategory]: FeeTrigger } = {
  lateFee: 'overdueDays',
  modificationFee: 'scheduleChange',
  purchaseFee: 'purchaseSettled',
  nsfFee: 'paymentFailed',
  serviceFee: 'periodStart',
  membershipFee: 'anniversary',
  foreignTransactionFee: 'foreignPurchase',
  adHoc: 'manual',
};

/** Days after the due date on which a late fee is charged. */
const LATE_FEE_DAYS = 15;

function freshFeeType(name: StoredFeeType['name'], feeType: FeeCategory): StoredFeeType {
  return {
    status: 'active',
    name,
    feeType,
    amountLogic: 'fixed',
    amount: null,
    percentage: null,
    percentageBase: null,
    tiers: [],
    minAmount: null,
    maxAmount: null,
    capPerLoanAmount: null,
    capPerPeriodCount: null,
    chargeLogic: 'immediate',
    trigger: TRIGGERS[feeType],
    triggerDays: feeType === 'lateFee' ? LATE_FEE_DAYS : 0,
    toleranceAmount: ZERO,
    isCancelOnReversal: feeType === 'nsfFee',
    stateRules: [],
    waiveDuringScra: true,
    waiveWhileFrozen: true,
  };
}

/** Fee types belong to their loan type. Deleting one deactivates it, since loans may have fees of it. */
export const FEE_TYPE: Declaration<FeeTypeCreateBody, FeeTypeUpdateBody, StoredFeeType> = {
  type: 'feeType',
  prefix: 'FT',
  param: 'feeTypeId',
  parent: { param: 'loanTypeId', noun: 'loan type', exists: (host: ResourceHost & LoanTypes, id) => host.loanTypes.has(id) },
  unique: [{ name: 'name.apiName', of: ({ name }) => name.apiName }],
  create: (body) => merged(freshFeeType(body.name, body.feeType), body),
  change: (before, body) => merged(before, body),
  retire: (before) => ({ ...before, status: 'inactive' }),
  view: (stored, record) => feeTypeView(stored, record.parentId ?? ''),
};

interface LoanTypes {
  readonly loanTypes: ReadonlyMap<string, unknown>;
}

function merged(before: StoredFeeType, body: FeeTypeUpdateBody): StoredFeeType {
  const { name, tiers, stateRules, amount: flat, percentage, minAmount, maxAmount, capPerLoanAmount, toleranceAmount, ...plain } = body;
  const money = (sent: number | null | undefined, kept: Cents | null): Cents | null => (sent === undefined ? kept : orNull(centsOf, sent));
  const after: StoredFeeType = {
    ...before,
    ...plain,
    name: { ...before.name, ...name },
    amount: money(flat, before.amount),
    percentage: percentage === undefined ? before.percentage : orNull(rateOf, percentage),
    minAmount: money(minAmount, before.minAmount),
    maxAmount: money(maxAmount, before.maxAmount),
    capPerLoanAmount: money(capPerLoanAmount, before.capPerLoanAmount),
    toleranceAmount: toleranceAmount === undefined ? before.toleranceAmount : centsOf(toleranceAmount),
    tiers:
      tiers?.map((tier) => ({
        upToAmount: orNull(centsOf, tier.upToAmount),
        amount: orNull(centsOf, tier.amount),
        percentage: orNull(rateOf, tier.percentage),
      })) ?? before.tiers,
    stateRules:
      stateRules?.map(({ state, maxAmount: most, graceDays = null }) => ({ state, maxAmount: orNull(centsOf, most), graceDays })) ??
      before.stateRules,
  };
  checkFeeType(after);
  return after;
}

/** The fields that each amount logic requires. */
const NEEDS: { readonly [Logic in AmountLogic]: readonly ('amount' | 'percentage' | 'percentageBase')[] } = {
  fixed: ['amount'],
  percentage: ['percentage', 'percentageBase'],
  greaterOf: ['amount', 'percentage', 'percentageBase'],
  lesserOf: ['amount', 'percentage', 'percentageBase'],
  tiered: ['percentageBase'],
};

function checkFeeType(feeType: StoredFeeType): void {
  const errors: Fault[] = [];
  for (const path of NEEDS[feeType.amountLogic]) {
    if (feeType[path] === null) errors.push({ path, expected: `a value, for ${feeType.amountLogic}`, message: 'is missing' });
  }
  if (feeType.amountLogic === 'tiered' && !isRising(feeType.tiers.map((tier) => tier.upToAmount))) {
    errors.push({
      path: 'tiers',
      expected: 'at least one tier, with rising bounds; only the last may be null',
      message: 'is not in order',
    });
  }
  if (feeType.minAmount !== null && feeType.maxAmount !== null && feeType.minAmount > feeType.maxAmount) {
    errors.push({ path: 'maxAmount', expected: 'minAmount or more', message: 'is below minAmount' });
  }
  if (errors.length > 0) throw new Refusal('validationError', 'The fee type is not valid: see `errors`.', { errors });
}

const isRising = (bounds: readonly (Cents | null)[]): boolean =>
  bounds.length > 0 && bounds.every((bound, index) => index === 0 || (bounds[index - 1] ?? Infinity) < (bound ?? Infinity));

/** The fields of the view that are the fee type's own. */
type OwnFields = Omit<FeeTypeView, 'id' | 'object' | 'companyId' | 'createdAt' | 'updatedAt' | 'deletedAt'>;

function feeTypeView(feeType: StoredFeeType, loanTypeId: string): OwnFields {
  return {
    ...feeType,
    loanTypeId,
    amount: orNull(amount, feeType.amount),
    percentage: orNull(rateValue, feeType.percentage),
    tiers: feeType.tiers.map((tier) => ({
      upToAmount: orNull(amount, tier.upToAmount),
      amount: orNull(amount, tier.amount),
      percentage: orNull(rateValue, tier.percentage),
    })),
    minAmount: orNull(amount, feeType.minAmount),
    maxAmount: orNull(amount, feeType.maxAmount),
    capPerLoanAmount: orNull(amount, feeType.capPerLoanAmount),
    toleranceAmount: amount(feeType.toleranceAmount),
    stateRules: feeType.stateRules.map((rule) => ({ ...rule, maxAmount: orNull(amount, rule.maxAmount) })),
  };
}
