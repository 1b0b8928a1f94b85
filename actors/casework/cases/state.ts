import type { MetaData } from '../../wire.js';
import type { BaseCaseType, CaseOutcome } from '../../company/index.js';
import type { BlockedChannel, BlockedTheme } from '../../../engine/index.js';
import type { Agent, Tenant } from '../../kernel/fact.js';
import type { StoredCaseStatus } from './machine.js';
import type { Notification } from './notifications.js';

/**
 * A case of a borrower with all its parts. Changes replace lists and records and never write into them, so a shallow copy
 * is independent. Fields that may be personal are sealed with the borrower's data key. Times are milliseconds of the
 * company's clock.
 */
export interface CaseState extends CaseFields {
  readonly id: string;
  readonly tenant: Tenant;
  personId: string;
  status: StoredCaseStatus;
  statusUpdatedAt: number;
  outcome: CaseOutcome | null;
  outcomeNote: Sealed | null;
  createdAt: number;
  updatedAt: number | null;
  deletedAt: number | null;
  /** Microseconds of machine time; 0 before the case exists. */
  createdStamp: number;
  updatedStamp: number;
  createdBy: Agent | null;
  updatedBy: Agent | null;
  lastViewedAt: number | null;
  lastSubresourceUpdatedAt: number | null;
  associations: readonly Association[];
  snooze: Snooze | null;
  /** All calls, past ones included, oldest first. */
  calls: readonly ScheduledCall[];
  escalations: readonly Escalation[];
  blocks: readonly Block[];
  documents: readonly AttachedDocument[];
  notifications: readonly Notification[];
  /** The newest workflow. */
  workflowId: string | null;
  /** The next automatic review. */
  review: ReviewPlan;
  /** Actions on the case, oldest first: the newest `MAX_TIMELINE`. */
  timeline: readonly TimelineEntry[];
  timelineCount: number;
}

/** The descriptive fields of a case. */
export interface CaseFields {
  readonly caseType: BaseCaseType;
  /** The company's type and its version when the case was created; null if the company had none. */
  readonly caseTypeId: string | null;
  readonly caseTypeVersion: number | null;
  /** The name in that version. */
  readonly typeName: string;
  externalId: string | null;
  name: string | null;
  description: Sealed | null;
  autoCreated: boolean;
  supercaseId: string | null;
  supercasePopulationId: string | null;
  owningEmployeeId: string | null;
  owningTeamId: string | null;
  /** Type fields as on the wire, but amounts in cents; those without a value are absent. */
  fields: Values;
  customFields: Values;
  /** Type fields and custom fields that are texts or objects, as JSON. */
  sealedFields: Sealed | null;
  metaData: MetaData | null;
}

/** A text encrypted with the borrower's data key; see `view.ts` for the context of each. */
export type Sealed = Uint8Array;

export type Values = Readonly<Record<string, unknown>>;

export interface Association {
  readonly objectType: 'loan';
  readonly objectId: string;
  readonly createdAt: number;
  readonly createdBy: Agent;
}

export interface Snooze {
  readonly id: string;
  readonly until: number;
  readonly reason: Sealed | null;
  readonly createdAt: number;
  readonly createdBy: Agent;
}

export interface ScheduledCall extends CallFields {
  readonly id: string;
  readonly status: 'scheduled' | 'completed' | 'missed' | 'canceled';
  /** The time has come: an agent has a task. */
  readonly isDue: boolean;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly createdBy: Agent;
}

export interface CallFields {
  readonly scheduledAt: number;
  readonly contactId: string | null;
  readonly timezone: string | null;
  readonly instructions: Sealed | null;
}

export interface Escalation extends EscalationTarget {
  readonly id: string;
  readonly status: 'open' | 'resolved' | 'canceled';
  /** The reason of the newest change. */
  readonly reason: Sealed;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly resolvedAt: number | null;
  readonly createdBy: Agent;
}

export interface EscalationTarget {
  readonly targetType: 'agent' | 'team';
  readonly employeeId: string | null;
  readonly teamId: string | null;
  readonly isUrgent: boolean;
}

