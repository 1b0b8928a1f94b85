import { test } from 'tap';
import type { SyncedConfig, TaskWorker } from '../../../../actors/company/index.js';
import { pair } from '../../../../actors/casework/tasks/pairing.js';
import type { WaitingItem } from '../../../../actors/casework/tasks/view.js';
import { WaitingQueue } from '../../../../actors/casework/tasks/board.js';
import { Random } from '../../../random.js';

const KIND = 'reviewVoicemail';

const config = (fields: Partial<SyncedConfig>): SyncedConfig => ({
  id: 'TP-1',
  externalId: null,
  name: null,
  priority: 0,
  isDefault: false,
  workerMatch: {},
  taskMatch: {},
  overrideWorkerQueueExpression: null,
  overrideTaskWorkflowExpression: null,
  reservationTimeoutSecs: null,
  ...fields,
});

const worker = (employeeId: string, fields: Partial<TaskWorker> = {}, teamIds: readonly string[] = []): TaskWorker => ({
  employeeId,
  activity: 'available',
  roleIds: [],
  isManager: false,
  taskTypes: [KIND, 'makeScheduledCall'],
  mayReceive: true,
  ...fields,
  employee: {
    userId: `user of ${employeeId}`,
    externalId: null,
    firstName: null,
    lastName: null,
    jobName: null,
    email: null,
    phone: null,
    managerEmployeeId: null,
    taskTypes: [],
    teamIds,
  },
});

const task = (id: string, fields: Partial<WaitingItem> = {}): WaitingItem => ({
  id,
  stamp: Number(id),
  taskType: KIND,
  priority: 10,
  traits: {},
  target: { employeeId: null, teamId: null, preferredEmployeeId: null },
  refusals: [],
  ...fields,
});

type Case = readonly [what: string, input: Partial<Parameters<typeof pair>[0]>, given: readonly string[]];

const CASES: readonly Case[] = [
  [
    'the higher priority goes first, then the older',
    { waiting: [task('1'), task('2', { priority: 20 }), task('3'), task('4'), task('5')] },
    ['2 to ann', '1 to bob', '3 to ann', '4 to bob', '5 to ann'],
  ],
  [
    'who has waited longest is first',
    { waiting: [task('1')], loads: [{ employeeId: 'ann', taskIds: [], voice: 0, lastAt: 900 }] },
    ['1 to bob'],
  ],
  [
    'three at a time',
    { waiting: [task('1')], workers: [worker('ann')], loads: [{ employeeId: 'ann', taskIds: ['7', '8', '9'], voice: 0, lastAt: 0 }] },
    [],
  ],
  [
    'and a call beside them',
    {
      waiting: [task('1', { taskType: 'makeScheduledCall' })],
      workers: [worker('ann')],
      loads: [{ employeeId: 'ann', taskIds: ['7', '8', '9'], voice: 0, lastAt: 0 }],
    },
    ['1 to ann'],
  ],
  [
    'but one call only',
    {
      waiting: [task('1', { taskType: 'makeScheduledCall' })],
      workers: [worker('ann')],
      loads: [{ employeeId: 'ann', taskIds: ['7'], voice: 1, lastAt: 0 }],
    },
    [],
  ],
  ['who is busy gets nothing', { waiting: [task('1')], workers: [worker('ann', { activity: 'busy' })] }, []],
  ['nor who may not', { waiting: [task('1')], workers: [worker('ann', { mayReceive: false })] }, []],
  ['nor who does not want the kind', { waiting: [task('1')], workers: [worker('ann', { taskTypes: [] })] }, []],
  [
    'who refused is asked again later',
    { waiting: [task('1', { refusals: [{ employeeId: 'ann', at: 999 }] })], workers: [worker('ann')] },
    [],
  ],
  [
    'a target is the only one',
    {
      waiting: [task('1', { target: { employeeId: 'bob', teamId: null, preferredEmployeeId: null } })],
      loads: [{ employeeId: 'bob', taskIds: [], voice: 0, lastAt: 900 }],
    },
    ['1 to bob'],
  ],
  [
    'a preferred one is first',
    {
      waiting: [task('1', { target: { employeeId: null, teamId: null, preferredEmployeeId: 'bob' } })],
      loads: [{ employeeId: 'bob', taskIds: [], voice: 0, lastAt: 900 }],
    },
    ['1 to bob'],
  ],
  [
    'a preferred one who is away is passed over',
    { waiting: [task('1', { target: { employeeId: null, teamId: null, preferredEmployeeId: 'eve' } })] },
    ['1 to ann'],
  ],
  [
    'a task waits for the first configuration that it meets',
    {
      waiting: [task('1'), task('2', { taskType: 'makeScheduledCall' })],
      configs: [config({ taskMatch: { taskTypes: [KIND] }, workerMatch: { teamIds: ['TM-1'] } }), config({ isDefault: true })],
    },
    ['2 to ann'],
  ],
];

for (const [what, input, given] of CASES) {
  test(what, (t) => {
    const offers = pair({
      waiting: [],
      loads: [],
      workers: [worker('ann'), worker('bob')],
      configs: [config({ isDefault: true })],
      now: 1000,
      ...input,
    });
    t.same(
      offers.map(({ taskId, employeeId }) => `${taskId} to ${employeeId}`),
      given,
    );
    t.end();
  });
}

test('a queue returns wanted items in order, whatever the order in which they were added', (t) => {
  const random = new Random(7);
  const numbers = Array.from({ length: 500 }, (_, at) => ({ at, rank: random.below(50) }));
  const gone = new Set(numbers.filter(({ at }) => at % 3 === 0));
  const queue = new WaitingQueue<(typeof numbers)[number]>(
    (one, other) => (one.rank === other.rank ? one.at < other.at : one.rank < other.rank),
    (item) => !gone.has(item),
  );
  for (const number of numbers) queue.push(number);
  const expected = numbers
    .filter((item) => !gone.has(item))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .slice(0, 40);
  t.same(queue.first(40), expected);
  t.same(queue.first(40), expected, 'the items stay in the queue');
  t.end();
});
