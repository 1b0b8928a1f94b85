import type { CaseStatus, TaskType } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, type LoanState, recordOf, runningOf, statusOf, thresholdDraft } from '../../loan/index.js';
import { millisecondsOf } from '../../wire.js';
import { isTaken, type NewTask, openTasksCanceled, taskForCase } from '../tasks/creation.js';
import { workflowCanceled, workflowCreated, workflowResumed } from '../workflows/starting.js';
import { decided, fact, onCase } from './context.js';
import { caseOfLoans, type CaseOfLoans, isAboutLoan, loansOf } from './documents.js';
import { isActive } from './machine.js';
import type { SnoozeRequest } from './requests.js';
import type { CaseState, EscalationTarget } from './state.js';
import { sealText, snoozeView } from './view.js';

/*
 * What a case gives to the desk: tasks for agents, and the workflow by which it is worked. All of it lies
 * beside the borrower, so that it is recorded together with what the case itself does.
 */

type CaseOfDesk = Pick<
  CaseState,
  'id' | 'personId' | 'caseType' | 'caseTypeId' | 'autoCreated' | 'supercaseId' | 'owningEmployeeId' | 'owningTeamId'
>;

/** A task that goes to whoever owns the case, and to others where the owner is away or there is none. */
const reviewBy = ({ owningEmployeeId, owningTeamId }: CaseOfDesk): NonNullable<NewTask['target']> => ({
  preferredEmployeeId: owningEmployeeId,
  teamId: owningEmployeeId === null ? owningTeamId : null,
});

function task(env: DecideEnv, state: CaseOfDesk, asked: NewTask): readonly FactDraft[] {
  const made = taskForCase(env, state.id, state, asked);
  return made === null ? [] : [made];
}

/** A case that nobody made by hand is looked at; those of a supercase come by the thousand and are worked together. */
export const reviewOfNew = (env: DecideEnv, state: CaseOfDesk): readonly FactDraft[] =>
  state.autoCreated && state.supercaseId === null ? task(env, state, { taskType: 'reviewAutoCreatedCase', target: reviewBy(state) }) : [];

/** What a source outside has told anew of a case. */
export const reviewOfChanged = (env: DecideEnv, state: CaseState): readonly FactDraft[] =>
  task(env, state, { taskType: 'reviewAutoUpdatedCase', target: reviewBy(state) });

/** What the borrower has uploaded for a case; further uploads belong to the review that is open. */
export const reviewOfUpload = (env: DecideEnv, state: CaseState, documentId: string): readonly FactDraft[] =>
  task(env, state, { taskType: 'reviewDocumentUpload', documentId, target: reviewBy(state) });

export const reviewOfSnoozed = (env: DecideEnv, state: CaseState): readonly FactDraft[] =>
  task(env, state, { taskType: 'reviewSnoozedCase', target: reviewBy(state) });

export const callToMake = (env: DecideEnv, state: CaseState, scheduledCallId: string): readonly FactDraft[] =>
  task(env, state, { taskType: 'makeScheduledCall', target: reviewBy(state), attributes: { scheduledCallId } });

/** `keyDates`: the fields that name the day; none of a reminder. */
export const reviewTask = (env: DecideEnv, state: CaseState, keyDates: readonly string[]): readonly FactDraft[] =>
  task(env, state, { taskType: 'smartReviewCase', target: reviewBy(state), attributes: keyDates.length === 0 ? {} : { keyDates } });

/** By target and urgency. */
const ESCALATION_TASKS = {
  agent: ['reviewEscalatedCaseAgent', 'reviewEscalatedCaseAgentUrgent'],
  team: ['reviewEscalatedCaseTeam', 'reviewEscalatedCaseTeamUrgent'],
} as const satisfies Readonly<Record<EscalationTarget['targetType'], readonly TaskType[]>>;

const OF_ESCALATIONS: ReadonlySet<string> = new Set(Object.values(ESCALATION_TASKS).flat());

const isOfEscalation = (taskType: TaskType): boolean => OF_ESCALATIONS.has(taskType);

