import { allOf, type Attributes, equals, type Expression, meets, oneOf, parseExpression } from './expression.js';
import type { PairingConfig, SyncedConfig, TaskMatch, WorkerMatch } from './pairing-configs.js';

/** The fields of tasks and workers that expressions may read. */
const TASK_FIELDS: ReadonlySet<string> = new Set([
  'taskType',
  'priority',
  'case.caseType',
  'case.caseTypeId',
  'case.autoCreated',
  'supercase.supercaseType',
  'interaction.channel',
  'interaction.theme',
  'interaction.direction',
  'interaction.subject',
]);

const WORKER_FIELDS: ReadonlySet<string> = new Set(['employeeId', 'userId', 'isManager', 'teamIds', 'roleIds']);

/** The expression that is equivalent to a match. */
export const workerExpression = ({ isManager, teamIds, roleIds }: WorkerMatch): string =>
  allOf([...equals('isManager', isManager), ...oneOf('teamIds', teamIds), ...oneOf('roleIds', roleIds)]);

export function taskExpression({ not = false, taskTypes, case: ofCase, supercase, interaction }: TaskMatch): string {
  const parts = [
    ...oneOf('taskType', taskTypes),
    ...oneOf('case.caseType', ofCase?.caseTypeEnums),
    ...equals('case.autoCreated', ofCase?.autocreated),
    ...oneOf('case.caseTypeId', ofCase?.caseTypeIds),
    ...oneOf('supercase.supercaseType', supercase?.supercaseTypeEnums),
    ...oneOf('interaction.channel', interaction?.channels),
    ...oneOf('interaction.theme', interaction?.themes),
    ...oneOf('interaction.direction', interaction?.directions),
    ...oneOf('interaction.subject', interaction?.subjects),
  ];
  return not ? `NOT (${allOf(parts)})` : allOf(parts);
}

/** A configuration against which tasks and workers are matched. */
export class PairingRule {
  readonly #task: Expression;
  readonly #worker: Expression;

  constructor(readonly config: SyncedConfig) {
    this.#task = taskRuleOf(config);
    this.#worker = workerRuleOf(config);
  }

  isOfTask(task: Attributes): boolean {
    return meets(this.#task, task);
  }

  isOfWorker(worker: Attributes): boolean {
    return meets(this.#worker, worker);
  }
}

export const taskRuleOf = ({ overrideTaskWorkflowExpression, taskMatch }: PairingConfig): Expression =>
  parseExpression(overrideTaskWorkflowExpression ?? taskExpression(taskMatch), TASK_FIELDS, 'overrideTaskWorkflowExpression');

export const workerRuleOf = ({ overrideWorkerQueueExpression, workerMatch }: PairingConfig): Expression =>
  parseExpression(overrideWorkerQueueExpression ?? workerExpression(workerMatch), WORKER_FIELDS, 'overrideWorkerQueueExpression');
