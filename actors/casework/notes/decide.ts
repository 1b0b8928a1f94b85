import { must } from '../../../engine/index.js';
import { personOf } from '../../borrower/index.js';
import { caseOf, loanOf } from '../../contact/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision, EvolveEnv, QueryEnv } from '../../kernel/actor.js';
import { resolveId, type Tenant } from '../../kernel/ids.js';
import type { FactDraft } from '../../kernel/fact.js';
import { fact as caseFact } from '../cases/context.js';
import type { CaseState } from '../cases/state.js';
import { type NewTask, taskBesideOnce, taskForCase } from '../tasks/creation.js';
import type { CreateNoteRequest, UpdateNoteRequest } from './requests.js';
import { mayRead, type NoteFields, type NoteSubject, type NoteState, noteView, noteWritten, sealContent, SENSITIVE } from './state.js';

type Params = Readonly<Record<string, string>>;

/** The fields of an interaction that a note needs. */
interface InteractionOfNote {
  readonly personId: string | null;
  readonly isDeleted: boolean;
}

/** The subject of a new note, from its path; refuses with 404 an object that is not the borrower's. */
function subjectOf(env: DecideEnv, personId: string, { caseId, loanId, interactionId }: Params): Partial<NoteSubject> {
  if (caseId !== undefined) return { caseId: caseOf(env, env.tenant, personId, caseId) };
  if (loanId !== undefined) return { loanId: loanOf(env, env.tenant, personId, loanId) };
  if (interactionId !== undefined) return { interactionId: interactionOf(env, env.tenant, personId, interactionId) };
  return {};
}

/** The service id of an interaction with the borrower. */
export function interactionOf(env: EvolveEnv, tenant: Tenant, personId: string, anyId: string): string {
  const id = resolveId(env, tenant, 'interaction', anyId);
  const found = id === undefined ? undefined : env.read<InteractionOfNote>('interaction', id);
  return id !== undefined && found?.personId === personId && !found.isDeleted
    ? id
    : refuse('notFound', `There is no interaction ${anyId} with the borrower ${personId}.`);
}

/** Refuses with 404 a note about another object than that of the path. */
export function assertOfPath({ id, tenant, personId, caseId, interactionId }: NoteState, params: Params, env: EvolveEnv): void {
  const named = (kind: string, param: string): string | undefined =>
    params[param] === undefined ? undefined : resolveId(env, tenant, kind, params[param]);
  const isUnder = (kind: string, param: string, of: string | null): boolean => params[param] === undefined || named(kind, param) === of;
  const isOf =
    named('person', 'personId') === personId && isUnder('case', 'caseId', caseId) && isUnder('interaction', 'interactionId', interactionId);
  if (!isOf) refuse('notFound', `There is no note ${id} on this path.`);
  personOf(env, personId);
}

/** The borrower of a path; refuses with 404 if there is none. */
export function personOfPath(env: QueryEnv, params: Params): string {
  const anyId = params['personId'] ?? '';
  const id = resolveId(env, env.tenant, 'person', anyId);
  if (id === undefined) refuse('notFound', `There is no borrower ${anyId}.`);
  return env.isHere(id) ? personOf(env, id).id : id;
}

type Context<Body = unknown> = CommandContext<NoteState, Body>;

/** Writes a note about the object of the path: a borrower, or a case, loan or interaction of one. */
export const createNote: CommandSpec<NoteState, CreateNoteRequest> = {
  kind: 'note',
  type: 'note.create',
  place: { on: 'beside', kind: 'person' },
  decide(context) {
    const { id, body, env, command } = context;
    const personId = must(context.besideId, 'a note is created with a borrower');
    const { content, category = 'generic', ...fields } = body;
    refuseCategory(category, 'generic');
    const subject = subjectOf(env, personId, command.params);
    const written = noteWritten(env, id, { ...plainFields(fields), ...subject, personId, content });
    return withNoteReply(context, personId, [
      written,
      ...followedBy(env, { ...NOWHERE, ...subject, id, personId, asksForWork: fields.taskableInstruction === true, action: 'noteWritten' }),
    ]);
  },
};

export const updateNote: CommandSpec<NoteState, UpdateNoteRequest> = {
  kind: 'note',
  type: 'note.update',
  place: { on: 'target' },
  decide(context) {
    const { id, state, body, env } = context;
    assertOfPath(state, context.command.params, env);
    const { content, category = state.category, ...fields } = body;
    refuseCategory(category, state.category);
    if (state.sensitiveData && fields.sensitiveData === false && !mayRead(state, context.command.permissions)) {
      refuse('permissionDenied', 'To make a note no longer sensitive you need the permission to read sensitive notes.', {
        extra: { permission: SENSITIVE },
      });
    }
    return changing(context, {
      ...plainFields(fields),
      ...(content === undefined ? {} : { content: sealContent(env, state.personId, id, content) }),
    });
  },
};

export const archiveNote: CommandSpec<NoteState> = {
  kind: 'note',
  type: 'note.archive',
  place: { on: 'target' },
  decide(context) {
    assertOfPath(context.state, context.command.params, context.env);
    return changing(context, { archived: true });
  },
};

function changing(context: Context, changes: Partial<NoteFields>): Decision<NoteState> {
  const { state, env } = context;
  const fact: FactDraft = { type: 'NoteChanged', body: { changes } };
  const asksForWork = changes.taskableInstruction === true && !state.taskableInstruction;
  return withNoteReply(context, state.personId, [fact, ...followedBy(env, { ...state, asksForWork, action: 'noteChanged' })]);
}

interface Noted {
  readonly id: string;
  readonly personId: string;
  readonly caseId: string | null;
  readonly interactionId: string | null;
  readonly asksForWork: boolean;
  readonly action: 'noteWritten' | 'noteChanged';
}

const NOWHERE = { caseId: null, interactionId: null } as const;

/** The timeline of the case gets an entry, and an instruction becomes a task. */
function followedBy(env: DecideEnv, { id, personId, caseId, interactionId, asksForWork, action }: Noted): readonly FactDraft[] {
  const noted: readonly FactDraft[] =
    caseId === null ? [] : [{ ...caseFact('CaseNoted', { noteId: id, action }), target: { kind: 'case', id: caseId } }];
  if (!asksForWork) return noted;
  const asked: NewTask = { taskType: 'reviewCaseInstructions', noteId: id };
  const made =
    caseId === null
      ? taskBesideOnce(env, { ...asked, personId, interactionId })
      : taskForCase(env, caseId, must(env.read<CaseState>('case', caseId), 'the case of a note'), asked);
  return made === null ? noted : [...noted, made];
}

const withNoteReply = ({ env, command }: Context, personId: string, facts: readonly FactDraft[]): Decision<NoteState> => ({
  facts,
  reply: (after) => ({ data: noteView(after, env, command.permissions), sealedFor: personId }),
});

/** The fields of a body. `status` is an alias of `archived`. */
function plainFields({ status, ...fields }: Omit<UpdateNoteRequest, 'content' | 'category'>): Partial<Omit<NoteFields, 'content'>> {
  if (status === undefined) return fields;
  const archived = status === 'inactive';
  if (fields.archived !== undefined && fields.archived !== archived)
    refuseProperty('status', 'the status that matches archived', '`status` and `archived` contradict each other. Send one of them.');
  return { ...fields, archived };
}

function refuseCategory(category: string, before: string): void {
  if (category === before) return;
  refuse('validationError', '`category` cannot be set to a category of escalations. Those notes are created by escalations.', {
    errors: [{ path: 'category', expected: before, message: `${category} cannot be set by a caller` }],
  });
}
