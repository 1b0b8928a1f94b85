import {
  type ContactOrigin,
  defaultTransactional,
  type InteractionTheme,
  namesOf,
  resolveTheme,
  type SendableChannel,
  type Subject,
  subjectNamed,
  type ValueFault,
} from '../../../../engine/index.js';
import { contactOf, findDocument, type PersonState } from '../../../borrower/index.js';
import { companyOf, employeeOf, employeesOf } from '../../../company/index.js';
import { type Fault, Refusal, refuse } from '../../../errors.js';
import { ALL_ROWS, type DecideEnv } from '../../../kernel/actor.js';
import { ask } from '../../../kernel/policy.js';
import { findStatement, type LoanState } from '../../../loan/index.js';
import { millisecondsOf, type MetaData } from '../../../wire.js';
import type { InteractionState } from '../../interactions/index.js';
import { referencesOf } from '../../interactions/references.js';
import { contactAsks, type WorkerOfCase } from '../../questions.js';
import type { SendRequest } from '../payoff-letter.js';

/**
 * Whether a message is for the agents who work a case. Such messages are not screened by the laws on contacts with borrowers, so they
 * must never go to a borrower.
 */
export const isToAgents = ({ theme }: Pick<InteractionState, 'theme'>): boolean => theme === 'agentNotification';

/** Maximum number of recipients of one message. */
const MOST_AGENTS = 50;

/**
 * The e-mail addresses of the agents for a message about a case: the worker to which it is escalated, else its owner; of a team all
 * members. Empty without a case, and if nobody has an address.
 */
export function agentsOf(env: DecideEnv, { caseId, worker: named }: Pick<SendOrder, 'caseId' | 'worker'>): readonly string[] {
  const worker = named ?? (caseId === null ? null : ask(env, contactAsks.workerOfCase, caseId));
  return worker === null ? [] : addressesOf(env, worker).slice(0, MOST_AGENTS);
}

function addressesOf(env: DecideEnv, { employeeId, teamId }: WorkerOfCase): readonly string[] {
  const company = companyOf(env, env.tenant);
  const named = employeeId === null ? undefined : employeeOf(company, employeeId);
  const all = named
    ? [named]
    : teamId === null
      ? []
      : [...employeesOf(company).values()].filter(({ stored }) => stored.teamIds.includes(teamId));
  return all.flatMap(({ stored: { email } }) => email ?? []);
}

/** A checked order to send a message: its ids are service ids, and its values fit each other. */
export interface SendOrder {
  readonly channel: SendableChannel;
  readonly subject: Subject;
  readonly theme: InteractionTheme;
  readonly isTransactional: boolean;
  /** Null: chosen by the channel. */
  readonly contactId: string | null;
  readonly loanId: string | null;
  /** Including `loanId`. */
  readonly loanIds: readonly string[];
  readonly caseId: string | null;
  readonly statementId: string | null;
  readonly attachments: readonly string[];
  readonly context: Readonly<Record<string, unknown>>;
  readonly useTemplate: string | null;
  /** Null: now. */
  readonly sendAt: number | null;
  readonly previousInteractionId: string | null;
  readonly externalId: string | null;
  readonly metaData: MetaData | null;
  readonly mailIsCertified: boolean;
  /** Null: by the template. */
  readonly sensitive: boolean | null;
  readonly sensitiveBorrowerOnly: boolean;
  readonly supercaseBulkOperationId: string | null;
  readonly origin: ContactOrigin;
  /** Of a message to agents: who it is for; absent: as the case says. */
  readonly worker?: WorkerOfCase;
  /** `strict`: a variable that the template lacks fails the send. Absent: it is left empty. */
  readonly undefinedVariables?: 'strict';
}

/** The part of an order about its subject and content. */
export type SaidOrder = Pick<
  SendOrder,
  'subject' | 'theme' | 'isTransactional' | 'context' | 'useTemplate' | 'sendAt' | 'metaData' | 'sensitive' | 'sensitiveBorrowerOnly'
>;

const DAY_MS = 86_400_000;
/** A message can be scheduled at most this many days ahead. */
const MOST_DAYS_AHEAD = 365;
/** Maximum number of bytes of all attachments of a message. */
const ATTACHMENT_BYTES = 20 * 1024 * 1024;

type Said = Pick<
  SendRequest,
  'subject' | 'theme' | 'isTransactional' | 'context' | 'useTemplate' | 'sendAt' | 'metaData' | 'sensitive' | 'sensitiveBorrowerOnly'
