import type { OperationView } from '../../actors/index.js';
import { doneOf, durationText } from './watch-operation.js';

export const OPERATION_HEAD = ['operation', 'kind', 'state', 'percent', 'done', 'changed', 'failed', 'loans/s', 'left', 'started'];

/** Its line in the list. */
export const operationLine = (operation: OperationView): readonly (string | number)[] => [
  operation.operationId,
  operation.kind,
  stateOf(operation),
  operation.percent === null ? '' : `${operation.percent}%`,
  operation.progress === null ? '' : doneOf(operation),
  operation.counts?.changed ?? '',
  operation.counts?.failed ?? '',
  operation.loansPerSecond ?? '',
  leftOf(operation),
  operation.startedAt,
];

function stateOf({ status, isPaused, isDryRun, errorType }: OperationView): string {
  const state = errorType === 'canceled' ? 'canceled' : status === 'running' && isPaused ? 'paused' : status;
  return isDryRun ? `${state}, dry run` : state;
}

const leftOf = ({ status, etaSeconds }: OperationView): string =>
  status === 'running' && etaSeconds !== null ? durationText(etaSeconds) : '';

/** All that there is to say of one. */
export function operationText(operation: OperationView): string {
  const {
    operationId,
    kind,
    progress,
    percent,
    counts,
    failures,
    loansPerSecond,
    startedAt,
    finishedAt,
    resultObjectId,
    errorMessage,
    report,
  } = operation;
  const lines: (readonly [string, string])[] = [
    ['state', stateOf(operation)],
    ['started', startedAt],
  ];
  if (finishedAt !== null) lines.push(['ended', finishedAt]);
  if (progress !== null) lines.push(['done', `${doneOf(operation)}${percent === null ? '' : ` (${percent}%)`}`]);
  if (counts !== null)
    lines.push(...(['changed', 'unchanged', 'failed'] as const).map((name) => [name, counts[name].toLocaleString('en-US')] as const));
  if (loansPerSecond !== null && finishedAt === null) lines.push(['rate', `${loansPerSecond.toLocaleString('en-US')} loans/s`]);
  if (leftOf(operation) !== '') lines.push(['left', leftOf(operation)]);
  if (resultObjectId !== null) lines.push(['result', resultObjectId]);
  if (report !== null) lines.push(['report', `${report.rows.toLocaleString('en-US')} loans: GET /api/operations/${operationId}/report`]);
  return [
    `${operationId}  ${kind}`,
    ...lines.map(([name, value]) => `  ${name.padEnd(10)}${value}`),
    ...(failures ?? []).map(({ id, message }) => `    ${id}: ${message}`),
    ...(errorMessage === null ? [] : [errorMessage]),
    '',
  ].join('\n');
}
