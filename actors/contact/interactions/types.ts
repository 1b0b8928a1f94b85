import type { tags } from 'typia';
import type {
  AgentOutcome,
  Channel,
  Direction,
  InteractionStatus,
  InteractionTheme,
  RecordableChannel,
  StatusDetail,
  StatusDetailValue,
  Subject,
  SubjectValue,
} from '../../../engine/index.js';
import type { ContactView, PersonView } from '../../borrower/index.js';
import type { TaskType } from '../../company/index.js';
import type { ActorView } from '../../kernel/actor-logic.js';
import type { OffsetQuery } from '../../list-order.js';
import type { AnyId, DateText, DateTimeText, ExternalId, MetaData, ShortText, Text, Whole } from '../../wire.js';

/** Bodies, queries and replies of interactions. */

type Address = string & tags.MaxLength<320>;
type ContentText = string & tags.MaxLength<100000>;
type ContentHtml = string & tags.MaxLength<1000000>;

/** The content of an interaction. Each channel allows some of the fields (`CONTENT_FIELDS` in `draft.ts`). */
export interface InteractionContent {
  readonly from?: Address;
  /** An e-mail can have several. */
  readonly to?: Address | (readonly Address[] & tags.MaxItems<100>);
  readonly cc?: readonly Address[] & tags.MaxItems<100>;
  readonly subjectLine?: Text;
  readonly contentHtml?: ContentHtml;
  readonly contentText?: ContentText;
  /** Ids of documents. */
  readonly attachments?: readonly ShortText[] & tags.MaxItems<10>;
  readonly mediaUrls?: readonly Text[] & tags.MaxItems<10>;
  readonly segments?: Whole;
  readonly recordingDocumentId?: ShortText;
  readonly transcript?: ContentText;
  readonly durationSeconds?: Whole;
  readonly voicemail?: boolean;
  readonly sessionId?: ShortText;
  readonly messages?: readonly ChatMessage[] & tags.MaxItems<1000>;
  readonly address?: Text;
  readonly documentId?: ShortText;
  readonly trackingNumber?: ShortText;
  readonly pages?: Whole;
  readonly title?: Text;
}

interface ChatMessage {
  readonly from?: Address;
  readonly text: string & tags.MaxLength<10000>;
  readonly at?: DateTimeText;
}

interface FieldsBody {
  readonly content?: InteractionContent | null;
  readonly subject?: SubjectValue | null;
  /** Required with subjects that imply no theme. */
  readonly theme?: InteractionTheme | null;
  readonly borrowerSelectedTheme?: InteractionTheme | null;
  readonly status?: InteractionStatus;
  readonly statusDetails?: StatusDetailValue | null;
  /** For calls only. */
  readonly agentOutcome?: AgentOutcome | null;
  readonly contactId?: AnyId | null;
  readonly contactExternalId?: (string & tags.MinLength<1> & tags.MaxLength<255>) | null;
  readonly loanId?: AnyId | null;
  readonly loanIds?: readonly AnyId[] & tags.MaxItems<100>;
  readonly caseId?: AnyId | null;
  readonly previousInteractionId?: AnyId | null;
  readonly externalId?: ExternalId | null;
  readonly metaData?: MetaData | null;
  /** A date without a time if the time of day does not matter. */
  readonly startedAt?: DateTimeText | DateText;
  readonly endedAt?: DateTimeText | null;
  /** The window of a planned contact. */
  readonly scheduledAtFrom?: DateTimeText | null;
  readonly scheduledAtTo?: DateTimeText | null;
  readonly isTransactional?: boolean | null;
  readonly sensitive?: boolean;
  readonly sensitiveBorrowerOnly?: boolean;
  /** For failed interactions only. */
  readonly failureDescriptionShort?: ShortText | null;
  readonly failureDescriptionLong?: Text | null;
  readonly mailIsCertified?: boolean;
  readonly isAutodialed?: boolean;
}

export interface CreateInteractionRequest extends FieldsBody {
  readonly channel: RecordableChannel;
  readonly direction?: Direction;
}

export interface UpdateInteractionRequest extends FieldsBody {
  /** These three cannot be changed: another value is refused. */
  readonly channel?: Channel;
  readonly direction?: Direction;
  readonly personId?: AnyId | null;
}

/** An incoming message or call. Without a person the sender is searched for by `content.from`. */
export interface ReceiveRequest extends FieldsBody {
  readonly channel: RecordableChannel;
  readonly direction?: Direction;
  readonly content: InteractionContent;
  readonly personId?: AnyId | null;
}

export interface WriteInteractionQuery {
  /** Answers a shape for search indexes: flat, with all texts as one. */
  readonly searchable?: boolean;
}

