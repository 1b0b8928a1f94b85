import type { tags } from 'typia';
import type { OffsetQuery } from '../../list-order.js';
import type { ActorView } from '../../kernel/actor-logic.js';
import type { DateTimeText, ShortText } from '../../wire.js';
import type { NoteCategory } from './state.js';

/** The wire of notes. */

export type NoteContent = string & tags.MinLength<1> & tags.MaxLength<10000>;

interface NoteFieldsBody {
  readonly important?: boolean;
  readonly pinned?: boolean;
  readonly category?: NoteCategory;
  readonly sensitiveData?: boolean;
  readonly archived?: boolean;
  /** `inactive` is an alias of `archived`. */
  readonly status?: 'active' | 'inactive';
  readonly taskableInstruction?: boolean;
}

export interface CreateNoteRequest extends NoteFieldsBody {
  readonly content: NoteContent;
}

export interface UpdateNoteRequest extends NoteFieldsBody {
  readonly content?: NoteContent;
}

export interface ListNotesQuery extends OffsetQuery {
  readonly categories?: readonly NoteCategory[];
  /** True = only pinned notes, false = only others; null or absent = all. */
  readonly pinned?: boolean | null;
  readonly includeArchived?: boolean;
  /** `createdAt`, `updatedAt`, `category`, `important`, `pinned`. Default: pinned ones first, then the newest. */
  readonly sortBy?: readonly ShortText[];
}

export interface ListPersonNotesQuery extends ListNotesQuery {
  /** The kind of object that the notes are about. */
  readonly objectType?: NoteObject;
}

export type NoteObject = 'person' | 'case' | 'interaction' | 'loan';

export interface NoteView {
  readonly id: string;
  readonly object: 'note';
  readonly companyId: string;
  readonly status: 'active' | 'inactive';
  /** Null if the note is sensitive and the caller may not read it, and after the borrower was erased. */
  readonly content: string | null;
  readonly important: boolean;
  readonly pinned: boolean;
  readonly category: NoteCategory;
  readonly sensitiveData: boolean;
  readonly archived: boolean;
  readonly taskableInstruction: boolean;
  /** Null for a note of a supercase. */
  readonly personId: string | null;
  readonly caseId: string | null;
  readonly interactionId: string | null;
  readonly loanId: string | null;
  readonly supercaseId: string | null;
  readonly isGlobal: boolean;
  readonly createdBy: ActorView | null;
  readonly updatedBy: ActorView | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
