import { findDocument, type PersonState } from '../../borrower/index.js';
import { refuseProperty } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import type { CreateTaskRequest } from './requests.js';
import type { TaskSubject } from './state.js';

/** What a task may be about besides its borrower and its case. */
type Named = Pick<TaskSubject, 'interactionId' | 'documentId' | 'noteId' | 'supercaseId'>;

/** Interactions, notes and supercases, as far as a task needs them. */
interface Existing {
  readonly personId?: string | null;
  readonly isDeleted?: boolean;
}

/** The service ids of what a body names; 400 for what is not there, or is not of the borrower of the task. */
export function subjectNamed(env: DecideEnv, personId: string | null, body: Pick<CreateTaskRequest, keyof Named>): Named {
  const named = (field: keyof Named, expected: string, find: (anyId: string) => string | undefined): string | null => {
    const anyId = body[field];
    if (anyId == null) return null;
    return find(anyId) ?? refuseProperty(field, expected, `There is no such object for this task: ${anyId}.`);
  };
  const existing =
    (kind: string, isOf: (found: Existing) => boolean) =>
    (anyId: string): string | undefined => {
      const id = resolveId(env, env.tenant, kind, anyId);
      const found = id === undefined ? undefined : env.read<Existing>(kind, id);
      return found !== undefined && found.isDeleted !== true && isOf(found) ? id : undefined;
    };
  const ofBorrower = (found: Existing): boolean => personId === null || found.personId === personId;
  return {
    interactionId: named('interactionId', 'an interaction with the borrower', existing('interaction', ofBorrower)),
    documentId: named('documentId', 'a document of the borrower', (anyId) => {
      const person = personId === null ? undefined : env.read<PersonState>('person', personId);
      return person && findDocument(person, anyId)?.id;
    }),
    noteId: named('noteId', 'a note about the borrower', existing('note', ofBorrower)),
    supercaseId: named(
      'supercaseId',
      'a supercase',
      existing('supercase', () => true),
    ),
  };
}
