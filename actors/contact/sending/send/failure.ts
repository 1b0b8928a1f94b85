import type { BlockReason } from '../../../../engine/index.js';
import { Refusal } from '../../../errors.js';
import { type DateTimeText, dateTimeText, orNull } from '../../../wire.js';

/** Why nothing was sent. */
export interface SendFailure {
  readonly blockReason: BlockReason | TemplateReason;
  readonly message: string;
  /** The interaction that records it; null where nothing is recorded. */
  readonly interactionId: string | null;
  readonly ruleId: string | null;
  /** When it would be allowed, where that is a matter of time alone. */
  readonly sendAt: number | null;
}

export type TemplateReason = 'templateMissing' | 'templateDisabled' | 'templateError';

/** What a reply with 422 says besides the usual. */
interface SendFailureView {
  readonly interactionId: string | null;
  readonly ruleId: string | null;
  readonly blockReason: SendFailure['blockReason'];
  readonly sendAt: DateTimeText | null;
}

/** A send that came to nothing and is recorded all the same: the data of its outcome, whose status is 422. */
export interface FailedSend extends SendFailureView {
  readonly message: string;
}

export const failedSend = ({ message, interactionId, ruleId, blockReason, sendAt }: SendFailure): FailedSend => ({
  message,
  interactionId,
  ruleId,
  blockReason,
  sendAt: orNull(dateTimeText, sendAt),
});

export const refusalOf = ({ message, ...extra }: FailedSend): Refusal =>
  new Refusal('businessValidation', message, { extra: { ...extra } });
