import { isSendable, isSubject, MAX_CENTS, parseDay, type SendableChannel, type Subject } from '../../../engine/index.js';
import { findDocument, isReachable, personOf, type PersonState } from '../../borrower/index.js';
import {
  type CaseOutcome,
  chooseTemplate,
  companyOf,
  type CompanyState,
  dataTypeOf,
  documentTypeOf,
  type FieldKind,
  type ItemKind,
  type ItemType,
  SPELLINGS,
  templateDescriptorsOf,
  templateVersionsOf,
  TYPE_FIELDS,
} from '../../company/index.js';
import {
  beside,
  BLOCKED_STATUS,
  failedSend,
  orderForCase,
  readSaid,
  refusalOf,
  type SendFailure,
  type Sending,
  sending,
} from '../../contact/index.js';
import { Refusal, refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { updateCase } from '../cases/commands/update.js';
import { onCase } from '../cases/context.js';
import { typeOfCase } from '../cases/fields.js';
import { momentOf } from '../cases/view.js';
import type { CaseState } from '../cases/state.js';
import { noteBeside } from '../notes/index.js';
import { WORKFLOW_CHART, type WorkflowFacts, type WorkflowItem, type WorkflowState } from './state.js';
import { isFinished, itemContext, type ItemProgress, progressOf, workflowView } from './view.js';
import type { StartWorkflowRequest, UpdateWorkflowItemRequest } from './requests.js';
import { workflowCreated, workflowOf } from './of-case.js';

type Context<Body = unknown> = CommandContext<CaseState, Body>;

/** `POST …/workflow`: starts a workflow; refused while the former one is open. */
export const startWorkflow = onCase('workflow.start', 'work', (context: Context<StartWorkflowRequest>) => {
  const { state, body, env } = context;
  const before = workflowOf(env, state);
  if (before && before.status !== 'completed' && before.status !== 'canceled')
    refuse('duplicate', `The case already has the workflow ${before.id}.`);
  const { workflowTypeId } = body;
  const created =
    workflowCreated(env, { caseId: state.id, personId: state.personId, workflowTypeId }) ??
    refuseProperty('workflowTypeId', 'the id of an active workflow type', `There is no active workflow type ${workflowTypeId}.`);
  return shown(context, created.id, [created.fact, { type: 'CaseWorkflowStarted', body: { workflowId: created.id } }]);
});

/** `PUT …/workflow/items/{itemId}`: completes, skips or reopens an item. */
export const moveWorkflowItem = onCase('workflow.moveItem', 'work', (context: Context<UpdateWorkflowItemRequest>) => {
  const { state, body, env, command } = context;
  const workflow = workflowOf(env, state) ?? refuse('notFound', `The case ${state.id} has no workflow.`);
  if (!WORKFLOW_CHART.allows(workflow.status, 'work')) refuse('invalidState', `The workflow ${workflow.id} is ${workflow.status}.`);
  const steps = progressOf(env, workflow, momentOf(state, env));
  const itemId = command.params['itemId'] ?? '';
  const step = steps.find(({ items }) => items.some(({ item }) => item.id === itemId));
  const progress = step?.items.find(({ item }) => item.id === itemId);
  if (!step || !progress || step.isHidden) return refuse('notFound', `The workflow ${workflow.id} has no item ${itemId}.`);
  const { status, value } = body;
  if (status === 'skipped' && progress.type.required)
    refuseProperty('status', 'completed or pending', 'A required item cannot be skipped.');
  const completion = status === 'completed' ? completed(context, workflow, progress, value) : NOTHING_DONE;
  if (completion.failure) return stopped(completion.facts, completion.failure);
  const moved: WorkflowFacts['WorkflowItemMoved'] = {
    itemId,
    status,
    value: completion.value,
    move: isFinished(steps, { itemId, status }) ? 'finish' : 'work',
  };
  return shown(context, workflow.id, [
    ...completion.facts,
    { type: 'WorkflowItemMoved', body: moved, target: { kind: 'workflow', id: workflow.id } },
    { type: 'CaseWorkflowMoved', body: { itemId, status } },
  ]);
});

/** The value that a completion stores in the item, and its other facts. */
interface Completion {
  readonly value: WorkflowItem['value'];
  readonly facts: readonly FactDraft[];
  /** Why its message was not sent; the item is unchanged then. */
  readonly failure?: SendFailure | null;
}

const NOTHING_DONE: Completion = { value: null, facts: [] };

function completed(
  context: Context,
  workflow: WorkflowState,
  { item, type }: ItemProgress,
  value: UpdateWorkflowItemRequest['value'],
): Completion {
  const { env, state } = context;
  checkValue(type, value);
  const text = String(value ?? '');
  const kept = isSealed(type) ? env.seal(workflow.personId, text, itemContext(item.id)) : type.kind === 'checkbox' ? true : text;
  switch (type.kind) {
    case 'caseField':
      return { value: null, facts: fieldWritten(context, type.fieldName ?? '', value) };
    case 'note':
      return { value: kept, facts: [noteBeside(env, { personId: state.personId, caseId: state.id, content: text })] };
    case 'sendMessage': {
      const sent = messageOfItem(env, state, type);
      return { value: sent.interactionId, facts: beside(sent), failure: sent.failure };
    }
    case 'document':
      return { value: documentOf(context, type, text), facts: [] };
    case 'checkbox':
    case 'choice':
    case 'date':
    case 'setOutcome':
    case 'text':
      return { value: kept, facts: [] };
  }
}

/** The id of a document of the borrower, of the type that the item asks for. */
function documentOf({ env, state }: Context, type: ItemType, anyId: string): string {
  const document = findDocument(personOf(env, state.personId), anyId);
  if (document === undefined) return refuseProperty('value', 'a document of the borrower', `There is no document ${anyId}.`);
  const asked = documentTypeOf(type);
  if (asked !== null && document.type !== asked)
    refuseProperty('value', `a document of the type ${asked}`, `The document ${document.id} is of the type ${document.type}.`);
  return document.id;
}

/** A blocked message is recorded, as with any send. */
function stopped(facts: readonly FactDraft[], failure: SendFailure): Decision<CaseState> {
  const data = failedSend(failure);
  if (facts.length === 0) throw refusalOf(data);
  return { facts, reply: () => ({ status: BLOCKED_STATUS, data, message: data.message }) };
}

function shown({ env, state: { personId } }: Context, workflowId: string, facts: readonly FactDraft[]): Decision<CaseState> {
  return { facts, reply: (after) => ({ data: workflowView(readWorkflow(env, workflowId), after, env), sealedFor: personId }) };
}

const readWorkflow = (env: DecideEnv, id: string): WorkflowState =>
  env.read<WorkflowState>('workflow', id) ?? refuse('notFound', `There is no workflow ${id}.`);

interface Taken {
  readonly expected: string;
  isOf(value: unknown): boolean;
}

/** Whether there is such an object is checked by the change of the case. */
const ID: Taken = {
  expected: 'an id',
  isOf: (value) => isTextOf(300, value) && /^ext-|^[A-Z][A-Z0-9]-[A-Z0-9]+-[A-Z0-9]+|^\d+/.test(value),
};

const isTextOf = (most: number, value: unknown): value is string => typeof value === 'string' && value.length <= most;

const textOf = (most: number): Taken => ({
  expected: `a text of at most ${most.toLocaleString('en-US')} characters`,
  isOf: (value) => isTextOf(most, value),
});

/** Lists and objects can only be set on the case itself. */
const ON_CASE: Taken = { expected: 'nothing: it is set in the case itself', isOf: () => false };

/** The values that fields of a case accept from an item, by their kind. */
const TAKES: Readonly<Record<Extract<FieldKind, string>, Taken>> = {
  date: {
    expected: 'a date as YYYY-MM-DD, of the years 1900 to 2299',
    isOf: (value) => typeof value === 'string' && parseDay(value) !== undefined,
  },
  boolean: dataTypeOf('boolean'),
  amount: {
    expected: 'an amount of at most 9999999999999.99 with at most two decimals',
    isOf: (value) => typeof value === 'number' && value >= 0 && value <= MAX_CENTS / 100 && Math.round(value * 100) / 100 === value,
  },
  number: { expected: 'a number from 0 to 100', isOf: (value) => typeof value === 'number' && value >= 0 && value <= 100 },
  shortText: textOf(100),
  text: textOf(1000),
  contactId: ID,
  creditAgencyId: ID,
  documentId: ID,
  promiseId: ID,
  purchaseDisputeId: ID,
  loanIds: ON_CASE,
  purchaseIds: ON_CASE,
  object: ON_CASE,
};

/** Sets a type field or a custom field like a change of the case; refuses a value that the field does not accept. */
function fieldWritten(context: CommandContext<CaseState>, named: string, value: unknown): readonly FactDraft[] {
  const { state, env } = context;
  const { customFields } = typeOfCase(companyOf(env, env.tenant), state);
  if (customFields.some((field) => field.fieldName === named)) return changed(context, { customFields: { [named]: value } });
  const fieldName = SPELLINGS[named] ?? named;
  const kind = TYPE_FIELDS[state.caseType][fieldName] ?? refuse('businessValidation', `The case has no field ${fieldName}.`);
  if (typeof kind === 'string' && !TAKES[kind].isOf(value))
    refuseProperty('value', TAKES[kind].expected, `The field ${fieldName} must be ${TAKES[kind].expected}.`);
  return changed(context, { [fieldName]: value });
}

/** A change of the case. What is wrong with its field is wrong with the `value` of the item. */
function changed(context: CommandContext<CaseState>, body: object): readonly FactDraft[] {
  try {
    return updateCase.decide({ ...context, body }).facts;
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.errors.length === 0) throw cause;
    const errors = cause.errors.map((fault) => ({ ...fault, path: 'value' }));
    throw new Refusal(cause.errorType, cause.message, { errors, extra: cause.extra, cause });
  }
}

