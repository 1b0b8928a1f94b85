import type { tags } from 'typia';
import type { CompanyState } from '../../company/index.js';
import {
  type Amount,
  amount,
  centsOf,
  type MetaData as WireMetaData,
  orNull,
  rateOf,
  type RateValue,
  rateValue,
  type ShortText,
  type Text,
} from '../../wire.js';
import { merchantIdOf, readable } from '../context.js';
import type { PurchaseDetails } from './posting.js';

/** Details of a purchase. */
export interface PurchaseDetailsRequest {
  readonly description?: Text | null;
  readonly pointOfSaleType?: 'online' | 'physical' | null;
  readonly categoryId?: ShortText | null;
  readonly merchantId?: ShortText | null;
  readonly merchantName?: ShortText | null;
  readonly metadata?: WireMetaData | null;
  readonly externalCardId?: ShortText | null;
  readonly originalCurrencyAmount?: Amount | null;
  /** ISO 4217. */
  readonly originalCurrencyCode?: (string & tags.Pattern<'^[A-Z]{3}$'>) | null;
  /** The value of one unit of the original currency in the line's currency. */
  readonly conversionRate?: (RateValue & tags.ExclusiveMinimum<0>) | null;
  readonly merchantCity?: ShortText | null;
  readonly merchantState?: ShortText | null;
  readonly merchantCountry?: ShortText | null;
  readonly merchantCategoryCode?: ShortText | null;
}

export interface PurchaseDetailsView {
  readonly description: string | null;
  readonly pointOfSaleType: 'online' | 'physical' | null;
  readonly categoryId: string | null;
  readonly merchantId: string | null;
  readonly merchantName: string | null;
  readonly metadata: WireMetaData | null;
  readonly isValidMerchantId: boolean;
  readonly externalCardId: string | null;
  readonly originalCurrencyAmount: Amount | null;
  readonly originalCurrencyCode: string;
  readonly conversionRate: RateValue;
  readonly merchantCity: string | null;
  readonly merchantState: string | null;
  readonly merchantCountry: string | null;
  readonly merchantCategoryCode: string | null;
}

const DEFAULT_CURRENCY = 'USD';

export const readPurchaseDetails = (company: CompanyState, sent: PurchaseDetailsRequest | null | undefined): PurchaseDetails | null =>
  orNull(
    (details: PurchaseDetailsRequest): PurchaseDetails => ({
      description: details.description ?? null,
      pointOfSaleType: details.pointOfSaleType ?? null,
      categoryId: details.categoryId ?? null,
      merchantId: merchantIdOf(company, details.merchantId),
      merchantName: details.merchantName ?? null,
      metaData: details.metadata ?? null,
      externalCardId: details.externalCardId ?? null,
      originalCurrencyCents: orNull(centsOf, details.originalCurrencyAmount),
      originalCurrencyCode: details.originalCurrencyCode ?? DEFAULT_CURRENCY,
      conversionRate: rateOf(details.conversionRate ?? 1),
      merchantCity: details.merchantCity ?? null,
      merchantState: details.merchantState ?? null,
      merchantCountry: details.merchantCountry ?? null,
      merchantCategoryCode: details.merchantCategoryCode ?? null,
    }),
    sent,
  );

export const purchaseDetailsView = (
  details: PurchaseDetails | null,
  isMerchantKnown: (merchantId: string | null) => boolean,
): PurchaseDetailsView | null =>
  orNull(
    (known: PurchaseDetails): PurchaseDetailsView => ({
      description: known.description,
      pointOfSaleType: known.pointOfSaleType,
      categoryId: known.categoryId,
      merchantId: known.merchantId,
      merchantName: known.merchantName,
      metadata: known.metaData,
      isValidMerchantId: isMerchantKnown(known.merchantId),
      externalCardId: known.externalCardId,
      originalCurrencyAmount: orNull(amount, known.originalCurrencyCents),
      originalCurrencyCode: known.originalCurrencyCode,
      conversionRate: rateValue(known.conversionRate),
      merchantCity: known.merchantCity,
      merchantState: known.merchantState,
      merchantCountry: known.merchantCountry,
      merchantCategoryCode: known.merchantCategoryCode,
    }),
    readable(details),
  );

/** Whether it was bought in a currency other than the line's. */
export const isForeign = (details: PurchaseDetails | null, currency: string): boolean =>
  (readable(details)?.originalCurrencyCode ?? currency) !== currency;
