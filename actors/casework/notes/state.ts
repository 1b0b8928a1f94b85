import { applyRow, type FactTable } from '../../kernel/fact-table.js';
import { actorView } from '../../kernel/actor-logic.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { Agent, Fact, FactDraft, Tenant } from '../../kernel/fact.js';
import { isPermitted } from '../../permission.js';
import { dateTimeText, orNull } from '../../wire.js';
import type { NoteObject, NoteView } from './requests.js';

/** A note about a borrower, or about a case, an interaction or a loan of one. It is an actor on the borrower's shard. */
export interface NoteState extends NoteFields {
  readonly id: string;
  readonly tenant: Tenant;
  personId: string;
  caseId: string | null;
  interactionId: string | null;
  loanId: string | null;
  supercaseId: string | null;
  /** Only for notes of supercases (`actors/casework/supercases/note.ts`). */
  isGlobal: boolean;
  category: NoteCategory;
  /** Company's clock in milliseconds. */
  createdAt: number;
  createdBy: Agent | null;
  updatedAt: number | null;
  updatedBy: Agent | null;
  /** Microseconds; 0 before it is written. */
  createdStamp: number;
  updatedStamp: number;
}

/** The fields of a note that can be changed. */
export interface NoteFields {
  /** Sealed with the borrower's key. */
  content: Uint8Array | null;
  important: boolean;
  pinned: boolean;
  /** Only callers who may read sensitive notes see the content. */
  sensitiveData: boolean;
  archived: boolean;
  /** The note is an instruction: it creates a task. */
  taskableInstruction: boolean;
}

export type NoteCategory = 'generic' | 'escalationCreateReason' | 'escalationUpdateReason' | 'escalationCancelReason';

export function newNote(id: string, tenant: Tenant): NoteState {
  return {
    id,
    tenant,
    personId: '',
    caseId: null,
    interactionId: null,
    loanId: null,
    supercaseId: null,
    isGlobal: false,
    category: 'generic',
    content: null,
    important: false,
    pinned: false,
    sensitiveData: false,
    archived: false,
    taskableInstruction: false,
    createdAt: 0,
    createdBy: null,
    updatedAt: null,
    updatedBy: null,
    createdStamp: 0,
    updatedStamp: 0,
  };
}

/** What can happen to a note. Its content is sealed. */
interface NoteFacts {
  readonly NoteWritten: NoteFields & NoteSubject & { readonly category: NoteCategory };
  /** Only what changed. */
  readonly NoteChanged: { readonly changes: Partial<NoteFields> };
}

/** What a note is about. */
export interface NoteSubject {
  readonly personId: string;
  readonly caseId: string | null;
  readonly interactionId: string | null;
  readonly loanId: string | null;
  readonly supercaseId: string | null;
  readonly isGlobal: boolean;
}

const APPLY: FactTable<NoteState, NoteFacts> = {
  NoteWritten(state, body, fact) {
    Object.assign(state, body);
    state.createdAt = fact.businessAt;
    state.createdBy = fact.by;
    state.createdStamp = fact.stamp;
  },
  NoteChanged(state, { changes }, fact) {
    Object.assign(state, changes);
    state.updatedAt = fact.businessAt;
    state.updatedBy = fact.by;
  },
};

/** Applies a fact to a note. The contract has no events for notes. */
export function evolveNote(state: NoteState, fact: Fact): void {
  applyRow(APPLY, state, fact);
  state.updatedStamp = fact.stamp;
}

const contextOf = (noteId: string): string => `note/${noteId}`;

export const sealContent = (env: DecideEnv, personId: string, noteId: string, content: string): Uint8Array =>
  env.seal(personId, content, contextOf(noteId));

const openContent = (env: Pick<DecideEnv, 'open'>, { id, personId, content }: NoteState): string | null =>
  content === null ? null : (env.open(personId, content, contextOf(id)) ?? null);

export interface NewNote extends Partial<NoteSubject>, Partial<Omit<NoteFields, 'content'>> {
  readonly personId: string;
  readonly content: string;
  readonly category?: NoteCategory;
}

export function noteWritten(env: DecideEnv, noteId: string, { personId, content, ...note }: NewNote): FactDraft {
  const body: NoteFacts['NoteWritten'] = {
    caseId: null,
    interactionId: null,
    loanId: null,
    supercaseId: null,
    isGlobal: false,
    category: 'generic',
    important: false,
    pinned: false,
    sensitiveData: false,
    archived: false,
    taskableInstruction: false,
    ...note,
    personId,
    content: sealContent(env, personId, noteId, content),
  };
  return { type: 'NoteWritten', body };
}

/** A note that another actor on the borrower's shard records with its own facts, such as the reason of an escalation. */
export function noteBeside(env: DecideEnv, note: NewNote): FactDraft {
  const id = env.newId('NT');
  return { ...noteWritten(env, id, note), target: { kind: 'note', id } };
}

export const SENSITIVE = 'note:read.sensitive';

export const mayRead = ({ sensitiveData }: Pick<NoteState, 'sensitiveData'>, permissions: ReadonlySet<string>): boolean =>
  !sensitiveData || isPermitted(permissions, SENSITIVE);

export function noteView(state: NoteState, env: EvolveEnv, permissions: ReadonlySet<string>): NoteView {
  const {
    id,
    tenant,
    content: _sealed,
    createdAt,
    createdBy,
    updatedAt,
    updatedBy,
    createdStamp: _created,
    updatedStamp: _updated,
    ...fields
  } = state;
  return {
    id,
    object: 'note',
    companyId: tenant.company,
    status: state.archived ? 'inactive' : 'active',
    ...fields,
    content: mayRead(state, permissions) ? openContent(env, state) : null,
    createdBy: orNull(actorView, createdBy),
    updatedBy: orNull(actorView, updatedBy),
    createdAt: dateTimeText(createdAt),
    updatedAt: orNull(dateTimeText, updatedAt),
    deletedAt: null,
  };
}

/** The most specific object that a note is about. */
export const objectOf = ({ caseId, interactionId, loanId }: Pick<NoteState, 'caseId' | 'interactionId' | 'loanId'>): NoteObject =>
  caseId !== null ? 'case' : interactionId !== null ? 'interaction' : loanId !== null ? 'loan' : 'person';
