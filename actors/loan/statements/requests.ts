import type { tags } from 'typia';
import type { AnyId, DateText, MetaData, ShortText, SignedAmount } from '../../wire.js';
import type { Figure } from './record.js';

/** `POST L/periods/{periodId}/generate-statement`. */
export interface GenerateStatementRequest {
  readonly templateVersionId?: AnyId | null;
  readonly isTest?: boolean;
  readonly sendNotice?: boolean;
  readonly caseId?: AnyId | null;
  readonly previewMode?: boolean;
}

/** The figures that a statement from outside may bring. */
export type FiguresRequest = { readonly [Name in Figure]?: SignedAmount | null };

/** `POST L/statements`: a statement that was made elsewhere. */
export interface RecordStatementRequest extends FiguresRequest {
  readonly periodId: AnyId;
  readonly documentDescriptorId?: AnyId | null;
  readonly statementDate?: DateText | null;
  readonly isExternal?: true;
  readonly metaData?: MetaData | null;
  readonly caseId?: AnyId | null;
  readonly previewMode?: boolean;
}

/** `PUT L/statements/{statementId}`. */
export interface UpdateStatementRequest extends FiguresRequest {
  readonly documentDescriptorId?: AnyId | null;
  readonly isExternal?: boolean;
  readonly metaData?: MetaData | null;
  readonly caseId?: AnyId | null;
}

export interface SendStatementRequest {
  readonly channels?: readonly ('email' | 'mail')[] & tags.MaxItems<2>;
  readonly contactId?: AnyId | null;
  readonly caseId?: AnyId | null;
  readonly note?: ShortText | null;
}
