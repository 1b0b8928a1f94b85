import { refuse, refuseProperty } from '../errors.js';
import type { CommandContext, DecideEnv, Decision } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { ask, question } from '../kernel/policy.js';
import { recordOf } from './context.js';
import type { LoanState } from './state.js';

/*
 * What loans need to know of cases, which come later in the order of domains. The answers are rows of `actors/policies.ts`.
 */

/** What of a case a loan asks. */
export interface NamedCase {
  readonly id: string;
  readonly personId: string;
  readonly status: string;
  /** Whether it takes no more work: completed, canceled or deleted. */
  readonly isClosed: boolean;
}

/** What a case of a disputed purchase says of it. */
export interface DisputedPurchase {
  readonly disputeId: string;
  readonly purchaseId: string;
  readonly personId: string;
  readonly loanId: string;
  /** `YYYY-MM-DD`. */
  readonly provisionalCreditDate: string;
  readonly reason: string | null;
}

export const loanAsks = {
  /** The case that an AnyId names; undefined where there is none, or a deleted one. */
  caseNamed: question<DecideEnv, [anyId: string], NamedCase | undefined>('case.named'),
  /** Ids of the open cases that keep days overdue from accelerating and charging off a loan. */
  casesHoldingThresholds: question<DecideEnv, [loan: LoanState], readonly string[]>('case.holdingThresholds'),
  /** A new case beside the borrower by which a dispute is worked: its id, and the facts that open it. */
  disputeCaseOpened: question<DecideEnv, [disputed: DisputedPurchase], { readonly caseId: string; readonly facts: readonly FactDraft[] }>(
    'case.disputeOpened',
  ),
};

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
