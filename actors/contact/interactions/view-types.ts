import type {
  AgentOutcome,
  Channel,
  Direction,
  InteractionStatus,
  InteractionTheme,
  StatusDetail,
  Subject,
} from '../../../engine/index.js';
import type { ContactView, PersonView } from '../../borrower/index.js';
import type { TaskType } from '../../company/index.js';
import type { ActorView } from '../../kernel/actor-view.js';
import type { DateTimeText, MetaData } from '../../wire.js';
import type { InteractionContent } from './requests.js';

/** An interaction as a search index takes it: flat, with all that was said as one text. */
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
  /** Of the searchable shape alone; null for those who may not read it. */
  readonly text?: string | null;
}

/** An interaction as replies show it. */
export interface InteractionView extends Omit<SearchableInteractionView, 'text'> {
  /** Null for those who may not read it, and once the borrower was erased. */
  readonly content: InteractionContent | null;
  readonly failureDescriptionShort: string | null;
  readonly failureDescriptionLong: string | null;
  /** As it was when the interaction named it. In replies to writes its value is a token. */
  readonly contact: ContactView | null;
  /** For whoever may read borrowers. */
  readonly borrower: PersonView | null;
  readonly metaData: MetaData | null;
  readonly statusUpdatedAt: DateTimeText | null;
  readonly statusDetailsUpdatedAt: DateTimeText | null;
  readonly agentOutcomeUpdatedAt: DateTimeText | null;
  readonly createdBy: ActorView | null;
  /** Of the newest task about it. */
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

/** What was said, apart from the rest; where it is a recording, where that lies. */
export interface InteractionContentView {
  readonly interactionId: string;
  readonly object: 'interactionContent';
  readonly channel: Channel;
  readonly content: InteractionContent | null;
  readonly templateVersionId: string | null;
  readonly recordingUrl: string | null;
}
