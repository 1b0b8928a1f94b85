import type { tags } from 'typia';
import type { Channel, InteractionTheme, RecordableChannel } from '../../../engine/index.js';
import type { TemplateLanguage } from '../../company/index.js';
import type { AnyId, FreeJson } from '../../wire.js';

type SubjectText = string & tags.MinLength<1> & tags.MaxLength<64>;

/** `POST /communicator/preview` */
export interface PreviewMessageBody {
  readonly channel: RecordableChannel;
  readonly subject: SubjectText;
  /** For subjects that imply no theme. */
  readonly theme?: InteractionTheme | null;
  readonly context?: FreeJson | null;
  /** Default: the borrower of the loan or the case. */
  readonly personId?: AnyId | null;
  readonly loanId?: AnyId | null;
  readonly loanIds?: readonly AnyId[] & tags.MaxItems<100>;
  readonly caseId?: AnyId | null;
  readonly statementId?: AnyId | null;
  /** Id of a version, or of a descriptor for its active version. */
  readonly overrideTemplateId?: AnyId | null;
}

/** `POST /communicator/preview-free-form-email`; one of the two contents, or both. */
export interface PreviewFreeformBody {
  readonly subjectLine?: (string & tags.MaxLength<1000>) | null;
  readonly contentHtml?: (string & tags.MaxLength<200000>) | null;
  readonly contentPlain?: (string & tags.MaxLength<200000>) | null;
}

/** `POST /communicator/render` */
export interface RenderTemplateBody {
  readonly subject: SubjectText;
  /** Absent or null: any channel. */
  readonly channel?: Channel | null;
  readonly language?: TemplateLanguage;
  readonly productId?: AnyId | null;
  readonly context?: FreeJson | null;
}

/** What a document is rendered from. */
export interface RenderDocumentRequest {
  readonly templateVersionId: string;
  readonly loanId?: AnyId | null;
  readonly caseId?: AnyId | null;
  /** Made of what the template said when the statement was issued. */
  readonly statementId?: string;
  readonly context?: FreeJson | null;
}

export type RenderFormat = 'text' | 'html' | 'pdf';

export interface RenderTemplateQuery {
  /** Default `html`. */
  readonly fmt?: RenderFormat;
}

export interface TemplateVariablesQuery {
  /** Default: all subjects. */
  readonly subject?: SubjectText;
}

export interface SubjectVariables {
  readonly subject: string;
  readonly variables: readonly TemplateVariable[];
}

export interface TemplateVariable {
  readonly name: string;
  /** Whether every message has the variable. */
  readonly always: boolean;
  readonly description: string;
}
