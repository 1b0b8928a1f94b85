interface ChannelRow {
  /** What the service does with a message: it sends the message, or one of the alternatives. */
  readonly sending: 'sent' | 'insideOpenChat' | 'renderedOnly' | 'dialedByOthers' | 'refused';
  /** Callers may record new interactions on this channel. */
  readonly isRecordable: boolean;
}

/** The channels between a borrower and a lender. */
export const CHANNELS = {
  /** A telephone call. Another system dials, the service records. */
  voice: { sending: 'dialedByOthers', isRecordable: true },
  email: { sending: 'sent', isRecordable: true },
  text: { sending: 'sent', isRecordable: true },
  /** A message inside a chat that the borrower opened. */
  chat: { sending: 'insideOpenChat', isRecordable: true },
  /** A letter on paper. */
  mail: { sending: 'sent', isRecordable: true },
  /** Text shown in a portal. */
  gui: { sending: 'renderedOnly', isRecordable: true },
  document: { sending: 'renderedOnly', isRecordable: true },
  /** Deprecated: existing records keep it, new ones are refused. */
  fax: { sending: 'refused', isRecordable: false },
} as const satisfies Readonly<Record<string, ChannelRow>>;

export type Channel = keyof typeof CHANNELS;

/** Channels on which the service sends messages. */
export type SendableChannel = { [Name in Channel]: (typeof CHANNELS)[Name]['sending'] extends 'sent' ? Name : never }[Channel];

export type RecordableChannel = { [Name in Channel]: (typeof CHANNELS)[Name]['isRecordable'] extends true ? Name : never }[Channel];

export const isSendable = (channel: Channel): channel is SendableChannel => CHANNELS[channel].sending === 'sent';

export const isRecordable = (channel: Channel): channel is RecordableChannel => CHANNELS[channel].isRecordable;

/** Channels of notification types: those that reach a borrower. */
export type NotificationChannel = 'voice' | 'email' | 'text' | 'mail' | 'chat';

/** Channels of a Do Not Interact: `all`, or those that reach a borrower, including the deprecated fax. */
export type BlockedChannel = 'all' | Exclude<Channel, 'gui' | 'document'>;

/** The direction as the lender sees it. */
export type Direction = 'outbound' | 'inbound';

/** An invalid value in a communication: the field, the values that it takes, and the reason. */
export interface ValueFault {
  readonly path: string;
  readonly expected: string;
  readonly message: string;
}

/** The outcome of a call as an agent reports it, with the directions of calls in which it can happen. */
export const AGENT_OUTCOMES = {
  voiceSpokeWithFirstParty: ['outbound', 'inbound'],
  voiceSpokeWithThirdParty: ['outbound', 'inbound'],
  voiceLeftVoicemail: ['outbound'],
  voiceReachedVoicemailNoMessageLeft: ['outbound', 'inbound'],
  voiceRangNoPickup: ['outbound'],
  voiceLineBusyNoRing: ['outbound'],
  voicePickedHungUp: ['outbound', 'inbound'],
  voiceDisconnectedWhileQueuedOnHold: ['inbound'],
  voiceUnexpectedDisconnect: ['outbound', 'inbound'],
  voiceFailedToInitiate: ['outbound'],
  /** Also changes the contact: its phone is disconnected. */
  voiceNumberDisconnected: ['outbound', 'inbound'],
} as const satisfies Readonly<Record<string, readonly Direction[]>>;

export type AgentOutcome = keyof typeof AGENT_OUTCOMES;

export function agentOutcomeFault(agentOutcome: AgentOutcome, channel: Channel, direction: Direction): ValueFault | null {
  const fault = (expected: string): ValueFault => ({
    path: 'agentOutcome',
    expected,
    message: `${agentOutcome} is no outcome of an ${direction} ${channel} interaction.`,
  });
  if (channel !== 'voice') return fault('none but for voice');
  const directions: readonly Direction[] = AGENT_OUTCOMES[agentOutcome];
  return directions.includes(direction) ? null : fault(`one of ${direction} calls`);
}

/** The status of a communication. */
export type InteractionStatus = (typeof INTERACTION_STATUSES)[number];

export const INTERACTION_STATUSES = ['scheduled', 'inProgress', 'attempted', 'succeeded', 'failed', 'canceled'] as const;

/**
 * Who changes a status: the service while it sends, a provider with feedback about a message, or a caller who records a contact that
 * another system made.
 */
export type StatusMover = 'service' | 'feedback' | 'caller';

export type InteractionMove = 'attempt' | 'succeed' | 'fail' | 'cancel' | 'postpone';

/** The status to which a move leads. */
export const INTERACTION_TARGETS = {
  attempt: 'attempted',
  succeed: 'succeeded',
  fail: 'failed',
  cancel: 'canceled',
  postpone: 'scheduled',
} as const satisfies Readonly<Record<InteractionMove, InteractionStatus>>;

