import type { Channel, Direction } from './channels.js';
import type { InteractionStatus } from './statuses.js';

export interface StatusDetailRow {
  readonly status: InteractionStatus;
  /** Null: of every channel. */
  readonly channel: Channel | null;
  /** Absent: of both. */
  readonly direction?: Direction;
  readonly isOfCertifiedMail?: true;
  readonly isReserved?: true;
}

/**
 * The technical outcome of a communication: the status, channel and direction that each belongs to.
 */
export const STATUS_DETAILS = {
  // Reached the borrower.
  emailDelivered: { status: 'succeeded', channel: 'email' },
  emailOpened: { status: 'succeeded', channel: 'email' },
  emailClick: { status: 'succeeded', channel: 'email' },
  letterDelivered: { status: 'succeeded', channel: 'mail' },
  chatRead: { status: 'succeeded', channel: 'chat' },
  // On its way, or a call that took place.
  voiceReceivedOutsideOpenHours: { status: 'attempted', channel: 'voice', direction: 'inbound' },
  voiceConnected: { status: 'attempted', channel: 'voice' },
  voiceDisconnectedBeforeQueue: { status: 'attempted', channel: 'voice', direction: 'inbound' },
  voiceUnexpectedDisconnect: { status: 'attempted', channel: 'voice' },
  emailSent: { status: 'attempted', channel: 'email' },
  letterCreated: { status: 'attempted', channel: 'mail' },
  letterRenderedPdf: { status: 'attempted', channel: 'mail' },
  letterRenderedThumbnails: { status: 'attempted', channel: 'mail' },
  letterInTransit: { status: 'attempted', channel: 'mail' },
  letterInLocalArea: { status: 'attempted', channel: 'mail' },
  letterProcessedForDelivery: { status: 'attempted', channel: 'mail' },
  letterRerouted: { status: 'attempted', channel: 'mail' },
  chatPosted: { status: 'attempted', channel: 'chat' },
  textConvoTimeoutAutoclose: { status: 'attempted', channel: 'text' },
  /** Deprecated. */
  textConvoClosedStale: { status: 'attempted', channel: 'text' },
  textConvoClosedByAgent: { status: 'attempted', channel: 'text' },
  // The way of certified mail alone.
  letterPickUpAvailable: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterAccepted: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterArrived: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterContactCarrier: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterDamaged: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterDelayed: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterDeliveryAttempted: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterDeliveryRescheduled: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterDeparted: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterHeld: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterNoticeLeft: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterProcessed: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterProcessing: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  letterOther: { status: 'attempted', channel: 'mail', isOfCertifiedMail: true },
  // Did not reach the borrower.
  emailBlocked: { status: 'failed', channel: 'email' },
  emailBounced: { status: 'failed', channel: 'email' },
  emailDropped: { status: 'failed', channel: 'email' },
  /** Reserved: never taken. */
  emailFailedToSend: { status: 'failed', channel: 'email', isReserved: true },
  emailReportedAsSpam: { status: 'failed', channel: 'email' },
  letterDeleted: { status: 'failed', channel: 'mail' },
  letterFailedToCreate: { status: 'failed', channel: 'mail' },
  letterReturnedToSender: { status: 'failed', channel: 'mail' },
  textA2PCampaignUnregistered: { status: 'failed', channel: 'text' },
  textAccountSuspended: { status: 'failed', channel: 'text' },
  textCarrierViolation: { status: 'failed', channel: 'text' },
  textConvoUnknownNumberRejected: { status: 'failed', channel: 'text' },
  textDeviceUnreachable: { status: 'failed', channel: 'text' },
  textLandlineOrUnreachableCarrier: { status: 'failed', channel: 'text' },
  textLenderDisabledInboundTexts: { status: 'failed', channel: 'text' },
  textMessageBlocked: { status: 'failed', channel: 'text' },
  textMessagePriceExceedsMax: { status: 'failed', channel: 'text' },
  textMissingSegment: { status: 'failed', channel: 'text' },
  textNumberDisconnected: { status: 'failed', channel: 'text' },
  textQueueOverflow: { status: 'failed', channel: 'text' },
  textRegionInvalid: { status: 'failed', channel: 'text' },
  textUnknownError: { status: 'failed', channel: 'text' },
  textUnsubscribedRecipient: { status: 'failed', channel: 'text' },
  voiceFailedToInitiate: { status: 'failed', channel: 'voice', direction: 'outbound' },
  voiceLenderDisabledInboundCalls: { status: 'failed', channel: 'voice' },
  voiceNumberDisconnected: { status: 'failed', channel: 'voice', direction: 'outbound' },
  voiceNumberInvalid: { status: 'failed', channel: 'voice', direction: 'outbound' },
  voiceReceivedNoAgentsAvailable: { status: 'failed', channel: 'voice', direction: 'inbound' },
  invalidContact: { status: 'failed', channel: null },
  blockedByComplianceGuard: { status: 'failed', channel: null },
  // Ends of certified mail alone.
  letterAddressIssue: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterDisposed: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterLocationInaccessible: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterLost: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterRescheduleDelivery: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterUnclaimed: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterUndeliverable: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
} as const satisfies Readonly<Record<string, StatusDetailRow>>;

export type StatusDetail = keyof typeof STATUS_DETAILS;
