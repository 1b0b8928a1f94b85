import type { tags } from 'typia';
import type {
  AgentOutcome,
  Channel,
  Direction,
  InteractionStatus,
  InteractionTheme,
  RecordableChannel,
  StatusDetailWord,
  SubjectWord,
} from '../../../engine/index.js';
import type { OffsetQuery } from '../../page.js';
import type { AnyId, DateText, DateTimeText, ExternalId, MetaData, ShortText, Text, Whole } from '../../wire.js';

/** What a caller says of interactions (communications 4). What is answered is in `view-types.ts`. */

type Address = string & tags.MaxLength<320>;
type ContentText = string & tags.MaxLength<100000>;
type ContentHtml = string & tags.MaxLength<1000000>;

/** What was said. Each channel has its own part of it (`content.ts`). */
export interface InteractionContent {
  readonly from?: Address;
  /** Several of an e-mail. */
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
  readonly subject?: SubjectWord | null;
  /** Needed with subjects that imply none. */
  readonly theme?: InteractionTheme | null;
  readonly borrowerSelectedTheme?: InteractionTheme | null;
  readonly status?: InteractionStatus;
  readonly statusDetails?: StatusDetailWord | null;
  /** Of calls alone. */
  readonly agentOutcome?: AgentOutcome | null;
  readonly contactId?: AnyId | null;
  readonly contactExternalId?: (string & tags.MinLength<1> & tags.MaxLength<255>) | null;
  readonly loanId?: AnyId | null;
  readonly loanIds?: readonly AnyId[] & tags.MaxItems<100>;
  readonly caseId?: AnyId | null;
  readonly previousInteractionId?: AnyId | null;
  readonly externalId?: ExternalId | null;
  readonly metaData?: MetaData | null;
  /** A date alone where the time of day does not matter. */
  readonly startedAt?: DateTimeText | DateText;
  readonly endedAt?: DateTimeText | null;
  /** The window of a planned contact. */
  readonly scheduledAtFrom?: DateTimeText | null;
  readonly scheduledAtTo?: DateTimeText | null;
  readonly isTransactional?: boolean | null;
  readonly sensitive?: boolean;
  readonly sensitiveBorrowerOnly?: boolean;
  /** Of a failed one alone. */
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
  /** These three stay what they are: another value is refused. */
  readonly channel?: Channel;
  readonly direction?: Direction;
  readonly personId?: AnyId | null;
}

/** What comes in (communications 1.6). Without a person the sender is looked for by `content.from`. */
export interface ReceiveRequest extends FieldsBody {
  readonly channel: RecordableChannel;
  readonly direction?: Direction;
  readonly content: InteractionContent;
  readonly personId?: AnyId | null;
}

export interface WriteInteractionQuery {
  /** Answers the shape that a search index takes: flat, with all texts as one. */
  readonly searchable?: boolean;
}

export interface ListPersonInteractionsQuery extends OffsetQuery {
  readonly channel?: Channel;
  readonly caseId?: AnyId;
  readonly loanId?: AnyId;
  readonly contactId?: AnyId;
  /** Null finds old records without a status. */
  readonly status?: readonly (InteractionStatus | 'null')[];
  readonly statusDetails?: readonly ShortText[];
  readonly subject?: SubjectWord;
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
  /** Words in what was said, whatever their case. */
  readonly searchText?: ShortText & tags.MinLength<1>;
  /** Default true. */
  readonly includeContent?: boolean;
  /** `startedAt`, `createdAt`, `updatedAt`, `scheduledAtFrom`. Default `-startedAt`. */
  readonly sortBy?: readonly ShortText[];
}

export interface ListInteractionsQuery extends ListPersonInteractionsQuery {
  /** Null finds those of senders whom nobody knows. */
  readonly personId?: AnyId | 'null';
}