>;

/** Refuses with 400 values that do not fit each other. */
export function readSaid(now: number, request: Said): SaidOrder {
  const named = subjectNamed(request.subject);
  if ('fault' in named) return refuseValue(named.fault);
  const resolved = resolveTheme({ subject: named.subject, theme: request.theme ?? null, direction: 'outbound' });
  if ('fault' in resolved) return refuseValue(resolved.fault);
  if (resolved.theme === null) return refuseValue({ path: 'theme', expected: 'a theme', message: '`theme` is required.' });
  const { context, useTemplate = null, sendAt, metaData = null, sensitive = null, sensitiveBorrowerOnly = false } = request;
  return {
    subject: named.subject,
    theme: resolved.theme,
    isTransactional: request.isTransactional ?? defaultTransactional(named.subject),
    context: context ?? {},
    useTemplate,
    sendAt: momentOf(now, sendAt),
    metaData,
    sensitive,
    sensitiveBorrowerOnly,
  };
}

function momentOf(now: number, text: string | null | undefined): number | null {
  if (text == null) return null;
  const at = millisecondsOf(text);
  if (at > now + MOST_DAYS_AHEAD * DAY_MS)
    refuseFaults([{ path: 'sendAt', expected: `a moment within ${MOST_DAYS_AHEAD} days`, message: '`sendAt` is too far in the future.' }]);
  return at > now ? at : null;
}

/** The order of a caller's request. Refuses with 400, 404 and 409. */
export function readOrder(env: DecideEnv, interactionId: string, person: PersonState, request: SendRequest): SendOrder {
  const faults: Fault[] = [];
  const {
    channel,
    mailIsCertified = false,
    loanId,
    loanIds,
    caseId,
    previousInteractionId,
    statementId = null,
    interactionExternalId: externalId = null,
  } = request;
  if (mailIsCertified && channel !== 'mail')
    faults.push({ path: 'mailIsCertified', expected: 'false', message: 'Only mail can be certified.' });
  const said = readSaid(env.now, request);
  const contactId = contactNamed(env, person, request, faults);
  if (isToAgents(said)) faults.push(...faultsToAgents(channel, contactId, caseId));
  const at = { id: interactionId, personId: person.id };
  const about = { ...NOBODY, ...referencesOf(env, at, given({ loanId, loanIds, caseId, previousInteractionId }), NOBODY) };
  const documents = attachmentsNamed(person, request, faults);
  if (faults.length > 0) refuseFaults(faults);
  const statement = statementId === null ? null : statementNamed(env, person, about.loanIds, statementId);
  refuseTaken(env, externalId);
  const ofStatement = statement?.documentDescriptorId != null && channel !== 'text' ? [statement.documentDescriptorId] : [];
  return {
    ...said,
    channel,
    contactId,
    loanId: about.loanId,
    loanIds: about.loanIds,
    caseId: about.caseId,
    previousInteractionId: about.previousInteractionId,
    statementId,
    attachments: [...new Set([...documents, ...ofStatement])],
    externalId,
    mailIsCertified,
    supercaseBulkOperationId: null,
    origin: 'request',
  };
}

const NOBODY = { loanId: null, loanIds: [], caseId: null, previousInteractionId: null } as const;

/** Removes null fields, since null means the same as absent here. */
function given<Body extends object>(body: Body): { readonly [Name in keyof Body]?: NonNullable<Body[Name]> } {
  const kept: { [Name in keyof Body]?: NonNullable<Body[Name]> } = {};
  for (const name of namesOf<keyof Body & string>(body)) {
    const value = body[name];
    if (value != null) kept[name] = value;
  }
  return kept;
}

const refuseValue = ({ path, expected, message }: ValueFault): never => refuseFaults([{ path, expected, message }]);

function refuseFaults(errors: readonly Fault[]): never {
  throw new Refusal('validationError', errors.map(({ message }) => message).join(' '), { errors });
}

/** A message to agents goes to those who have the case, and never to a contact of the borrower. */
function faultsToAgents(channel: SendableChannel, contactId: string | null, caseId: string | null | undefined): readonly Fault[] {
  const faults: Fault[] = [];
  if (channel !== 'email') faults.push({ path: 'channel', expected: 'email', message: 'A message to agents must be sent by email.' });
  if (contactId !== null)
    faults.push({ path: 'contactId', expected: 'no contact', message: '`contactId` cannot be set on a message to agents.' });
  if (caseId == null)
    faults.push({ path: 'caseId', expected: 'the case of the agents', message: '`caseId` is required for a message to agents.' });
  return faults;
}

