import { test } from 'tap';
import typia from 'typia';
import type { tags } from 'typia';
import { Refusal } from '../../actors/index.js';
import { defineRoute, type Route } from '../../gateway/index.js';
import { gatewayFor, scriptedEngine } from './harness.js';

interface FreezeLoan {
  readonly reason: string & tags.MaxLength<10>;
}

const freeze: Route = defineRoute({
  method: 'PUT',
  path: '/people/{personId}/loans/{loanId}/freeze',
  operation: 'freezeLoan',
  summary: 'Freeze a loan',
  tags: ['Loans'],
  permission: 'loan:freeze',
  body: { validate: typia.misc.createValidatePrune<FreezeLoan>(), schemas: typia.json.schemas<[FreezeLoan], '3.1'>() },
  handle: (call) => call.command('loan.freeze', call.params.loanId),
});

const path = '/api/people/BO-AAAA-1111/loans/ext-loan%20one/freeze';

test('a write becomes a command of the caller and its outcome the reply', async (t) => {
  const engine = scriptedEngine({ execute: () => ({ data: { id: 'LN-AAAA-1111', status: 'frozen' }, replayed: false }) });
  const { ask } = await gatewayFor(t, { routes: [freeze], engine });
  const answer = await ask(path, {
    method: 'PUT',
    body: { reason: 'dispute', unknown: 1 },
    headers: { 'X-Request-Id': 'r-1', 'Tenor-Unknown-Fields': 'ignore' },
  });
  t.equal(answer.status, 200);
  t.strictSame(answer.json, { status: 200, message: 'OK', data: { id: 'LN-AAAA-1111', status: 'frozen' } });
  t.equal(answer.headers['x-request-id'], 'r-1');
  t.equal(answer.headers['x-api-version'], '2023-11-29');
  const [command] = engine.commands;
  t.match(command, {
    company: 'CP-TEST-CMP1',
    mode: 'test',
    type: 'loan.freeze',
    target: 'ext-loan one',
    params: { personId: 'BO-AAAA-1111', loanId: 'ext-loan one' },
    actor: { type: 'key', id: 'AK-TEST-KEY1', userId: 'UR-TEST-USR1' },
    address: '127.0.0.1',
    requestId: 'r-1',
  });
  t.strictSame(command?.body, { reason: 'dispute' }, 'properties that the type does not name are left out');
});

test('a refusal of the engine is answered in the one form of errors', async (t) => {
  const engine = scriptedEngine({
    execute: () => {
      throw new Refusal('loanLocked', 'The loan LN-AAAA-1111 is being replayed.', {
        extra: { loanId: 'LN-AAAA-1111' },
        retryAfterSeconds: 2,
      });
    },
  });
  const { ask, failures } = await gatewayFor(t, { routes: [freeze], engine });
  const answer = await ask(path, { method: 'PUT', body: { reason: 'dispute' }, headers: { 'X-Request-Id': 'r-2' } });
  t.equal(answer.status, 423);
  t.equal(answer.headers['retry-after'], '2');
  t.strictSame(answer.json, {
    statusCode: 423,
    status: 423,
    errorType: 'loanLocked',
    message: 'The loan LN-AAAA-1111 is being replayed.',
    title: 'The ledger is locked by another operation',
    detail: 'The loan LN-AAAA-1111 is being replayed.',
    type: 'about:blank',
    requestId: 'r-2',
    errors: [],
    loanId: 'LN-AAAA-1111',
  });
  t.equal(failures.length, 0);
});

test('a failure of the service shows the caller only the request id', async (t) => {
  const engine = scriptedEngine({
    execute: () => {
      throw new Error('secret detail');
    },
  });
  const { ask, failures } = await gatewayFor(t, { routes: [freeze], engine });
  const answer = await ask(path, { method: 'PUT', body: { reason: 'dispute' } });
  t.equal(answer.status, 500);
  t.equal(answer.json['errorType'], 'internalError');
  t.notMatch(answer.text, /secret/);
  t.match(failures, [{ message: 'secret detail' }]);
});

test('an error thrown outside of the routes is answered 500, and the service goes on', async (t) => {
  const readiness = (): never => {
    throw new Error('secret detail');
  };
  const { ask, failures } = await gatewayFor(t, { readiness });
  const answer = await ask('/health/ready', { headers: { 'X-Request-Id': 'r-3' } });
  t.equal(answer.status, 500);
  t.match(answer.json, { errorType: 'internalError', requestId: 'r-3' });
  t.notMatch(answer.text, /secret/);
  t.match(failures, [{ message: 'secret detail' }]);
  t.equal((await ask('/health/live')).status, 200);
});

test('one refusal lists all faults of a body', async (t) => {
  const { ask } = await gatewayFor(t, { routes: [freeze] });
  const missing = await ask(path, { method: 'PUT' });
  t.equal(missing.status, 400);
  t.strictSame(missing.json['errors'], [{ path: 'reason', expected: 'a string of at most 10 characters', message: 'reason is missing' }]);
  const long = await ask('/api/people/nobody/loans/1/freeze', { method: 'PUT', body: { reason: 'much too long' } });
  t.equal(long.json['errorType'], 'validationError');
  t.strictSame(
    (long.json['errors'] as { path: string }[]).map((fault) => fault.path),
    ['personId', 'reason'],
  );
});