export interface ListPersonInteractionsQuery extends OffsetQuery {
  readonly channel?: Channel;
  readonly caseId?: AnyId;
  readonly loanId?: AnyId;
  readonly contactId?: AnyId;
  /** `null` finds old records without a status. */
  readonly status?: readonly (InteractionStatus | 'null')[];
  readonly statusDetails?: readonly ShortText[];
  readonly subject?: SubjectValue;
  readonly theme?: InteractionTheme;
  readonly direction?: Direction | 'all';
  readonly isExternal?: boolean;
  readonly isTransactional?: boolean;
  readonly hasRecording?: boolean;
  readonly missedCall?: boolean;
  readonly sensitive?: boolean;
  readonly agentOutcome?: AgentOutcome;
  readonly templateVersionId?: ShortText;
  readonly supercaseBulkOperationId?: ShortText;
  readonly startedAtAfter?: DateTimeText;
  readonly startedAtBefore?: DateTimeText;
  readonly createdAtAfter?: DateTimeText;
  readonly createdAtBefore?: DateTimeText;
  /** A text in the content, without regard to case. */
  readonly searchText?: ShortText & tags.MinLength<1>;
  /** Default true. */
  readonly includeContent?: boolean;
  /** `startedAt`, `createdAt`, `updatedAt`, `scheduledAtFrom`. Default `-startedAt`. */
  readonly sortBy?: readonly ShortText[];
}

export interface ListInteractionsQuery extends ListPersonInteractionsQuery {
  /** `null` finds those of unknown senders. */
  readonly personId?: AnyId | 'null';
}

/** An interaction in the shape for search indexes: flat, with all texts as one. */
export interface SearchableInteractionView {
  readonly id: string;
  readonly object: 'interaction';
  readonly companyId: string;
  readonly personId: string | null;
  readonly externalId: string | null;
  readonly channel: Channel;
  readonly direction: Direction;
  readonly subject: Subject | null;
  readonly theme: InteractionTheme | null;
  readonly borrowerSelectedTheme: InteractionTheme | null;
  readonly status: InteractionStatus;
  readonly statusDetails: StatusDetail | null;
  readonly agentOutcome: AgentOutcome | null;
  readonly contactId: string | null;
  readonly contactExternalId: string | null;
  readonly loanId: string | null;
  readonly loanIds: readonly string[];
  readonly caseId: string | null;
  readonly previousInteractionId: string | null;
  readonly startedAt: DateTimeText | null;
  readonly endedAt: DateTimeText | null;
  readonly scheduledAtFrom: DateTimeText | null;
  readonly scheduledAtTo: DateTimeText | null;
  readonly sendAt: DateTimeText | null;
  readonly isTransactional: boolean | null;
  readonly isExternal: boolean;
  readonly sensitive: boolean;
  readonly sensitiveBorrowerOnly: boolean;
  readonly complianceGuardRuleId: string | null;
  readonly templateVersionId: string | null;
  readonly providerErrorCode: string | null;
  readonly mailIsCertified: boolean;
  readonly isAutodialed: boolean;
  readonly supercaseBulkOperationId: string | null;
  readonly recordingAvailable: boolean;
  readonly missedCall: boolean;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
  /** In the shape for search indexes only; null if the caller may not read it. */
  readonly text?: string | null;
}

/** An interaction as replies show it. */
export interface InteractionView extends Omit<SearchableInteractionView, 'text'> {
  /** Null if the caller may not read it, and after the borrower was erased. */
  readonly content: InteractionContent | null;
  readonly failureDescriptionShort: string | null;
  readonly failureDescriptionLong: string | null;
  /** The contact when the interaction was recorded. In replies to writes its value is a token. */
  readonly contact: ContactView | null;
  /** For callers who may read borrowers. */
  readonly borrower: PersonView | null;
  readonly metaData: MetaData | null;
  readonly statusUpdatedAt: DateTimeText | null;
  readonly statusDetailsUpdatedAt: DateTimeText | null;
  readonly agentOutcomeUpdatedAt: DateTimeText | null;
  readonly createdBy: ActorView | null;
  /** The newest task about the interaction. */
  readonly lastTaskMeta: LastTaskMeta | null;
}

export interface LastTaskMeta {
  readonly sid: string;
  readonly taskType: TaskType;
  readonly assignmentStatus: 'pending' | 'reserved' | 'assigned' | 'wrapping' | 'completed' | 'canceled';
  readonly assignedEmployee: {
    readonly id: string;
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly userId: string;
  } | null;
  readonly taskInitAt: DateTimeText;
}

/** The content by itself; for a recording, its address. */
export interface InteractionContentView {
  readonly interactionId: string;
  readonly object: 'interactionContent';
  readonly channel: Channel;
  readonly content: InteractionContent | null;
  readonly templateVersionId: string | null;
  readonly recordingUrl: string | null;
}
