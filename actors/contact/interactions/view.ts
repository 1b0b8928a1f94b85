import { type ContactView, isReachable, type PersonState, personWithoutUser, tokenOf } from '../../borrower/index.js';
import { companyOf, employeeOfUser } from '../../company/index.js';
import { refuse } from '../../errors.js';
import { actorView } from '../../kernel/actor-logic.js';
import type { CommandContext, CommandRequest, CommandSpec, DecideEnv, Decision, EvolveEnv } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ask } from '../../kernel/policy.js';
import { isPermitted } from '../../permission.js';
import { dateTimeText, orNull } from '../../wire.js';
import { contactAsks } from '../questions.js';
import { textOf } from './draft.js';
import { openJson, ownerOf } from './sealing.js';
import { type InteractionState, isMissedCall } from './state.js';
import type { InteractionContent, InteractionView, SearchableInteractionView, WriteInteractionQuery } from './types.js';

export const SENSITIVE = 'interaction:read.sensitive';

/** The reader of an interaction. */
export interface Reader {
  readonly permissions: ReadonlySet<string>;
  readonly userId: string | null;
  /** The borrower itself, signed in to the portal. */
  readonly isBorrower: boolean;
}

/** The caller of a read, which the gateway adds to the query. */
export interface ReaderQuery {
  readonly reader?: Omit<Reader, 'permissions'>;
}

export const readerOf = (permissions: ReadonlySet<string>, query: ReaderQuery | null | undefined): Reader => ({
  permissions,
  ...(query?.reader ?? { userId: null, isBorrower: false }),
});

interface CaseOfInteraction {
  readonly owningEmployeeId: string | null;
}

/**
 * Whether a reader may see the content. A content for the borrower alone is also shown to the agent who has the
 * case, and is never hidden from the borrower.
 */
export function maySeeContent(
  { sensitive, sensitiveBorrowerOnly, caseId, tenant }: InteractionState,
  env: Pick<EvolveEnv, 'read'>,
  { permissions, userId, isBorrower }: Reader,
): boolean {
  if (isBorrower || (!sensitive && !sensitiveBorrowerOnly)) return true;
  if (!isPermitted(permissions, SENSITIVE)) return false;
  if (!sensitiveBorrowerOnly) return true;
  const owner = caseId === null ? null : (env.read<CaseOfInteraction>('case', caseId)?.owningEmployeeId ?? null);
  return owner !== null && userId !== null && employeeOfUser(companyOf(env, tenant), userId)?.id === owner;
}

export interface ShownWith {
  readonly reader: Reader;
  /** Default true. */
  readonly includeContent?: boolean;
  /** Makes the token that replies to writes show in place of the contact's value; absent: the value is shown. */
  readonly contactToken?: (contact: ContactView) => string;
  /** A task that the same command creates, which the list index does not have yet. */
  readonly newTaskId?: string | undefined;
}

export interface Failure {
  readonly short: string | null;
  readonly long: string | null;
}

type ViewEnv = EvolveEnv & Pick<DecideEnv, 'list' | 'now'>;

/**
 * An interaction as replies show it. Contents of contacts with relatives and other third parties are not shown to the borrower. Sealed
 * texts are opened when the reply is rendered, so that an erasure takes effect at once.
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
    metaData: state.metaData,
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

/** The shape for search indexes. */
function searchableView(state: InteractionState, env: ViewEnv, reader: Reader): SearchableInteractionView {
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

export type Context<Body = unknown> = CommandContext<InteractionState, Body>;

/** A command on an interaction. If the path names a borrower, the interaction must be of this borrower. */
export const onInteraction = <Body>(
  type: string,
  decide: (context: Context<Body>) => readonly FactDraft[],
): CommandSpec<InteractionState, Body> => ({
  kind: 'interaction',
  type,
  place: { on: 'target' },
  decide(context) {
    requirePerson(context.state, context.command.params['personId'], context.env);
    return withInteractionReply(context, context.state.personId, decide(context));
  },
});

/** Refuses with 404 an interaction of another borrower than that of the path. */
export function requirePerson({ id, tenant, personId }: InteractionState, anyId: string | undefined, env: EvolveEnv): void {
  if (anyId === undefined || resolveId(env, tenant, 'person', anyId) === personId) return;
  refuse('notFound', `There is no interaction ${id} of this borrower.`);
}

/** A decision whose reply is the interaction. The copy for retries is sealed with the key of the owner. */
export const withInteractionReply = (
  { id, env, command }: Context,
  personId: string | null,
  facts: readonly FactDraft[],
): Decision<InteractionState> => ({
  facts,
  reply: (after) => ({ data: shown(after, env, command, newTaskIn(facts)), sealedFor: ownerOf(id, personId) }),
});

const newTaskIn = (facts: readonly FactDraft[]): string | undefined =>
  facts.find(({ type, target }) => type === 'TaskCreated' && target?.kind === 'task')?.target?.id;

const writerOf = ({ permissions, actor }: CommandRequest): Reader => ({ permissions, userId: actor.userId ?? null, isBorrower: false });

function shown(after: InteractionState, env: DecideEnv, command: CommandRequest, newTaskId: string | undefined): unknown {
  const { searchable = false } = (command.query ?? {}) as WriteInteractionQuery;
  const reader = writerOf(command);
  if (searchable) return searchableView(after, env, reader);
  return interactionView(after, env, { reader, newTaskId, contactToken: ({ personId, id }) => tokenOf(personId, id) });
}

export function refuseTaken(env: DecideEnv, externalId: string | null | undefined, ownId: string): void {
  if (externalId == null) return;
  const holder = env.findExternal(env.tenant, 'interaction', externalId);
  if (holder === undefined || holder === ownId) return;
  refuse('duplicate', `\`externalId\` is already used by the interaction ${holder}.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}
