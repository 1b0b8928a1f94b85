import type { Day } from '../../../engine/index.js';
import type { PersonState } from '../../borrower/index.js';
import { morningOf, NOTIFY_OF_PRIVACY, STATUSES_OF_MORNING } from '../../company/index.js';
import { ALL_ROWS, type CommandSpec, type DecideEnv } from '../../kernel/actor.js';
import { type LoanState, recordOf } from '../../loan/index.js';
import { type Notice, noticePlanned, waysNow } from './plan.js';

/**
 * The command of mass work that sends the yearly privacy notice (12 CFR 1016.5): one to each borrower, with the first of the loans that can
 * bring it. A loan that an agency services brings none, and a loan type may be without a template: then the next loan does.
 */
export const notifyOfPrivacy: CommandSpec<LoanState, { readonly day: Day }> = {
  kind: 'loan',
  type: NOTIFY_OF_PRIVACY,
  place: { on: 'target' },
  decide({ state, env, body: { day } }) {
    const person = env.read<PersonState>('person', recordOf(state).personId);
    const isOurs = person !== undefined && bringerOf(env, person, day) === state.id;
    return { facts: isOurs ? noticePlanned(env, person, noticeOf(state.id, day)) : [], reply: () => ({ data: undefined }) };
  },
};

/** The loan with which the notice goes to a borrower; undefined where none may bring it. */
function bringerOf(env: DecideEnv, person: PersonState, day: Day): string | undefined {
  const { rows } = env.list('loan', { parentId: person.id, limit: ALL_ROWS, matches: ({ fields }) => STATUSES.has(fields['status']) });
  const ids = rows.map(({ id }) => id).toSorted();
  return ids.find((id) => !('reason' in waysNow(env, person, noticeOf(id, day))));
}

const noticeOf = (loanId: string, day: Day): Notice => ({
  subject: 'annualPrivacyPolicyNotice',
  context: {},
  loanId,
  caseId: null,
  sendAt: morningOf(day),
});

const STATUSES: ReadonlySet<unknown> = new Set(STATUSES_OF_MORNING[NOTIFY_OF_PRIVACY]);
