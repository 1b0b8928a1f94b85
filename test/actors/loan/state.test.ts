import { test } from 'tap';
import { type LoanState, loanModule, loanStateOf } from '../../../actors/loan/index.js';

const TENANT = { company: 'CP-0000-0001', mode: 'test' } as const;

test('the state of an actor of the kind `loan` is that of a loan, and no other actor has one', (t) => {
  const { definition } = loanModule();
  const state = definition.initial('LN-0000-0001', TENANT);
  const loan: LoanState = loanStateOf({ kind: definition.kind, state });
  t.equal(loan, state);
  t.same(loan.transactions.scheduled(), []);
  t.throws(() => loanStateOf({ kind: 'person', state }), { message: 'the actor is a loan and not a person' });
  t.throws(() => loanStateOf({ kind: 'loan', state: undefined }), { message: 'a loan has a state' });
  t.end();
});
