import { isClosed } from '../casework/cases/machine.js';
import type { CaseState } from '../casework/cases/state.js';
import { refuse, refuseProperty } from '../errors.js';
import type { CommandContext, CommandSpec } from '../kernel/actor.js';
import { recordOf, resolveId } from './context.js';
import type { LoanState } from './state.js';

/*
 * What is done for a case names it (loans.md 0, money.md 0). The commands get it by its service id, so that records, facts and
 * events lead to the case, whatever the caller has called it.
 */

type Context = CommandContext<LoanState>;

interface Under {
  readonly caseId?: string | null;
}

/** The commands of a loan; the case that a body or a query names is an open one of somebody on the loan. */
export const underCases = (commands: readonly CommandSpec<LoanState>[]): readonly CommandSpec<LoanState>[] => commands.map(underCase);

const underCase = (spec: CommandSpec<LoanState>): CommandSpec<LoanState> => ({
  ...spec,
  decide(context) {
    const body = context.body as Under | undefined;
    const query = context.command.query as Under | undefined;
    if (body?.caseId == null && query?.caseId == null) return spec.decide(context);
    return spec.decide({
      ...context,
      body: body?.caseId == null ? body : { ...body, caseId: openCase(context, body.caseId) },
      command:
        query?.caseId == null ? context.command : { ...context.command, query: { ...query, caseId: openCase(context, query.caseId) } },
    });
  },
});

/** 400 for a case that nobody on the loan has, 409 for a closed one. */
function openCase({ state, env }: Context, anyId: string): string {
  const { personId, additionalPeople } = recordOf(state);
  const id = resolveId(env, state.tenant, 'case', anyId);
  const found = id === undefined ? undefined : env.read<CaseState>('case', id);
  const isOfLoan = found?.personId === personId || additionalPeople.some((person) => person.personId === found?.personId);
  if (id === undefined || found === undefined || !isOfLoan || found.status === 'deleted') {
    return refuseProperty('caseId', 'an open case of somebody on the loan', `There is no case ${anyId} of the borrower.`);
  }
  if (isClosed(found.status)) {
    refuse('caseClosed', `The case ${id} is ${found.status}: reopen it first.`, {
      errors: [{ path: 'caseId', expected: 'an open case', message: `it is ${found.status}` }],
    });
  }
  return id;
}
