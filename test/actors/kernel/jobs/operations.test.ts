import { test } from 'tap';
import { tenantOf } from '../../../../actors/kernel/fact.js';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import { type Operation, operationIdOf, Operations } from '../../../../actors/kernel/jobs/operations.js';

const TENANT = tenantOf('CP-1111-1111', 'test');
const LIVE = tenantOf('CP-1111-1111', 'live');
const NOW = Date.UTC(2026, 2, 1);

const operation = (operationId: string, more: Partial<Operation> = {}): Operation => ({
  operationId,
  tenant: TENANT,
  kind: 'loan.update',
  loanId: 'LN-1111-1111',
  status: 'succeeded',
  startedAt: NOW,
  finishedAt: NOW,
  resultObjectId: 'LN-1111-1111',
  errorType: null,
  errorMessage: null,
  progress: null,
  ...more,
});

test('an operation is given back as it was put, to its own company and mode alone, for an hour', (t) => {
  const operations = new Operations();
  const all = [
    operation('done'),
    operation('beside-no-loan', { loanId: null, resultObjectId: null }),
    operation('failed', { status: 'failed', errorType: 'invalidState', errorMessage: 'no' }),
    operation('counted', { progress: { done: 2, total: 2 } }),
    operation('running', { status: 'running', finishedAt: null }),
  ];
  for (const one of all) operations.put(one);
  for (const one of all) {
    t.same(operations.get(TENANT, one.operationId, NOW), one);
    t.equal(operations.get(LIVE, one.operationId, NOW), undefined);
  }
  t.same(
    operations.list(TENANT, NOW).map(({ operationId }) => operationId),
    ['running', 'counted', 'failed', 'beside-no-loan', 'done'],
  );
  t.same(operations.list(LIVE, NOW), []);
  t.same(
    operations.list(TENANT, NOW + LIMITS.operationMs + 1).map(({ operationId }) => operationId),
    ['running'],
  );
  t.end();
});

test('what goes on after the reply is finished later', (t) => {
  const operations = new Operations();
  operations.put(operation('long', { status: 'running', finishedAt: null, progress: { done: 0, total: 7 } }));
  operations.finish(LIVE, 'long', NOW + 1);
  t.match(operations.get(TENANT, 'long', NOW + 1), { status: 'running', progress: { done: 0 } });
  operations.finish(TENANT, 'long', NOW + 5);
  t.match(operations.get(TENANT, 'long', NOW + 5), { status: 'succeeded', finishedAt: NOW + 5, progress: { done: 7, total: 7 } });
  operations.put(operation('long', { kind: 'loan.replay' }));
  t.same(operations.get(TENANT, 'long', NOW), operation('long', { kind: 'loan.replay' }));
  t.end();
});

test('beyond the bound the oldest give way', (t) => {
  const operations = new Operations();
  operations.put(operation('first', { status: 'running', finishedAt: null }));
  for (let number = 0; number < LIMITS.operations; number++) operations.put(operation(`O${number}`));
  t.equal(operations.get(TENANT, 'first', NOW), undefined);
  t.equal(operations.get(TENANT, 'O0', NOW)?.status, 'succeeded', 'nothing of the one whose place it took');
  t.equal(operations.list(TENANT, NOW).length, LIMITS.operations);
  t.end();
});

test('ids of commands that are random or hashes become those of operations as they are', (t) => {
  t.equal(operationIdOf('01234567-89ab-cdef-0123-456789abcdef'), '0123456789abcdef0123456789abcdef');
  t.equal(operationIdOf('ab'.repeat(32)), 'ab'.repeat(16));
  t.match(operationIdOf('anything else'), /^[0-9a-f]{32}$/);
  t.end();
});
