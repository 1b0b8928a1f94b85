import { test } from 'tap';
import type { CommandContext } from '../../../actors/kernel/actor.js';
import type { beginAction } from '../../../actors/loan/commands/order.js';
import type { ActionRequest, LoanState } from '../../../actors/loan/index.js';

/** Whether a command that declares this body can begin an action on a loan. The compiler computes it. */
type Begins<Body> = CommandContext<LoanState, Body> extends Parameters<typeof beginAction>[0] ? true : false;

test('a command on a loan can read only a body that it declares', (t) => {
  const declared: Begins<ActionRequest> = true;
  const undeclared: Begins<unknown> = false;
  const withoutCase: Begins<{ readonly caseId: number }> = false;
  t.same([declared, undeclared, withoutCase], [true, false, false]);
  t.end();
});
