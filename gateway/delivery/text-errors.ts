import type { FeedbackSignal } from '../../engine/index.js';

/** What codes of providers say of a text: those of the usual interface. */
const SIGNALS: Readonly<Record<string, FeedbackSignal>> = {
  // Refused when it is handed over.
  21211: 'textUnknownError', // no number
  21408: 'textRegionInvalid', // no permission for the region
  21610: 'textUnsubscribedRecipient', // the number has sent STOP
  21612: 'textRegionInvalid', // not reachable from this sender
  21614: 'textLandlineOrUnreachableCarrier', // no mobile number
  // Reported afterwards.
  30001: 'textQueueOverflow',
  30002: 'textAccountSuspended',
  30003: 'textDeviceUnreachable',
  30004: 'textMessageBlocked',
  30005: 'textNumberDisconnected', // the number is unknown or no longer in service
  30006: 'textLandlineOrUnreachableCarrier',
  30007: 'textCarrierViolation',
  30008: 'textUnknownError',
  30009: 'textMissingSegment',
  30010: 'textMessagePriceExceedsMax',
  30034: 'textA2PCampaignUnregistered',
};

/** A code that is not in the table says nothing more than that it came to nothing. */
export const signalOfCode = (code: string | null): FeedbackSignal => (code === null ? undefined : SIGNALS[code]) ?? 'textUnknownError';