/**
 * The moves of each status and who may make them: the rows of the statechart of interactions. A failed interaction changes again if a
 * deferred e-mail is sent after all, or if a caller corrects its own record. The service postpones a message that nobody has got yet, where
 * the guard names a later moment for it.
 */
export const INTERACTION_MOVES: Readonly<Record<InteractionStatus, Readonly<Partial<Record<InteractionMove, readonly StatusMover[]>>>>> = {
  scheduled: { attempt: ['service', 'caller'], cancel: ['service', 'caller'], fail: ['service', 'caller'] },
  inProgress: {
    succeed: ['service', 'feedback', 'caller'],
    attempt: ['service', 'feedback', 'caller'],
    fail: ['service', 'feedback', 'caller'],
  },
  attempted: { succeed: ['feedback', 'caller'], fail: ['service', 'feedback', 'caller'], postpone: ['service'] },
  succeeded: { fail: ['feedback', 'caller'] },
  failed: { attempt: ['feedback', 'caller'], succeed: ['feedback', 'caller'], postpone: ['service'] },
  canceled: {},
};

export const INTERACTION_MOVE_NAMES: readonly InteractionMove[] = ['attempt', 'succeed', 'fail', 'cancel', 'postpone'];

export const mayMove = (from: InteractionStatus, to: InteractionStatus, by: StatusMover): boolean =>
  INTERACTION_MOVE_NAMES.some((move) => INTERACTION_TARGETS[move] === to && INTERACTION_MOVES[from][move]?.includes(by) === true);

/** Statuses that count toward limits of contacts. Failed and planned interactions have reached nobody. */
export const COUNTED_STATUSES: ReadonlySet<InteractionStatus> = new Set(['attempted', 'succeeded', 'inProgress']);

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
  // On its way, certified mail only.
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
  /** Reserved: never accepted. */
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
  // Did not reach the borrower, certified mail only.
  letterAddressIssue: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterDisposed: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterLocationInaccessible: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterLost: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterRescheduleDelivery: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterUnclaimed: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
  letterUndeliverable: { status: 'failed', channel: 'mail', isOfCertifiedMail: true },
} as const satisfies Readonly<Record<string, StatusDetailRow>>;

export type StatusDetail = keyof typeof STATUS_DETAILS;

/** Outcomes that older callers send in `statusDetails` instead of `agentOutcome`. */
export type MovedOutcome = Exclude<AgentOutcome, StatusDetail>;

/** Values that a request may have in `statusDetails`. */
export type StatusDetailValue = StatusDetail | MovedOutcome;

export interface DetailedStatus {
  readonly status: InteractionStatus;
  readonly statusDetails: StatusDetail;
  readonly channel: Channel;
  readonly direction: Direction;
  readonly mailIsCertified: boolean;
}

/** Why a detail does not match the rest; null if it matches. */
export function statusDetailFault({ status, statusDetails, channel, direction, mailIsCertified }: DetailedStatus): ValueFault | null {
  const row: StatusDetailRow = STATUS_DETAILS[statusDetails];
  const fault = (expected: string, message: string): ValueFault => ({ path: 'statusDetails', expected, message });
  if (row.isReserved === true) return fault('a value that is not reserved', `${statusDetails} is reserved.`);
  if (row.status !== status)
    return fault(`a detail of ${status}`, `${statusDetails} goes with the status ${row.status}, not with ${status}.`);
  if (row.channel !== null && row.channel !== channel)
    return fault(`a detail of ${channel}`, `${statusDetails} goes with the channel ${row.channel}, not with ${channel}.`);
  if (row.direction !== undefined && row.direction !== direction)
    return fault(`a detail of ${direction} interactions`, `${statusDetails} is of ${row.direction} interactions only.`);
  if (row.isOfCertifiedMail === true && !mailIsCertified)
    return fault('a detail of mail that is not certified', `${statusDetails} is of certified mail only.`);
  return null;
}

export interface DetailMeaning {
  readonly statusDetails: StatusDetail;
  /** Null if the value is not the outcome of an agent. */
  readonly agentOutcome: AgentOutcome | null;
}

/**
 * What a value of `statusDetails` means. An outcome that an agent reports belongs to `agentOutcome` and means that the call was connected.
 */
export const meaningOfDetail = (value: StatusDetailValue): DetailMeaning =>
  isMovedOutcome(value) ? { statusDetails: 'voiceConnected', agentOutcome: value } : { statusDetails: value, agentOutcome: null };

const isMovedOutcome = (value: StatusDetailValue): value is MovedOutcome =>
  Object.hasOwn(AGENT_OUTCOMES, value) && !Object.hasOwn(STATUS_DETAILS, value);
