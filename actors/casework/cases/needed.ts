import { companyOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { LoanState } from '../../loan/index.js';
import type { CommandContext, CommandSpec, DecideEnv } from '../../kernel/actor.js';

type Context = CommandContext<never>;

/** The borrowers and loans that a command is an action on; none: it is none. A case of any of them will do. */
const ACTED_ON: { readonly [Kind in string]?: (context: Context) => readonly string[] } = {
  person: ({ id }) => [id],
  loan: (context) => (namesCase(context) ? [] : ofLoan(context)),
  interaction: ({ besideId, body }) =>
    besideId === null || (body as { readonly direction?: unknown }).direction === 'inbound' ? [] : [besideId],
};

/** What is recorded of a borrower, or begins with one: a case is opened once it is known who calls. */
const BEFORE_A_CASE: ReadonlySet<string> = new Set(['interaction.receive', 'person.stopTexts']);
const VERIFICATION = /^verification\./;

/** Whether a command acts on somebody who is there. */
export const isAction = ({ kind, type, place }: CommandSpec<never>): boolean => {
  const isOnExisting = place.on === 'target' ? kind !== 'interaction' : place.on === 'beside' && kind === 'interaction';
  return ACTED_ON[kind] !== undefined && isOnExisting && !BEFORE_A_CASE.has(type) && !VERIFICATION.test(type);
};

/**
 * Where the company asks for it (`cases.requireOpenCaseForActions`), an employee acts only on a borrower who has an open case;
 * which one it is for the action need not say. Keys and borrowers are asked for none.
 */
export function requireOpenCase(context: Context, kind: string): void {
  const actedOn = ACTED_ON[kind];
  if (actedOn !== undefined && isAsked(context)) requireOne(context.env, actedOn(context));
}

const isAsked = ({ command, env }: Context): boolean =>
  command.actor.type === 'user' && companyOf(env, env.tenant).profile?.config.cases.requireOpenCaseForActions === true;

function requireOne(env: DecideEnv, ids: readonly string[]): void {
  const isOpen = (parentId: string): boolean =>
    env.list('case', { parentId, matches: ({ fields }) => fields['isActive'] === true, limit: 1 }).rows.length > 0;
  if (ids.length === 0 || ids.some(isOpen)) return;
  refuse('caseRequired', 'The borrower has no open case. Open one first.', {
    errors: [{ path: 'caseId', expected: 'an open case of the borrower', message: 'does not exist' }],
  });
}

/** It was found to be an open one of somebody on the loan, who may lie in another part of a cluster (`loan/under-case.ts`). */
function namesCase({ body, command }: Context): boolean {
  const [inBody, inQuery] = [body, command.query] as readonly (undefined | null | { readonly caseId?: unknown })[];
  return inBody?.caseId != null || inQuery?.caseId != null;
}

function ofLoan({ id, state }: CommandContext<LoanState>): readonly string[] {
  const { record } = state;
  return record === null ? [] : [id, record.personId, ...record.additionalPeople.map(({ personId }) => personId)];
}
