import { companyOf, employeeOf, employeesOf } from '../../../company/index.js';
import type { InteractionState } from '../../interactions/index.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import { ask } from '../../../kernel/question.js';
import { contactAsks, type WorkerOfCase } from '../../questions.js';
import type { SendOrder } from './order.js';

/**
 * The service's own words to those who work a case: no law on borrowers' contacts screens them, so no borrower gets them.
 */
export const isToAgents = ({ theme }: Pick<InteractionState, 'theme'>): boolean => theme === 'agentNotification';

/** Most recipients of one message. */
const MOST_AGENTS = 50;

/**
 * The e-mail addresses of those whom a message about a case is for: to whom it is escalated, else who owns it; of a team all that are in
 * it. None without a case, and where nobody has an address.
 */
export function agentsOf(env: DecideEnv, { caseId }: Pick<SendOrder, 'caseId'>): readonly string[] {
  const worker = caseId === null ? null : ask(env, contactAsks.workerOfCase, caseId);
  return worker === null ? [] : addressesOf(env, worker).slice(0, MOST_AGENTS);
}

function addressesOf(env: DecideEnv, { employeeId, teamId }: WorkerOfCase): readonly string[] {
  const company = companyOf(env, env.tenant);
  const named = employeeId === null ? undefined : employeeOf(company, employeeId);
  const all = named
    ? [named]
    : teamId === null
      ? []
      : [...employeesOf(company).values()].filter(({ stored }) => stored.teamIds.includes(teamId));
  return all.flatMap(({ stored: { email } }) => email ?? []);
}
