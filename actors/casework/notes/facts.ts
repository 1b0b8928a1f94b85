import { must } from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { Fact, FactDraft } from '../../kernel/fact.js';
import type { NoteCategory, NoteFields, NoteState } from './state.js';

/** What happens to a note. Its content is sealed. */
interface NoteFacts {
  readonly NoteWritten: NoteFields & NotePlace & { readonly category: NoteCategory };
  /** Only what changed. */
  readonly NoteChanged: { readonly changes: Partial<NoteFields> };
}

/** What a note is about. */
export interface NotePlace {
  readonly personId: string;
  readonly caseId: string | null;
  readonly interactionId: string | null;
  readonly loanId: string | null;
  readonly supercaseId: string | null;
  readonly isGlobal: boolean;
}

type Apply = { [Type in keyof NoteFacts]: (state: NoteState, body: NoteFacts[Type], fact: Fact) => void };

const APPLY: Apply = {
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

/** Applies a fact to a note. Nothing of a note is an event of the contract. */
export function evolveNote(state: NoteState, fact: Fact): void {
  const apply = must(APPLY[fact.type as keyof NoteFacts], `a note knows no fact ${fact.type}`);
  (apply as (state: NoteState, body: unknown, fact: Fact) => void)(state, fact.body, fact);
  state.updatedStamp = fact.stamp;
}

const contextOf = (noteId: string): string => `note/${noteId}`;

export const sealContent = (env: DecideEnv, personId: string, noteId: string, content: string): Uint8Array =>
  env.seal(personId, content, contextOf(noteId));

export const openContent = (env: Pick<DecideEnv, 'open'>, { id, personId, content }: NoteState): string | null =>
  content === null ? null : (env.open(personId, content, contextOf(id)) ?? null);

export interface NewNote extends Partial<NotePlace>, Partial<Omit<NoteFields, 'content'>> {
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

/** The same beside what another actor does on the shard of the borrower: the reason of an escalation. */
export function noteBeside(env: DecideEnv, note: NewNote): FactDraft {
  const id = env.newId('NT');
  return { ...noteWritten(env, id, note), target: { kind: 'note', id } };
}
