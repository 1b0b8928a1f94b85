import { test } from 'tap';
import {
  type Channel,
  CHANNELS,
  meaningOfDetail,
  type Direction,
  INTERACTION_STATUSES,
  type StatusDetail,
  statusDetailFault,
  STATUS_DETAILS,
  type StatusDetailValue,
} from '../../../engine/index.js';

const BY_STATUS: Readonly<Record<'succeeded' | 'attempted' | 'failed', string>> = {
  succeeded: 'emailDelivered emailOpened emailClick letterDelivered chatRead',
  attempted:
    'voiceReceivedOutsideOpenHours voiceConnected voiceDisconnectedBeforeQueue voiceUnexpectedDisconnect emailSent letterCreated ' +
    'letterRenderedPdf letterRenderedThumbnails letterInTransit letterInLocalArea letterProcessedForDelivery letterRerouted ' +
    'chatPosted textConvoTimeoutAutoclose textConvoClosedStale textConvoClosedByAgent letterPickUpAvailable letterAccepted ' +
    'letterArrived letterContactCarrier letterDamaged letterDelayed letterDeliveryAttempted letterDeliveryRescheduled letterDeparted ' +
    'letterHeld letterNoticeLeft letterProcessed letterProcessing letterOther',
  failed:
    'emailBlocked emailBounced emailDropped emailFailedToSend emailReportedAsSpam letterDeleted letterFailedToCreate ' +
    'letterReturnedToSender textA2PCampaignUnregistered textAccountSuspended textCarrierViolation textConvoUnknownNumberRejected ' +
    'textDeviceUnreachable textLandlineOrUnreachableCarrier textLenderDisabledInboundTexts textMessageBlocked ' +
    'textMessagePriceExceedsMax textMissingSegment textNumberDisconnected textQueueOverflow textRegionInvalid textUnknownError ' +
    'textUnsubscribedRecipient voiceFailedToInitiate voiceLenderDisabledInboundCalls voiceNumberDisconnected voiceNumberInvalid ' +
    'voiceReceivedNoAgentsAvailable invalidContact blockedByComplianceGuard letterAddressIssue letterDisposed ' +
    'letterLocationInaccessible letterLost letterRescheduleDelivery letterUnclaimed letterUndeliverable',
};

const CERTIFIED = new Set(
  (
    'letterPickUpAvailable letterAccepted letterArrived letterContactCarrier letterDamaged letterDelayed letterDeliveryAttempted ' +
    'letterDeliveryRescheduled letterDeparted letterHeld letterNoticeLeft letterProcessed letterProcessing letterOther ' +
    'letterAddressIssue letterDisposed letterLocationInaccessible letterLost letterRescheduleDelivery letterUnclaimed ' +
    'letterUndeliverable'
  ).split(' '),
);

const INBOUND = new Set(['voiceReceivedOutsideOpenHours', 'voiceReceivedNoAgentsAvailable', 'voiceDisconnectedBeforeQueue']);
const OUTBOUND = new Set(['voiceNumberDisconnected', 'voiceNumberInvalid', 'voiceFailedToInitiate']);
const PREFIXES: readonly (readonly [prefix: string, channel: Channel])[] = [
  ['email', 'email'],
  ['letter', 'mail'],
  ['text', 'text'],
  ['voice', 'voice'],
  ['chat', 'chat'],
];
const DIRECTIONS: readonly Direction[] = ['outbound', 'inbound'];
const channels = Object.keys(CHANNELS) as Channel[];

/** All that the tables of the contract allow, said once more without the table of the engine. */
function isAllowed(detail: string, status: string, channel: Channel, direction: Direction, mailIsCertified: boolean): boolean {
  const bound = PREFIXES.find(([prefix]) => detail.startsWith(prefix))?.[1];
  return (
    detail !== 'emailFailedToSend' &&
    (BY_STATUS as Readonly<Record<string, string>>)[status]?.split(' ').includes(detail) === true &&
    (bound === undefined || bound === channel) &&
    !(INBOUND.has(detail) && direction !== 'inbound') &&
    !(OUTBOUND.has(detail) && direction !== 'outbound') &&
    (mailIsCertified || !CERTIFIED.has(detail))
  );
}

for (const statusDetails of Object.keys(STATUS_DETAILS) as StatusDetail[]) {
  test(`${statusDetails} is valid only with its status, channel and direction`, async (t) => {
    const wrong: string[] = [];
    for (const status of INTERACTION_STATUSES) {
      for (const channel of channels) {
        for (const direction of DIRECTIONS) {
          for (const mailIsCertified of [false, true]) {
            const taken = statusDetailFault({ status, statusDetails, channel, direction, mailIsCertified }) === null;
            if (taken !== isAllowed(statusDetails, status, channel, direction, mailIsCertified))
              wrong.push(`${status} ${channel} ${direction} ${mailIsCertified}`);
          }
        }
      }
    }
    t.strictSame(wrong, []);
  });
}

test('there is no other detail', async (t) =>
  t.strictSame(
    Object.keys(STATUS_DETAILS).sort(),
    Object.values(BY_STATUS)
      .flatMap((outcomes) => outcomes.split(' '))
      .sort(),
  ));

test('the outcome of an agent moves to agentOutcome, and the call was connected', async (t) => {
  const outcomes = [
    'voiceSpokeWithFirstParty',
    'voiceSpokeWithThirdParty',
    'voiceLeftVoicemail',
    'voiceReachedVoicemailNoMessageLeft',
    'voiceRangNoPickup',
    'voiceLineBusyNoRing',
    'voicePickedHungUp',
    'voiceDisconnectedWhileQueuedOnHold',
  ] as const;
  for (const agentOutcome of outcomes) t.strictSame(meaningOfDetail(agentOutcome), { statusDetails: 'voiceConnected', agentOutcome });
  const own: readonly StatusDetailValue[] = ['voiceUnexpectedDisconnect', 'voiceFailedToInitiate', 'voiceNumberDisconnected', 'emailSent'];
  for (const statusDetails of own) t.strictSame(meaningOfDetail(statusDetails), { statusDetails, agentOutcome: null });
});
