import type { AnyId, PositiveAmount, ShortText, Text } from '../../../wire.js';
import type { PageQuery } from '../../../page.js';
import type { ChargebackStatus } from './machine.js';
import type { ChargebackCategory } from './record.js';

/** Bodies of chargebacks. */

interface ChargebackDescription {
  readonly description?: Text | null;
  /** The case of the card network or bank. */
  readonly externalCaseNumber?: ShortText | null;
  /** Of the network, or a NACHA return code. */
  readonly reasonCode?: ShortText | null;
  readonly category?: ChargebackCategory | null;
  readonly caseId?: AnyId | null;
  readonly sendNotice?: boolean;
  readonly previewMode?: boolean;
}

export interface CreateChargebackRequest extends ChargebackDescription {
  /** All that is open or lost of one payment may not exceed it. */
  readonly amount: PositiveAmount;
  /** `lost`: the money is gone already. */
  readonly status: Extract<ChargebackStatus, 'open' | 'lost'>;
}

/** Absent fields are untouched. */
export interface UpdateChargebackRequest extends ChargebackDescription {
  readonly status?: ChargebackStatus;
  /** While it is open. */
  readonly amount?: PositiveAmount;
}

export type ListChargebacksQuery = PageQuery;
