import { test } from 'tap';
import { type StoredCaseStatus, mayMove, nextStatuses } from '../../../../actors/casework/cases/machine.js';

/** The table of the contract. */
const MAY_GO_TO: Readonly<Record<StoredCaseStatus, readonly string[]>> = {
  initiated: ['processing', 'canceled'],
  processing: ['initiated', 'completed', 'canceled'],
  completed: ['reopened'],
  canceled: ['reopened'],
  reopened: ['processing', 'completed', 'canceled'],
  deleted: [],
};

for (const [status, next] of Object.entries(MAY_GO_TO) as [StoredCaseStatus, readonly string[]][]) {
  test(`a case that is ${status} may become ${next.join(', ') || 'nothing else'}`, async (t) => {
    t.same([...nextStatuses(status)].sort(), [...next].sort());
  });
}

test('an active case can be worked and deleted, a closed one accepts only notes and views', async (t) => {
  for (const status of ['initiated', 'processing', 'reopened'] as const)
    t.ok(mayMove(status, 'work') && mayMove(status, 'delete') && mayMove(status, 'note'));
  for (const status of ['completed', 'canceled'] as const)
    t.ok(!mayMove(status, 'work') && !mayMove(status, 'delete') && mayMove(status, 'note') && mayMove(status, 'view'));
});
