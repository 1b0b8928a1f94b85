import { refuse, refuseProperty } from '../errors.js';
import type { CommandContext, Decision } from '../kernel/actor.js';
import { ask } from '../kernel/policy.js';
import { recordOf } from './context.js';
import { disputeOf, purchaseOf } from './purchases/posting.js';
import { loanAsks } from './questions.js';
import type { LoanState } from './state.js';
import { transactionOf } from './transactions/check.js';

/*
 * Commands that are made for a case name it by any id. They are decided with its service id, so that records, facts and events refer to
 * the case in the same way.
 */

type Context<Body = unknown> = CommandContext<LoanState, Body>;

interface Under {
  readonly caseId?: string | null;
}

/** Any command on a loan: many name a case. */
type AnyCommand = CommandContext<LoanState, Under | undefined, Under | undefined>;

/** Decides a command with the service id of the case that its body or query names: an open case of a person on the loan. */
export function underCase(context: AnyCommand, decide: (context: AnyCommand) => Decision<LoanState>): Decision<LoanState> {
  const { body } = context;
  const { query } = context.command;
  if (body?.caseId == null && query?.caseId == null) return decide(context);
  return decide({
    ...context,
    body: bodyUnderCase(context, body),
    command: query?.caseId == null ? context.command : { ...context.command, query: { ...query, caseId: openCase(context, query.caseId) } },
  });
}

/** The case that an object shows. A caller who sends the object back as it was read names it again. */
const SHOWN_CASES: Readonly<Record<string, (state: LoanState, params: Context['command']['params']) => string | null>> = {
  'dispute.update': (state, params) => disputeOf(state, params).caseId,
  'purchase.update': (state, params) => purchaseOf(state, params).caseId,
  'transaction.update': (state, { transactionId }) => transactionOf(state, transactionId).caseId,
};

/** A body with its open case. Without the case that the object shows, once that is closed or deleted: the change is not made for it. */
function bodyUnderCase(context: Context, body: Under | undefined): Under | undefined {
  if (body?.caseId == null) return body;
  const { state, env, command } = context;
  const { caseId, ...others } = body;
  const shown = SHOWN_CASES[command.type]?.(state, command.params) ?? null;
  const found = shown === null ? undefined : ask(env, loanAsks.caseNamed, caseId);
  const isSentBack = shown !== null && (found?.id ?? caseId) === shown;
  return isSentBack && found?.isClosed !== false ? others : { ...body, caseId: openCase(context, caseId) };
}

/** The service id of a case; 400 unless it is a case of a person on the loan, 409 if it is closed. */
function openCase({ state, env }: Context, anyId: string): string {
  const { personId, additionalPeople } = recordOf(state);
  const found = ask(env, loanAsks.caseNamed, anyId);
  const isOfLoan = found?.personId === personId || additionalPeople.some((person) => person.personId === found?.personId);
  if (found === undefined || !isOfLoan) {
    return refuseProperty('caseId', 'an open case of a borrower of the loan', `There is no case ${anyId} of the borrower.`);
  }
  const { id } = found;
  if (found.isClosed) {
    refuse('caseClosed', `The case ${id} is ${found.status}. Reopen it first.`, {
      errors: [{ path: 'caseId', expected: 'an open case', message: `it is ${found.status}` }],
    });
  }
  return id;
}
