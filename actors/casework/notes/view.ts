import { isPermitted } from '../../permission.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { actorView } from '../../kernel/actor-view.js';
import { dateTimeText, orNull } from '../../wire.js';
import { openContent } from './facts.js';
import type { NoteObject, NoteView } from './requests.js';
import type { NoteState } from './state.js';

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

/** What a note is about: the nearest thing that it names. */
export const objectOf = ({ caseId, interactionId, loanId }: Pick<NoteState, 'caseId' | 'interactionId' | 'loanId'>): NoteObject =>
  caseId !== null ? 'case' : interactionId !== null ? 'interaction' : loanId !== null ? 'loan' : 'person';
