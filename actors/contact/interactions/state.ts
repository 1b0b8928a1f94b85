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
  /** The time of its window has come: the desk has a task. */
  isDue: boolean;
  /** How far a message of the service has come on its way out; null of one that has not begun, and of all that others have said. */
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
  /** Null of an inbound message of a sender whom nobody knows. */
  readonly personId: string | null;
  /** Supplied by a caller, not made by the service. */
  readonly isExternal: boolean;
  readonly templateVersionId: string | null;
  readonly supercaseBulkOperationId: string | null;
}

/** What may change of it. */
export interface ChangeableFields {
  subject: Subject | null;
  theme: InteractionTheme | null;
  borrowerSelectedTheme: InteractionTheme | null;
  status: InteractionStatus;
  statusDetails: StatusDetail | null;
  agentOutcome: AgentOutcome | null;
  contactId: string | null;
  /** The contact as it was when it was named, as JSON. */
  contact: Sealed | null;
  loanId: string | null;
  /** All loans that it is about, `loanId` among them. */
  loanIds: readonly string[];
  caseId: string | null;
  previousInteractionId: string | null;
  externalId: string | null;
  metaData: Readonly<Record<string, unknown>> | null;
  /** What was said, as JSON. */
  content: Sealed | null;
  /** What a message of the service is written from at its moment, as JSON (`MessagePlan`); null of one that is written. */
  plan: Sealed | null;
  /** The content names a recording. */
  hasRecording: boolean;
  /** Null of one that is still to come. */
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
  /** What stopped it; null of one that nothing stopped. */
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

/** An inbound call that nobody took. */
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
