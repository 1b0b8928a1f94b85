import type { MetaData } from '../../wire.js';
import type {
  AgentOutcome,
  Channel,
  Direction,
  InteractionStatus,
  InteractionTheme,
  StatusDetail,
  Subject,
} from '../../../engine/index.js';
import type { Delivery } from '../sending/delivery/delivery.js';
import type { Agent, Tenant } from '../../kernel/fact.js';

/**
 * One communication with a borrower. It is kept on the shard of its borrower, or on a shard of its own if the sender is unknown. Times are
 * milliseconds of the company's clock.
 */
export interface InteractionState extends InteractionFields {
  readonly id: string;
  readonly tenant: Tenant;
  /** The window has begun: agents have a task. */
  isDue: boolean;
  /** The state of the delivery of a message of the service; null if it has not begun, and for all other interactions. */
  delivery: Delivery | null;
  isDeleted: boolean;
  createdBy: Agent | null;
  createdAt: number;
  updatedAt: number | null;
  statusUpdatedAt: number | null;
  statusDetailsUpdatedAt: number | null;
  agentOutcomeUpdatedAt: number | null;
  /** Microseconds; 0 before it is recorded. */
  createdStamp: number;
  updatedStamp: number;
}

/** A text encrypted with the key of its owner (`sealing.ts`). */
export type Sealed = Uint8Array;

export interface InteractionFields extends ChangeableFields {
  readonly channel: Channel;
  readonly direction: Direction;
  /** Null for an inbound message of an unknown sender. */
  readonly personId: string | null;
  /** Recorded by a caller, not sent by the service. */
  readonly isExternal: boolean;
  readonly templateVersionId: string | null;
  readonly supercaseBulkOperationId: string | null;
}

/** The fields that can change. */
export interface ChangeableFields {
  subject: Subject | null;
  theme: InteractionTheme | null;
  borrowerSelectedTheme: InteractionTheme | null;
  status: InteractionStatus;
  statusDetails: StatusDetail | null;
  agentOutcome: AgentOutcome | null;
  contactId: string | null;
  /** The contact when it was chosen, as JSON. */
  contact: Sealed | null;
  loanId: string | null;
  /** All loans that the interaction is about, including `loanId`. */
  loanIds: readonly string[];
  caseId: string | null;
  previousInteractionId: string | null;
  externalId: string | null;
  metaData: MetaData | null;
  /** The content, as JSON. */
  content: Sealed | null;
  /** What a message of the service is written from at its moment, as JSON (`MessagePlan`); null of one that is written. */
  plan: Sealed | null;
  /** The content names a recording. */
  hasRecording: boolean;
  /** Null for a planned interaction. */
  startedAt: number | null;
  endedAt: number | null;
  scheduledAtFrom: number | null;
  scheduledAtTo: number | null;
  sendAt: number | null;
  isTransactional: boolean | null;
  sensitive: boolean;
  sensitiveBorrowerOnly: boolean;
  /** Why it failed, short and long, as JSON. */
  failure: Sealed | null;
  complianceGuardRuleId: string | null;
  /** Why it was blocked; null if it was not blocked. */
  blockReason: string | null;
  providerErrorCode: string | null;
  mailIsCertified: boolean;
  isAutodialed: boolean;
}

export const newInteraction = (id: string, tenant: Tenant): InteractionState => ({
  id,
  tenant,
  channel: 'voice',
  direction: 'outbound',
  personId: null,
  isExternal: true,
  templateVersionId: null,
  supercaseBulkOperationId: null,
  ...NOTHING_SAID,
  status: 'attempted',
  isDue: false,
  delivery: null,
  isDeleted: false,
  createdBy: null,
  createdAt: 0,
  updatedAt: null,
  statusUpdatedAt: null,
  statusDetailsUpdatedAt: null,
  agentOutcomeUpdatedAt: null,
  createdStamp: 0,
  updatedStamp: 0,
});

export const NOTHING_SAID: Omit<ChangeableFields, 'status'> = {
  subject: null,
  theme: null,
  borrowerSelectedTheme: null,
  statusDetails: null,
  agentOutcome: null,
  contactId: null,
  contact: null,
  loanId: null,
  loanIds: [],
  caseId: null,
  previousInteractionId: null,
  externalId: null,
  metaData: null,
  content: null,
  plan: null,
  hasRecording: false,
  startedAt: null,
  endedAt: null,
  scheduledAtFrom: null,
  scheduledAtTo: null,
  sendAt: null,
  isTransactional: null,
  sensitive: false,
  sensitiveBorrowerOnly: false,
  failure: null,
  complianceGuardRuleId: null,
  blockReason: null,
  providerErrorCode: null,
  mailIsCertified: false,
  isAutodialed: false,
};

export const isReachable = ({ createdStamp, isDeleted }: InteractionState): boolean => createdStamp !== 0 && !isDeleted;

/** An inbound call that nobody answered. */
export const isMissedCall = ({
  channel,
  direction,
  statusDetails,
}: Pick<InteractionFields, 'channel' | 'direction' | 'statusDetails'>): boolean =>
  channel === 'voice' && direction === 'inbound' && MISSED.has(statusDetails);

const MISSED: ReadonlySet<StatusDetail | null> = new Set<StatusDetail | null>([
  'voiceReceivedNoAgentsAvailable',
  'voiceReceivedOutsideOpenHours',
  'voiceDisconnectedBeforeQueue',
]);
