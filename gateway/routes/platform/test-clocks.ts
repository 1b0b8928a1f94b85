import typia, { type tags } from 'typia';
import type { DateText, OperationView, TestClockView } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

interface CreateTestClock {
  /** Today by default; in the past only while the test mode is empty. */
  readonly startDate?: DateText;
  readonly name?: (string & tags.MaxLength<200>) | null;
}

interface AdvanceTestClock {
  /** A date, or a date-time with its offset. */
  readonly to: string & tags.MaxLength<40>;
}

const clockReply = typia.json.schemas<[TestClockView], '3.1'>();

/** Clocks of the test mode: time stands still until it is advanced. */
export const testClockRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/test-clocks',
    operation: 'listTestClocks',
    tags: ['Test clocks'],
    permission: 'testclock:read',
    envelope: 'list',
    summary: 'List the test clocks of the company',
    reply: typia.json.schemas<[TestClockView[]], '3.1'>(),
    handle: (call) => call.read('testClock.list', null),
  }),
  defineRoute({
    method: 'POST',
    path: '/test-clocks',
    operation: 'createTestClock',
    tags: ['Test clocks'],
    permission: 'testclock:create',
    success: 201,
    summary: 'Create a test clock, which stops the time of the test mode',
    body: { validate: typia.misc.createValidatePrune<CreateTestClock>(), schemas: typia.json.schemas<[CreateTestClock], '3.1'>() },
    reply: clockReply,
    handle: (call) => call.command('testClock.create', null),
  }),
  defineRoute({
    method: 'GET',
    path: '/test-clocks/{testClockId}',
    operation: 'getTestClock',
    tags: ['Test clocks'],
    permission: 'testclock:read',
    summary: 'Get a test clock',
    reply: clockReply,
    handle: (call) => call.read('testClock.get', call.params.testClockId),
  }),
  defineRoute({
    method: 'POST',
    path: '/test-clocks/{testClockId}/advance',
    operation: 'advanceTestClock',
    tags: ['Test clocks'],
    permission: 'testclock:advance',
    success: 202,
    summary: 'Advance a test clock',
    query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<AdvanceTestClock>(), schemas: typia.json.schemas<[AdvanceTestClock], '3.1'>() },
    reply: typia.json.schemas<[OperationView], '3.1'>(),
    handle: async (call) => {
      const reply = await call.command('testClock.advance', call.params.testClockId);
      return { ...reply, status: reply.status ?? 200 };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/test-clocks/{testClockId}',
    operation: 'deleteTestClock',
    tags: ['Test clocks'],
    permission: 'testclock:delete',
    summary: 'Delete all data of the test mode',
    handle: (call) => call.command('testClock.delete', call.params.testClockId),
  }),
];