/** What the completion of an item requires, by its kind. */
interface KindRule {
  readonly expected: string;
  /** Whether the text may be personal, and is sealed. */
  readonly isSealed?: boolean;
  readonly isOf: (value: unknown, type: ItemType) => boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0;

const OUTCOMES: ReadonlySet<unknown> = new Set<CaseOutcome>([
  'approved',
  'denied',
  'partiallyApproved',
  'resolved',
  'withdrawn',
  'duplicate',
  'noResponse',
  'expired',
]);

const KINDS: Readonly<Record<ItemKind, KindRule>> = {
  checkbox: { expected: 'true, or absent', isOf: (value) => value === true || value === undefined || value === null },
  text: { expected: 'a text', isSealed: true, isOf: isText },
  choice: { expected: 'one of the options', isOf: (value, { options }) => isText(value) && options.includes(value) },
  date: { expected: 'a date as YYYY-MM-DD', isOf: (value) => dataTypeOf('date').isOf(value) },
  document: { expected: 'the id of a document', isOf: isText },
  // The rules of the case check the value.
  caseField: { expected: 'the value of the field', isOf: (value) => value !== undefined && value !== null },
  sendMessage: { expected: 'nothing', isOf: (value) => value === undefined || value === null },
  setOutcome: { expected: 'an outcome of cases', isOf: (value) => OUTCOMES.has(value) },
  note: { expected: 'a text', isSealed: true, isOf: isText },
};

/** Refuses a value with which an item of this kind cannot be completed. */
function checkValue(type: ItemType, value: unknown): void {
  const { isOf, expected } = KINDS[type.kind];
  if (!isOf(value, type)) refuseProperty('value', expected, `To complete a ${type.kind} item, \`value\` must be ${expected}.`);
}

const isSealed = ({ kind }: ItemType): boolean => KINDS[kind].isSealed === true;

/** The channels for a subject, in the order in which they are tried: the first with a template is used. */
const CHANNELS: readonly SendableChannel[] = ['email', 'text', 'mail'];

/** The message of an item: a normal send to the borrower of the case, about its loans. Refuses with 404 and 422. */
function messageOfItem(env: DecideEnv, state: CaseState, type: ItemType): Sending {
  const person = env.read<PersonState>('person', state.personId);
  if (!person || !isReachable(person)) return refuse('notFound', `There is no borrower ${state.personId}.`);
  const { channel, subject } = namedBy(companyOf(env, env.tenant), type);
  const said = readSaid(env.now, { subject, useTemplate: type.templateId });
  return sending(env, person, orderForCase(state, said, { channel, origin: 'request', supercaseBulkOperationId: null }));
}

interface Named {
  readonly channel: SendableChannel;
  readonly subject: Subject;
}

function namedBy(company: CompanyState, { subject, templateId }: ItemType): Named {
  if (templateId === null) {
    const wanted = subject ?? '';
    const channel = CHANNELS.find(
      (each) => typeof chooseTemplate(company, { subject: wanted, channel: each, productId: null, language: null }) !== 'string',
    );
    return isSubject(wanted) && channel !== undefined
      ? { channel, subject: wanted }
      : refuse('businessValidation', `The message cannot be sent: there is no template for ${wanted}.`);
  }
  const descriptor = templateDescriptorsOf(company).get(templateVersionsOf(company).get(templateId)?.parentId ?? templateId);
  const { channel = null, subject: of = '' } = descriptor?.stored ?? {};
  if (channel === null || !isSendable(channel) || !isSubject(of))
    return refuse(
      'businessValidation',
      `The template ${templateId} cannot be sent: it does not exist, or is not for messages to borrowers.`,
    );
  return { channel, subject: of };
}
