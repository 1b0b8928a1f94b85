import type { CaseOutcome, CaseStatus } from '../../company/index.js';
import type { tags } from 'typia';
import type { DoNotInteractRequest } from '../cases/index.js';
import type { ListNotesQuery, NoteContent } from '../notes/requests.js';
import type { PageQuery } from '../../list-order.js';
import type { AnyId, DateText, DateTimeText, ExternalId, Whole } from '../../wire.js';
import type { SupercaseType } from './state.js';

/** The wire of supercases. */

interface SupercaseFieldsBody {
  readonly externalId?: ExternalId | null;
  readonly description?: (string & tags.MaxLength<10000>) | null;
  readonly eventStartedAt?: DateTimeText | null;
  readonly subcaseTypeId?: AnyId | null;
  readonly subcaseName?: (string & tags.MaxLength<128>) | null;
  readonly femaDisasterNumber?: Whole | null;
  /** The last day on which new borrowers are matched. */
  readonly femaMonitoringEndDate?: DateText | null;
}

type SupercaseName = string & tags.MinLength<1> & tags.MaxLength<128>;

export interface CreateSupercaseRequest extends SupercaseFieldsBody {
  readonly supercaseType: SupercaseType;
  readonly name: SupercaseName;
}

export interface UpdateSupercaseRequest extends SupercaseFieldsBody {
  readonly name?: SupercaseName;
  readonly status?: CaseStatus;
  readonly outcome?: CaseOutcome | null;
  /** Completes the supercase even if subcases are active. */
  readonly force?: boolean;
}

export interface ListSupercasesQuery extends PageQuery {
  readonly status?: CaseStatus;
  readonly supercaseType?: SupercaseType;
}

type PopulationName = string & tags.MaxLength<128>;

export interface CreatePopulationRequest {
  readonly name?: PopulationName | null;
}

export interface UpdatePopulationRequest extends CreatePopulationRequest {
  /** False commits the draft: its members get their subcases. */
  readonly isDraft?: boolean;
}

export interface ListPopulationsQuery extends PageQuery {
  readonly isDraft?: boolean;
}

export interface SupercaseMemberRequest {
  readonly personId: AnyId;
  readonly loanId: AnyId;
}

/** One or many members. */
export interface AddMembersRequest extends Partial<SupercaseMemberRequest> {
  readonly members?: readonly SupercaseMemberRequest[] & tags.MinItems<1> & tags.MaxItems<1000>;
}

export interface UploadMembersRequest {
  /** Lines of `personId,loanId`, with or without a header line. */
  readonly csv: string;
}

export interface ListMembersQuery extends PageQuery {
  readonly status?: MemberStatus;
}

export type MemberStatus = 'pending' | 'created' | 'failed';

export interface ListSubcasesQuery extends PageQuery {
  readonly status?: CaseStatus;
  readonly populationId?: AnyId;
}

export interface CreateSupercaseNoteRequest {
  readonly content: NoteContent;
  /** Shows the note on the subcases as well. Default false: only on the supercase. */
  readonly isGlobal?: boolean;
  readonly important?: boolean;
  readonly pinned?: boolean;
  readonly sensitiveData?: boolean;
  readonly category?: 'generic';
  /** Always false: an instruction creates a task, which needs a case. */
  readonly taskableInstruction?: false;
}

export interface ListSupercaseNotesQuery extends ListNotesQuery {
  readonly isGlobal?: boolean;
}

export interface CloseSubcasesRequest {
  readonly outcome: CaseOutcome;
  /** Default: all populations. */
  readonly populationIds?: readonly AnyId[] & tags.MaxItems<100>;
  readonly note?: (string & tags.MaxLength<10000>) | null;
}

export interface BulkBlocksRequest extends DoNotInteractRequest {
  readonly populationIds?: readonly AnyId[] & tags.MaxItems<100>;
}

export interface LiftBlocksRequest {
  readonly populationIds?: readonly AnyId[] & tags.MaxItems<100>;
}
