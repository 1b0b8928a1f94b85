import { test } from 'tap';
import { LOAN_STATUSES, loanMachine, mayMove, statusesFor } from '../../../actors/loan/machine.js';

test('every status of the contract is a state of the chart', (t) => {
  t.same(Object.keys(loanMachine.states).sort(), [...LOAN_STATUSES].sort());
  t.end();
});

test('moves are legal in the statuses that the contract names', (t) => {
  t.same(statusesFor('cancel'), ['pending', 'originated', 'active']);
  t.same(statusesFor('freeze'), ['active']);
  t.same(statusesFor('chargeOff'), ['active', 'frozen', 'accelerated']);
  t.same(statusesFor('pay'), ['active', 'accelerated', 'chargedOff']);
  t.same(statusesFor('refresh'), ['active', 'accelerated', 'chargedOff', 'paidOff']);
  t.same(statusesFor('quote'), ['active', 'frozen', 'accelerated', 'chargedOff', 'paidOff']);
  t.notOk(mayMove('declined', 'originate'));
  t.notOk(mayMove('canceled', 'update'));
  t.end();
});

test('a charged-off loan without a balance stays charged off', (t) => {
  t.notOk(mayMove('chargedOff', 'payOff'));
  t.end();
});
