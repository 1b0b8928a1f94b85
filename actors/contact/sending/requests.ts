import type { tags } from 'typia';
import type { InteractionTheme, SendableChannel, SubjectWord } from '../../../engine/index.js';
import type { AnyId, DateTimeText, ExternalId, FreeJson, MetaData, ShortText } from '../../wire.js';

/** What every message has, to any recipient. */
interface MessageBody {
  readonly subject: SubjectWord;
  /** Needed with subjects that imply none. */
  readonly theme?: InteractionTheme | null;
  /** Variables of the template: what is said here goes before what the service fills in. */
  readonly context?: FreeJson | null;
  /** A version of a template, or a descriptor whose active version is meant, in place of the one that would be chosen. */
  readonly useTemplate?: ShortText | null;
  /** Absent or past: now. */
  readonly sendAt?: DateTimeText | null;
  /** By default what the subject says. */
  readonly isTransactional?: boolean | null;
  readonly metaData?: MetaData | null;
  readonly sensitive?: boolean;
  readonly sensitiveBorrowerOnly?: boolean;
}

/** `POST /communicator/send`. */
export interface SendRequest extends MessageBody {
  readonly channel: SendableChannel;
  readonly personId: AnyId;
  /** By default the borrower's primary contact for the channel. */
  readonly contactId?: AnyId | null;
  readonly contactExternalId?: (string & tags.MinLength<1> & tags.MaxLength<255>) | null;
  readonly loanId?: AnyId | null;
  readonly loanIds?: readonly AnyId[] & tags.MaxItems<100>;
  readonly caseId?: AnyId | null;
  /** Ids of the borrower's documents. Of e-mail alone. */
  readonly attachments?: readonly AnyId[] & tags.MaxItems<10>;
  readonly statementId?: ShortText | null;
  readonly previousInteractionId?: ShortText | null;
  readonly interactionExternalId?: ExternalId | null;
  /** Of mail alone. */
  readonly mailIsCertified?: boolean;
}

/** `POST /supercases/{supercaseId}/bulk/send`: one e-mail for each subcase. */
export interface BulkSendRequest extends MessageBody {
  readonly channel?: 'email';
  /** All without it. */
  readonly populationIds?: readonly AnyId[] & tags.MaxItems<100>;
}
