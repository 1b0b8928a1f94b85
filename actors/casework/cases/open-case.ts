import { fieldOf } from '../../../engine/index.js';
import { companyOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { LoanState } from '../../loan/index.js';
import type { CommandContext, CommandSpec, DecideEnv } from '../../kernel/actor.js';

type Context = CommandContext<never>;

/** The borrowers and loans on which a command acts; empty: the command is not an action. One open case of any of them suffices. */
const ACTED_ON: { readonly [Kind in string]?: (context: Context) => readonly string[] } = {
  person: ({ id }) => [id],
  loan: (context) => (namesCase(context) ? [] : ofLoan(context)),
  interaction: ({ besideId, body }) => (besideId === null || fieldOf(body, 'direction') === 'inbound' ? [] : [besideId]),
};

/** Commands that come before a case: it is opened after the caller has been identified. */
const BEFORE_A_CASE: ReadonlySet<string> = new Set(['interaction.receive', 'person.stopTexts']);
const VERIFICATION = /^verification\./;

/** Whether a command acts on an existing borrower or loan. */
export const isAction = ({ kind, type, place }: CommandSpec<never>): boolean => {
  const isOnExisting = place.on === 'target' ? kind !== 'interaction' : place.on === 'beside' && kind === 'interaction';
  return ACTED_ON[kind] !== undefined && isOnExisting && !BEFORE_A_CASE.has(type) && !VERIFICATION.test(type);
};

/**
 * If the company requires it (`cases.requireOpenCaseForActions`), employees can act only on a borrower who has an open case. The
 * action need not name the case. API keys and borrowers need none.
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

/** The named case was already checked (policy `underCase`): it is open, and of a person on the loan, who may be on another shard. */
const namesCase = ({ body, command }: Context): boolean => fieldOf(body, 'caseId') != null || fieldOf(command.query, 'caseId') != null;

function ofLoan({ id, state }: CommandContext<LoanState>): readonly string[] {
  const { record } = state;
  return record === null ? [] : [id, record.personId, ...record.additionalPeople.map(({ personId }) => personId)];
}
