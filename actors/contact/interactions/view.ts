import { type ContactView, isReachable, personWithoutUser, type PersonState } from '../../borrower/index.js';
import { isPermitted } from '../../permission.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import { actorView } from '../../kernel/actor-view.js';
import { ask } from '../../kernel/question.js';
import { contactAsks } from '../questions.js';
import { dateTimeText, type MetaData, orNull } from '../../wire.js';
import { textOf } from './content.js';
import { maySeeContent, type Reader } from './reader.js';
import type { InteractionContent, InteractionView, SearchableInteractionView } from './types.js';
import { openJson } from './sealing.js';
import { type InteractionState, isMissedCall } from './state.js';

export interface ShownWith {
  readonly reader: Reader;
  /** Default true. */
  readonly includeContent?: boolean;
  /** What stands for the contact's value in replies to writes; absent: the value. */
  readonly contactToken?: (contact: ContactView) => string;
  /** A task that is being made, which the list index does not know yet. */
  readonly newTaskId?: string | undefined;
}

export interface Failure {
  readonly short: string | null;
  readonly long: string | null;
}

type ViewEnv = EvolveEnv & Pick<DecideEnv, 'list' | 'now'>;

/**
 * An interaction as replies show it; what was said with relatives and other third parties is nothing for the borrower itself. Sealed texts
 * are opened when the reply is made, so that an erasure wins at once.
 */
export function interactionView(
  state: InteractionState,
  env: ViewEnv,
  { reader, includeContent = true, contactToken, newTaskId }: ShownWith,
): InteractionView {
  const { personId } = state;
  const contact = openJson<ContactView>(env, state, 'contact');
  const isOthers = reader.isBorrower && contact !== null && contact.affiliation !== 'self';
  const isOpen = maySeeContent(state, env, reader) && !isOthers;
  const failure = isOpen ? openJson<Failure>(env, state, 'failure') : null;
  const person =
    personId !== null && isPermitted(reader.permissions, 'person:read') ? env.read<PersonState>('person', personId) : undefined;
  return {
    ...plain(state, contact),
    sensitive: state.sensitive || !isOpen,
    content: isOpen && includeContent ? openJson<InteractionContent>(env, state, 'content') : null,
    failureDescriptionShort: failure?.short ?? null,
    failureDescriptionLong: failure?.long ?? null,
    contact:
      contact && !isOthers ? (contactToken && contact.value !== null ? { ...contact, value: contactToken(contact) } : contact) : null,
    borrower: person && isReachable(person) ? personWithoutUser(person, env) : null,
    metaData: state.metaData as MetaData | null,
    statusUpdatedAt: orNull(dateTimeText, state.statusUpdatedAt),
    statusDetailsUpdatedAt: orNull(dateTimeText, state.statusDetailsUpdatedAt),
    agentOutcomeUpdatedAt: orNull(dateTimeText, state.agentOutcomeUpdatedAt),
    createdBy: orNull(actorView, state.createdBy),
    lastTaskMeta: orNull(
      (id) => ask(env, contactAsks.shownTask, id),
      newTaskId ?? env.list('task', { parentId: state.id, limit: 1 }).rows[0]?.id ?? null,
    ),
  };
}

/** The shape that a search index takes. */
export function searchableView(state: InteractionState, env: ViewEnv, reader: Reader): SearchableInteractionView {
  const isOpen = maySeeContent(state, env, reader);
  const content = isOpen ? openJson<InteractionContent>(env, state, 'content') : null;
  return {
    ...plain(state, openJson<ContactView>(env, state, 'contact')),
    sensitive: state.sensitive || !isOpen,
    text: content && textOf(content),
  };
}

function plain(state: InteractionState, contact: ContactView | null): Omit<SearchableInteractionView, 'text'> {
  return {
    id: state.id,
    object: 'interaction',
    companyId: state.tenant.company,
    personId: state.personId,
    externalId: state.externalId,
    channel: state.channel,
    direction: state.direction,
    subject: state.subject,
    theme: state.theme,
    borrowerSelectedTheme: state.borrowerSelectedTheme,
    status: state.status,
    statusDetails: state.statusDetails,
    agentOutcome: state.agentOutcome,
    contactId: state.contactId,
    contactExternalId: contact?.externalId ?? null,
    loanId: state.loanId,
    loanIds: state.loanIds,
    caseId: state.caseId,
    previousInteractionId: state.previousInteractionId,
    startedAt: orNull(dateTimeText, state.startedAt),
    endedAt: orNull(dateTimeText, state.endedAt),
    scheduledAtFrom: orNull(dateTimeText, state.scheduledAtFrom),
    scheduledAtTo: orNull(dateTimeText, state.scheduledAtTo),
    sendAt: orNull(dateTimeText, state.sendAt),
    isTransactional: state.isTransactional,
    isExternal: state.isExternal,
    sensitive: state.sensitive,
    sensitiveBorrowerOnly: state.sensitiveBorrowerOnly,
    complianceGuardRuleId: state.complianceGuardRuleId,
    templateVersionId: state.templateVersionId,
    providerErrorCode: state.providerErrorCode,
    mailIsCertified: state.mailIsCertified,
    isAutodialed: state.isAutodialed,
    supercaseBulkOperationId: state.supercaseBulkOperationId,
    recordingAvailable: state.hasRecording,
    missedCall: isMissedCall(state),
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: null,
  };
}