/** The task of an escalation, in place of one that it had; none where it is over. */
export function escalationTask(
  env: DecideEnv,
  state: CaseState,
  escalationId: string,
  target: EscalationTarget | null,
): readonly FactDraft[] {
  const ended = openTasksCanceled(env, state.id, 'escalationChanged', isOfEscalation);
  if (target === null) return ended;
  const { targetType, isUrgent, employeeId, teamId } = target;
  const made = taskForCase(
    env,
    state.id,
    state,
    { taskType: ESCALATION_TASKS[targetType][isUrgent ? 1 : 0], target: { employeeId, teamId }, attributes: { escalationId } },
    isTaken,
  );
  return made === null ? ended : [...ended, made];
}

/** The workflow of a new case whose type has one. */
export function workflowOfNew(env: DecideEnv, { id, personId }: CaseOfDesk, workflowTypeId: string | null): readonly FactDraft[] {
  const created = workflowTypeId === null ? null : workflowCreated(env, { caseId: id, personId, workflowTypeId });
  return created === null ? [] : [created.fact, { type: 'CaseWorkflowStarted', body: { workflowId: created.id } }];
}

/** What follows when a case moves: its end ends tasks and workflow, its reopening resumes the workflow. */
export function deskAfterMove(env: DecideEnv, state: CaseState, status: CaseStatus): readonly FactDraft[] {
  if (!isActive(status)) return [...openTasksCanceled(env, state.id, `case ${status}`), ...workflowCanceled(env, state)];
  return status === 'reopened' ? workflowResumed(env, state) : [];
}

/** The same for a case that is deleted. */
export const deskAfterDelete = (env: DecideEnv, state: CaseState): readonly FactDraft[] => [
  ...openTasksCanceled(env, state.id, 'case deleted'),
  ...workflowCanceled(env, state),
];

/** Cases with a hold. A claim of fraud is a case of identity theft. */
const HOLDING: ReadonlySet<CaseState['caseType']> = new Set(['bankruptcy', 'deceased', 'militaryDuty', 'identityTheft']);

/** What begins and what ends with a case as it now stands; loans that it holds already are told nothing. */
export function thresholdsFollow(env: DecideEnv, known: CaseOfLoans): readonly FactDraft[] {
  if (!HOLDING.has(known.caseType)) return [];
  return loansOf(env, known.personId).flatMap((loan) => {
    if (activationOf(loan) === null || statusOf(loan) === 'canceled') return [];
    const isHeld = runningOf(loan, env).thresholdHolders.includes(known.id);
    const holds = isHolding(env, known, loan.id);
    return holds === isHeld
      ? []
      : [
          {
            ...thresholdDraft(env, loan, holds ? 'thresholdsHeld' : 'thresholdsReleased', known.id),
            target: { kind: 'loan', id: loan.id },
          },
        ];
  });
}

/** Ids of the open cases that hold a loan. */
export function casesHolding(env: DecideEnv, loan: LoanState): readonly string[] {
  const { personId } = recordOf(loan);
  const { rows } = env.list('case', {
    parentId: personId,
    matches: ({ parentId, fields }) => parentId === personId && fields['isActive'] === true,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const cases = rows.flatMap(({ id }) => env.read<CaseState>('case', id) ?? []).filter(({ caseType }) => HOLDING.has(caseType));
  return cases.filter((known) => isHolding(env, caseOfLoans(known), loan.id)).map(({ id }) => id);
}

const isHolding = (env: DecideEnv, known: CaseOfLoans, loanId: string): boolean =>
  isActive(known.status) && isAboutLoan(env, known, loanId);

/** `POST .../snooze`: the case rests until then; another snooze replaces it. */
export const snoozeCase = onCase('caseSnooze.create', 'work', ({ state, body, env }) => {
  const request = body as SnoozeRequest;
  const until = millisecondsOf(request.until);
  if (until <= env.now) refuseProperty('until', 'a future date-time', '`until` must be in the future.');
  const id = env.newId('SZ');
  const reason = sealText(env, { personId: state.personId, place: 'snooze', id }, request.reason);
  return decided(
    state.personId,
    [fact('CaseSnoozed', { id, until, reason })],
    (after) => after.snooze && snoozeView(after, after.snooze, env),
  );
});

/** `DELETE .../snooze`. */
export const wakeCase = onCase('caseSnooze.delete', 'work', ({ state }) => {
  const { id } = state.snooze ?? refuse('notFound', `The case ${state.id} is not snoozed.`);
  return { facts: [fact('CaseWoken', { id })], reply: () => ({ data: undefined }) };
});
