import { test } from 'tap';
import { type EventFilter, matches } from '../../../../actors/kernel/events/event-index.js';
import type { StoredEvent } from '../../../../actors/index.js';

const EVENT: StoredEvent = {
  id: 'EV-AAAA-1111',
  tenant: { company: 'CP-AAAA-1111', mode: 'test' },
  stamp: 1_000,
  occurredAt: 1,
  sequence: 1,
  orderKey: 'LN-AAAA-1111',
  by: { type: 'system', id: 'system' },
  isReplay: false,
  eventType: 'loan.scraplan.changed',
  objectType: 'loan',
  objectId: 'LN-AAAA-1111',
  refs: { loanId: 'LN-AAAA-1111', personId: 'BO-AAAA-1111', caseId: 'CA-AAAA-1111' },
  data: {},
};

const WANTED: Readonly<Record<string, readonly [EventFilter, boolean]>> = {
  'nothing in particular': [{}, true],
  'its case': [{ caseId: 'CA-AAAA-1111' }, true],
  'another case': [{ caseId: 'CA-BBBB-1111' }, false],
  'its case and its loan': [{ caseId: 'CA-AAAA-1111', loanId: 'LN-AAAA-1111' }, true],
  'its case and another loan': [{ caseId: 'CA-AAAA-1111', loanId: 'LN-BBBB-1111' }, false],
  'its person and type': [{ personId: 'BO-AAAA-1111', eventTypes: new Set(['loan.scraplan.changed']) }, true],
  'another type': [{ eventTypes: new Set(['loan.created']) }, false],
  'what came before it': [{ beforeStamp: 1_000 }, false],
  'what came after an earlier one': [{ afterStamp: 999 }, true],
};

for (const [what, [filter, isWanted]] of Object.entries(WANTED)) {
  test(`an event ${isWanted ? 'matches' : 'does not match'} a filter of ${what}`, async (t) => t.equal(matches(EVENT, filter), isWanted));
}

test('an event without a case does not match a filter of one', async (t) => {
  t.equal(matches({ ...EVENT, refs: { loanId: 'LN-AAAA-1111' } }, { caseId: 'CA-AAAA-1111' }), false);
});