/** The contact must be the borrower's. An unknown external id is ignored. */
function contactNamed(env: DecideEnv, person: PersonState, { contactId, contactExternalId }: SendRequest, faults: Fault[]): string | null {
  const named = [
    ['contactId', contactId],
    ['contactExternalId', contactExternalId == null ? null : `ext-${contactExternalId}`],
  ] as const;
  const found = named.flatMap(([path, anyId]) => {
    const contact = anyId == null ? undefined : contactOf(person, anyId);
    if (anyId == null || contact !== undefined) return contact ? [contact.id] : [];
    if (anyId.startsWith('ext-') && env.findExternal(env.tenant, 'contact', anyId.slice(4)) === undefined)
      refuse('notFound', `There is no contact ${anyId}.`);
    faults.push({ path, expected: 'a contact of the borrower', message: `The borrower has no contact ${anyId}.` });
    return [];
  });
  if (found.length === 2 && found[0] !== found[1])
    faults.push({
      path: 'contactExternalId',
      expected: 'the contact of contactId, or absent',
      message: '`contactId` and `contactExternalId` are of different contacts. Send one of them.',
    });
  return found[0] ?? null;
}

function attachmentsNamed(person: PersonState, { channel, attachments = [] }: SendRequest, faults: Fault[]): readonly string[] {
  if (attachments.length > 0 && channel !== 'email') {
    faults.push({
      path: 'attachments',
      expected: 'nothing, unless the channel is email',
      message: `A message by ${channel} cannot have attachments.`,
    });
    return [];
  }
  let bytes = 0;
  const ids = attachments.flatMap((anyId, index) => {
    const document = findDocument(person, anyId);
    if (!document || document.content === null) {
      faults.push({
        path: `attachments[${index}]`,
        expected: 'a document of the borrower with content',
        message: `The borrower has no document ${anyId} with content.`,
      });
      return [];
    }
    bytes += document.content.contentLength;
    return [document.id];
  });
  if (bytes > ATTACHMENT_BYTES)
    faults.push({
      path: 'attachments',
      expected: `at most ${ATTACHMENT_BYTES} bytes together`,
      message: 'The attachments are too large together.',
    });
  return ids;
}

/** A statement of one of the given loans, or of any loan of the borrower if none is given. */
function statementNamed(
  env: DecideEnv,
  person: PersonState,
  loanIds: readonly string[],
  id: string,
): { readonly documentDescriptorId: string | null } {
  const all = loanIds.length > 0 ? loanIds : env.list('loan', { parentId: person.id, limit: ALL_ROWS }).rows.map((row) => row.id);
  for (const loanId of all) {
    const loan = env.read<LoanState>('loan', loanId);
    const found = loan && findStatement(loan, id);
    if (found) return found;
  }
  return refuse('notFound', `There is no statement ${id}.`);
}

function refuseTaken(env: DecideEnv, externalId: string | null): void {
  const holder = externalId === null ? undefined : env.findExternal(env.tenant, 'interaction', externalId);
  if (holder === undefined) return;
  refuse('duplicate', `\`externalId\` is already used by the interaction ${holder}.`, {
    errors: [{ path: 'interactionExternalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}

/** The fields of a case that a message about it needs. */
interface CaseWrittenAbout {
  readonly id: string;
  readonly associations: readonly { readonly objectId: string }[];
}

interface CaseMessage {
  readonly channel: SendableChannel;
  readonly origin: ContactOrigin;
  readonly supercaseBulkOperationId: string | null;
}

/** An order for a message to the borrower of a case, about the loans of the case. A single loan is set as `loanId`. */
export function orderForCase({ id: caseId, associations }: CaseWrittenAbout, said: SaidOrder, message: CaseMessage): SendOrder {
  const loanIds = associations.map(({ objectId }) => objectId);
  const [loanId = null] = loanIds.length === 1 ? loanIds : [];
  return {
    ...said,
    ...message,
    caseId,
    loanId,
    loanIds,
    contactId: null,
    statementId: null,
    attachments: [],
    previousInteractionId: null,
    externalId: null,
    mailIsCertified: false,
  };
}
