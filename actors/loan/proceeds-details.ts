import type { tags } from 'typia';
import type { CompanyState } from '../company/index.js';
import { orNull } from '../wire.js';
import type { MetaData as WireMetaData, ShortText, Text } from '../wire.js';
import { merchantIdOf, readable } from './context.js';
import type { AdvanceDetails } from './origination/terms.js';

/** Where the money of an advance went, or that of a refund came from. */
export interface ProceedsDetailsRequest {
  readonly categoryId?: ShortText | null;
  readonly description?: Text | null;
  readonly merchantId?: ShortText | null;
  readonly merchantName?: (ShortText & tags.MaxLength<100>) | null;
  readonly metadata?: WireMetaData | null;
  readonly pointOfSaleType?: 'online' | 'physical' | null;
}

export interface ProceedsDetailsView {
  readonly categoryId: string | null;
  readonly description: string | null;
  readonly merchantId: string | null;
  readonly merchantName: string | null;
  readonly metadata: WireMetaData | null;
  readonly pointOfSaleType: string | null;
}

export const readDetails = (company: CompanyState, sent: ProceedsDetailsRequest | null | undefined): AdvanceDetails | null =>
  orNull(
    (details: ProceedsDetailsRequest) => ({
      categoryId: details.categoryId ?? null,
      description: details.description ?? null,
      merchantId: merchantIdOf(company, details.merchantId),
      merchantName: details.merchantName ?? null,
      metaData: details.metadata ?? null,
      pointOfSaleType: details.pointOfSaleType ?? null,
    }),
    sent,
  );

export const detailsView = (details: AdvanceDetails | null): ProceedsDetailsView | null =>
  orNull(
    (known: AdvanceDetails) => ({
      categoryId: known.categoryId,
      description: known.description,
      merchantId: known.merchantId,
      merchantName: known.merchantName,
      metadata: known.metaData,
      pointOfSaleType: known.pointOfSaleType,
    }),
    readable(details),
  );
