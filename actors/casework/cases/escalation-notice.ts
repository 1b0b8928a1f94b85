import type { CaseFacts } from './facts.js';
import type { CommandContext } from '../../kernel/actor.js';
import { type FactDraft, factTest } from '../../kernel/fact.js';
import type { PersonState } from '../../borrower/index.js';
import { chooseTemplate, companyOf } from '../../company/index.js';
import { beside, orderForCase, readSaid, sending } from '../../contact/index.js';
import type { CaseState } from './state.js';

const isFact = factTest<CaseFacts>();

/**
 * The e-mail to the agent, or all of the team, that a case is escalated to (communications 6). None where the lender has no enabled
 * template for it.
 */
export function escalationNotice({ state, env }: CommandContext<CaseState>, facts: readonly FactDraft[]): readonly FactDraft[] {
  const escalated = facts.filter((draft) => isFact(draft, 'CaseEscalated')).find(({ target }) => target === undefined);
  const template = chooseTemplate(companyOf(env, env.tenant), {
    subject: 'caseEscalation',
    channel: 'email',
    productId: null,
    language: null,
  });
  const person = env.read<PersonState>('person', state.personId);
  if (escalated === undefined || typeof template === 'string' || person === undefined) return [];
  const said = readSaid(env.now, { subject: 'caseEscalation', context: {} });
  const order = orderForCase(state, said, { channel: 'email', origin: 'automatic', supercaseBulkOperationId: null });
  const { employeeId, teamId } = escalated.body; // the case itself knows of it once this is recorded
  return beside(sending(env, person, { ...order, worker: { employeeId, teamId } }));
}
