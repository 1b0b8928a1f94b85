import { assert } from '../../../engine/index.js';
import type { NoteView } from '../notes/requests.js';
import { mayRead } from '../notes/state.js';
import type { ActorDefinition } from '../../kernel/actor.js';
import { actorView } from '../../kernel/actor-logic.js';
import { type Agent, type Fact, type Tenant, factTest } from '../../kernel/fact.js';
import { dateTimeText, orNull } from '../../wire.js';

/**
 * A note of a supercase. It is on the shared shard with the supercase, so that all shards can show it on their subcases. It is
 * not sealed, since it is about an event and not about a person.
 */
export interface SupercaseNoteState extends SupercaseNoteFields {
  readonly id: string;
  readonly tenant: Tenant;
  /** Company's clock in milliseconds. */
  createdAt: number;
  createdBy: Agent | null;
  /** Microseconds; 0 before it is written. */
  createdStamp: number;
}

interface SupercaseNoteFields {
  readonly supercaseId: string;
  /** The note is shown on the subcases as well. */
  readonly isGlobal: boolean;
  readonly content: string;
  readonly important: boolean;
  readonly pinned: boolean;
  readonly sensitiveData: boolean;
}

export interface SupercaseNoteFacts {
  readonly SupercaseNoted: SupercaseNoteFields;
}

export const SUPERCASE_NOTE = 'supercaseNote';

/** Notes of supercases cannot be changed. */
export const supercaseNoteDefinition: ActorDefinition<SupercaseNoteState> = {
  kind: SUPERCASE_NOTE,
  prefix: 'NT',
  isShared: true,
  initial: (id, tenant) => ({
    id,
    tenant,
    supercaseId: '',
    isGlobal: false,
    content: '',
    important: false,
    pinned: false,
    sensitiveData: false,
    createdAt: 0,
    createdBy: null,
    createdStamp: 0,
  }),
  evolve: noted,
  clone: (state) => ({ ...state }),
  row: ({ id, createdStamp, supercaseId, isGlobal, important, pinned }) =>
    createdStamp === 0
      ? null
      : {
          id,
          externalId: null,
          createdStamp,
          updatedStamp: createdStamp,
          parentId: supercaseId,
          fields: { isGlobal, important, pinned, archived: false, category: 'generic', objectType: 'case' },
        },
  pack: (state) => state,
  unpack: (packed: SupercaseNoteState) => packed,
};

const isFact = factTest<SupercaseNoteFacts>();

function noted(state: SupercaseNoteState, fact: Fact): void {
  assert(isFact(fact, 'SupercaseNoted'), `a note of a supercase knows no fact ${fact.type}`);
  Object.assign(state, fact.body, {
    createdAt: fact.businessAt,
    createdBy: fact.by,
    createdStamp: fact.stamp,
  });
}

/** The view of a note without a borrower. The text of a sensitive note is shown only to callers who may read it. */
export const supercaseNoteView = (state: SupercaseNoteState, permissions: ReadonlySet<string>): NoteView => ({
  id: state.id,
  object: 'note',
  companyId: state.tenant.company,
  status: 'active',
  content: mayRead(state, permissions) ? state.content : null,
  important: state.important,
  pinned: state.pinned,
  category: 'generic',
  sensitiveData: state.sensitiveData,
  archived: false,
  taskableInstruction: false,
  personId: null,
  caseId: null,
  interactionId: null,
  loanId: null,
  supercaseId: state.supercaseId,
  isGlobal: state.isGlobal,
  createdBy: orNull(actorView, state.createdBy),
  updatedBy: null,
  createdAt: dateTimeText(state.createdAt),
  updatedAt: null,
  deletedAt: null,
});
