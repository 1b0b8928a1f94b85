import { FAILURE_DESCRIPTIONS, type FailureReason } from './payment-reasons.js';

interface FailureTexts {
  readonly failureDescriptionShort: string | null;
  readonly failureDescriptionLong: string | null;
}

/** Why verifying or charging an instrument failed, in the words of transactions. */
export function failureTexts(reason: FailureReason | null): FailureTexts {
  const text = reason === null ? null : FAILURE_DESCRIPTIONS[reason];
  return { failureDescriptionShort: text?.short ?? null, failureDescriptionLong: text?.long ?? null };
}
