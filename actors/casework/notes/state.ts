import type { Agent, Tenant } from '../../kernel/fact.js';

/** A note about a borrower, or about a case, an interaction or a loan of one. It lies beside its borrower. */
export interface NoteState extends NoteFields {
  readonly id: string;
  readonly tenant: Tenant;
  personId: string;
  caseId: string | null;
  interactionId: string | null;
  loanId: string | null;
  supercaseId: string | null;
  /** Of the notes of supercases alone (`actors/casework/supercases/notes`). */
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

/** What can be changed of a note. */
export interface NoteFields {
  /** Sealed with the borrower's key. */
  content: Uint8Array | null;
  important: boolean;
  pinned: boolean;
  /** Read by those alone who may read sensitive notes. */
  sensitiveData: boolean;
  archived: boolean;
  /** Somebody has to do what it says: a task is made. */
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
