import { assert, must } from '../../../engine/index.js';
import { callingEmployee, companyOf, employeeOf, teamOf } from '../../company/index.js';
import { checkAll, refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { resolveId } from '../../kernel/ids.js';
import { isPermitted } from '../../permission.js';
import { fact as caseFact } from '../cases/context.js';
import { replanned } from '../cases/reviews.js';
import { type CaseState, isReachable, openEscalation } from '../cases/state.js';
import { type CaseOfTask, type NewTask, refuseSecond, taskCreated, traitsOf } from './creation.js';
import { isOpen, type ReleaseReason, TASK_CHART, type TaskFacts, type TaskMove, type TaskState, type TaskTarget } from './state.js';
import type { CancelTaskRequest, CreateTaskRequest, TransferTaskRequest, UpdateTaskRequest } from './requests.js';
import { subjectNamed } from './subject.js';
import { taskView } from './view.js';

type Context<Body = unknown> = CommandContext<TaskState, Body>;

const fact = <Type extends keyof TaskFacts>(type: Type, body: TaskFacts[Type]): FactDraft => ({ type, body });

/** Tasks that agents create: about a borrower, about a case, or about neither. */
const createFor = (
  type: string,
  place: CommandSpec<TaskState>['place'],
  of: (context: Context<CreateTaskRequest>) => { readonly task: NewTask; readonly ofCase?: CaseOfTask },
): CommandSpec<TaskState, CreateTaskRequest> => ({
  kind: 'task',
  type,
  place,
  decide(context) {
    const { env, body } = context;
    const { task, ofCase } = of(context);
    const { employeeId = null, teamId = null } = body;
    const target = targetOf(env, { employeeId, teamId });
    const created = taskCreated(env, { ...task, target }, ofCase ? traitsOf(ofCase) : {});
    return withTaskReply(context, [created]);
  },
});

const asked = (env: DecideEnv, personId: string | null, body: CreateTaskRequest): NewTask => {
  const { taskType, priority, attributes } = body;
  return {
    taskType,
    ...subjectNamed(env, personId, body),
    ...(priority === undefined ? {} : { priority }),
    ...(attributes === undefined ? {} : { attributes }),
  };
};

const createUnbound = createFor('task.create', { on: 'root' }, ({ body, env }) => ({ task: asked(env, null, body) }));

const createBesidePerson = createFor('task.createForPerson', { on: 'beside', kind: 'person' }, ({ besideId, body, env }) => {
  const personId = must(besideId, 'a borrower');
  return { task: { ...asked(env, personId, body), personId } };
});

const createBesideCase = createFor('task.createForCase', { on: 'beside', kind: 'case' }, ({ besideId, body, env }) => {
  const caseId = must(besideId, 'a case');
  const ofCase = must(env.read<CaseOfTask>('case', caseId), `the case ${caseId}`);
  requireBorrower(env, ofCase, body);
  refuseSecond(env, caseId, body.taskType);
  return { task: { ...asked(env, ofCase.personId, body), personId: ofCase.personId, caseId, supercaseId: ofCase.supercaseId }, ofCase };
});

/** A task for a case is about the borrower of the case. */
function requireBorrower(env: DecideEnv, ofCase: CaseOfTask, { personId, caseId }: CreateTaskRequest): void {
  if (personId == null || resolveId(env, env.tenant, 'person', personId) === ofCase.personId) return;
  refuseProperty('caseId', 'a case of the borrower', `The borrower ${personId} has no case ${caseId ?? ''}.`);
}

/** `POST …/terminated-tasks/{taskHistoryId}/clone`: creates the same task again. */
const clone: CommandSpec<TaskState> = {
  kind: 'task',
  type: 'task.clone',
  place: { on: 'beside', kind: 'task' },
  decide(context) {
    const { env, besideId } = context;
    const { taskType, priority, attributes, traits, target, personId, caseId, supercaseId, interactionId, documentId, noteId, ...before } =
      must(env.read<TaskState>('task', must(besideId, 'a task')), 'the task');
    if (isOpen(before)) refuse('notFound', `There is no completed or canceled task ${before.id}.`);
    if (caseId !== null) refuseSecond(env, caseId, taskType);
    const subject = { personId, caseId, supercaseId, interactionId, documentId, noteId };
    const task: NewTask = { taskType, priority, attributes: attributes ?? {}, target, ...subject };
    return withTaskReply(context, [taskCreated(env, task, traits)]);
  },
};

const onTask = <Body>(type: string, decide: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<TaskState, Body> => ({
  kind: 'task',
  type,
  place: { on: 'target' },
  decide: (context) => withTaskReply(context, decide(context)),
});

const update = onTask('task.update', ({ state, body }: Context<UpdateTaskRequest>) => {
  requireMove(state, 'change');
  const { priority, attributes } = body;
  return [
    fact('TaskChanged', {
      ...(priority === undefined ? {} : { priority }),
      ...(attributes === undefined ? {} : { attributes: { ...state.attributes, ...attributes } }),
    }),
  ];
});

/** The call of a canceled task is missed. */
const cancel = onTask('task.cancel', ({ state, body, env }: Context<CancelTaskRequest>) => {
  if (!TASK_CHART.allows(state.status, 'cancel')) requireMove(state, 'withdraw');
  const ofCase = caseOfTask(env, state);
  return [fact('TaskCanceled', { reason: body.reason ?? null }), ...(ofCase ? callEnded(env, ofCase, state, 'missed') : [])];
});

const transfer = onTask('task.transfer', ({ state, body, env }: Context<TransferTaskRequest>) => {
  requireMove(state, 'transfer');
  const { employeeId = null, teamId = null } = body;
  if ((employeeId === null) === (teamId === null))
    refuseProperty('employeeId', 'an employee, or a team in teamId', 'Send exactly one of `employeeId` and `teamId`.');
  return [fact('TaskTransferred', targetOf(env, { employeeId, teamId }))];
});

/** Internal, without a route. The task itself decides, so that it is offered to only one worker. */
const reserve = onTask('task.reserve', ({ state, body, env, command }: Context<ReserveTaskBody>) => {
  assert(command.actor.type === 'system', 'tasks are given by the service');
  requireMove(state, 'reserve');
  const { employeeId, pairingConfigId, queueName, seconds } = body;
  return [fact('TaskReserved', { employeeId, pairingConfigId, queueName, expiresAt: env.now + seconds * 1000 })];
});

export interface ReserveTaskBody {
  readonly employeeId: string;
  readonly pairingConfigId: string;
  readonly queueName: string;
  readonly seconds: number;
}

const accept = onTask('task.accept', (context) => {
  requireOwn(context, 'accept');
  return [fact('TaskAccepted', {})];
});

const reject = onTask('task.reject', (context) => [released(requireOwn(context, 'release'), 'rejected', context.env.now)]);

const complete = onTask('task.complete', (context) => {
  const { state, command } = context;
  if (isPermitted(command.permissions, 'task:update')) requireMove(state, 'complete');
  else requireOwn(context, 'complete');
  return [fact('TaskCompleted', {}), ...doneByTask(context.env, state)];
});

/** The facts of a completed task for its case: the call was made, the escalation is resolved. */
function doneByTask(env: DecideEnv, task: TaskState): readonly FactDraft[] {
  const ofCase = caseOfTask(env, task);
  if (!ofCase) return [];
  const { escalationId } = task.attributes ?? {};
  const escalation = openEscalation(ofCase);
  const target = { kind: 'case', id: ofCase.id };
  return [
    ...(escalation && escalation.id === escalationId
      ? [{ ...caseFact('EscalationEnded', { id: escalation.id, status: 'resolved', reason: null }), target }]
      : []),
    ...callEnded(env, ofCase, task, 'completed'),
  ];
}

function caseOfTask(env: DecideEnv, { caseId }: TaskState): CaseState | undefined {
  const found = caseId === null ? undefined : env.read<CaseState>('case', caseId);
  return found && isReachable(found) ? found : undefined;
}

/** Ends the scheduled call of a task. */
function callEnded(env: DecideEnv, ofCase: CaseState, { attributes }: TaskState, status: 'completed' | 'missed'): readonly FactDraft[] {
  const call = ofCase.calls.find(({ id, status: present }) => id === attributes?.['scheduledCallId'] && present === 'scheduled');
  if (!call) return [];
  return [
    { ...caseFact('CallEnded', { id: call.id, status }), target: { kind: 'case', id: ofCase.id } },
    ...replanned(env, { ...ofCase, calls: ofCase.calls.filter((other) => other !== call) }),
  ];
}

export const released = (employeeId: string, reason: ReleaseReason, at: number): FactDraft =>
  fact('TaskReleased', { employeeId, reason, at });

export const taskCommands: readonly CommandSpec<TaskState>[] = [
  createUnbound,
  createBesidePerson,
  createBesideCase,
  clone,
  update,
  cancel,
  transfer,
  reserve,
  accept,
  reject,
  complete,
];

/** The calling employee; refuses callers who neither have the task nor are offered it. */
function requireOwn({ state, command, env }: Context, move: TaskMove): string {
  const { id } = callingEmployee(companyOf(env, env.tenant), command);
  if (state.employeeId !== null && state.employeeId !== id)
    refuse('permissionDenied', `The task ${state.id} is assigned to somebody else.`);
  requireMove(state, move);
  return id;
}

function requireMove({ id, status }: TaskState, move: TaskMove): void {
  if (!TASK_CHART.allows(status, move)) refuse('invalidTransition', `The task ${id} is ${status}: ${move} is not possible.`);
}

function targetOf(
  env: DecideEnv,
  { employeeId, teamId }: { readonly employeeId: string | null; readonly teamId: string | null },
): TaskTarget {
  const company = companyOf(env, env.tenant);
  const named = {
    employeeId: () =>
      employeeId &&
      (employeeOf(company, employeeId)?.id ?? refuseProperty('employeeId', 'the id of an employee', `There is no employee ${employeeId}.`)),
    teamId: () => teamId && (teamOf(company, teamId)?.id ?? refuseProperty('teamId', 'the id of a team', `There is no team ${teamId}.`)),
  };
  checkAll(Object.values(named));
  return { employeeId: named.employeeId(), teamId: named.teamId(), preferredEmployeeId: null };
}

const withTaskReply = ({ env }: Context, facts: readonly FactDraft[]): Decision<TaskState> => ({
  facts,
  reply: (after) => ({ data: taskView(after, env), ...(after.personId === null ? {} : { sealedFor: after.personId }) }),
});