/** A Do Not Interact. */
export interface Block extends BlockPart {
  readonly id: string;
  /** What is left of it without the block for all subcases; null or absent: it has no such part, or is nothing else. */
  readonly withoutSupercase?: BlockPart | null;
  /** `lifted` and `expired` ones block nothing. */
  readonly status: 'active' | 'lifted' | 'expired';
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly endedAt: number | null;
}

/** A block by the one who has set it. */
export interface BlockPart extends BlockFields {
  readonly source: 'api' | 'agent' | 'system' | 'supercase';
  readonly doNotInteractTypeId: string | null;
}

export interface BlockFields {
  readonly channels: readonly BlockedChannel[];
  readonly themes: readonly BlockedTheme[];
  /** Dates as `YYYY-MM-DD`. */
  readonly startDate: string;
  readonly endDate: string | null;
  /** The first moment after the end date. */
  readonly endsAt: number | null;
  readonly daysOfWeek: readonly number[];
  readonly timesOfDay: readonly { readonly fromHour: number; readonly toHour: number }[];
  readonly timezone: string;
  readonly contactLabels: readonly ('personal' | 'work' | 'home' | 'military')[];
}

interface AttachedDocument {
  readonly documentId: string;
  readonly createdAt: number;
  readonly createdBy: Agent;
}

/** The next smart review. Times are milliseconds of the company's clock. */
export interface ReviewPlan {
  /** Reviews up to this moment are over. */
  readonly from: number;
  readonly at: number | null;
  /** The time of the last reminder; null before the first. */
  readonly remindedAt: number | null;
}

export interface TimelineEntry {
  /** Counted from 1 over all entries that the case ever had. */
  readonly number: number;
  readonly action: string;
  readonly at: number;
  readonly by: Agent;
  readonly changes: readonly { readonly field: string; readonly oldValue: unknown; readonly newValue: unknown }[];
}

/** Maximum number of entries of a timeline: years of work on a case. */
export const MAX_TIMELINE = 1_000;

/** A case before its first fact. */
export function newCase(id: string, tenant: Tenant): CaseState {
  return {
    id,
    tenant,
    personId: '',
    status: 'initiated',
    statusUpdatedAt: 0,
    outcome: null,
    outcomeNote: null,
    createdAt: 0,
    updatedAt: null,
    deletedAt: null,
    createdStamp: 0,
    updatedStamp: 0,
    createdBy: null,
    updatedBy: null,
    lastViewedAt: null,
    lastSubresourceUpdatedAt: null,
    associations: [],
    snooze: null,
    calls: [],
    escalations: [],
    blocks: [],
    documents: [],
    notifications: [],
    workflowId: null,
    review: { from: 0, at: null, remindedAt: null },
    timeline: [],
    timelineCount: 0,
    caseType: 'generic',
    caseTypeId: null,
    caseTypeVersion: null,
    typeName: '',
    externalId: null,
    name: null,
    description: null,
    autoCreated: false,
    supercaseId: null,
    supercasePopulationId: null,
    owningEmployeeId: null,
    owningTeamId: null,
    fields: {},
    customFields: {},
    sealedFields: null,
    metaData: null,
  };
}

/** Whether requests may reach the case. */
export const isReachable = ({ createdStamp, status }: CaseState): boolean => createdStamp > 0 && status !== 'deleted';

export const openEscalation = ({ escalations }: CaseState): Escalation | undefined => escalations.find(({ status }) => status === 'open');

export const activeBlock = ({ blocks }: Pick<CaseState, 'blocks'>): Block | undefined => blocks.find(({ status }) => status === 'active');

/** The next scheduled call. */
export const nextCall = ({ calls }: Pick<CaseState, 'calls'>): ScheduledCall | undefined =>
  calls
    .filter(({ status }) => status === 'scheduled')
    .reduce<ScheduledCall | undefined>((next, call) => (next && next.scheduledAt <= call.scheduledAt ? next : call), undefined);
