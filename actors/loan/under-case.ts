import { refuse, refuseProperty } from '../errors.js';
import type { CommandContext, Decision } from '../kernel/actor.js';
import { ask } from '../kernel/question.js';
import { recordOf } from './context.js';
import { loanAsks } from './questions.js';
import type { LoanState } from './state.js';

/*
 * What is done for a case names it. The commands get it by its service id, so that records, facts and
 * events lead to the case, whatever the caller has called it.
 */

type Context = CommandContext<LoanState>;

interface Under {
  readonly caseId?: string | null;
}

/** The command for the case that its body or query names, by the case's service id: an open one of somebody on the loan. */
export function underCase(context: Context, decide: (context: Context) => Decision<LoanState>): Decision<LoanState> {
  const body = context.body as Under | undefined;
  const query = context.command.query as Under | undefined;
  if (body?.caseId == null && query?.caseId == null) return decide(context);
  return decide({
    ...context,
    body: body?.caseId == null ? body : { ...body, caseId: openCase(context, body.caseId) },
    command: query?.caseId == null ? context.command : { ...context.command, query: { ...query, caseId: openCase(context, query.caseId) } },
  });
}

/** 400 for a case that nobody on the loan has, 409 for a closed one. */
function openCase({ state, env }: Context, anyId: string): string {
  const { personId, additionalPeople } = recordOf(state);
  const found = ask(env, loanAsks.caseNamed, anyId);
  const isOfLoan = found?.personId === personId || additionalPeople.some((person) => person.personId === found?.personId);
  if (found === undefined || !isOfLoan) {
    return refuseProperty('caseId', 'an open case of somebody on the loan', `There is no case ${anyId} of the borrower.`);
  }
  const { id } = found;
  if (found.isClosed) {
    refuse('caseClosed', `The case ${id} is ${found.status}: reopen it first.`, {
      errors: [{ path: 'caseId', expected: 'an open case', message: `it is ${found.status}` }],
    });
  }
  return id;
}
