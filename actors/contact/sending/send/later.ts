import { faultOfContact, isSendable } from '../../../../engine/index.js';
import { contactOf, isReachable, type PersonState } from '../../../borrower/index.js';
import { companyOf, type CompanyState, templateDescriptorsOf, templateVersionsOf } from '../../../company/index.js';
import { type InteractionContent, type InteractionState, sendMoved } from '../../interactions/index.js';
import { openJson } from '../../interactions/sealing.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { isToAgents } from './agents.js';
import { isAddressedTo, recipientOf } from './recipient.js';
import { screened } from './screened.js';

/**
 * What stands against a recorded message now: the facts of an interaction that has failed by it. Null where
 * nothing does. One that is queued goes nowhere, too, where its contact has got another number or address since.
 */
export function stoppedNow(env: DecideEnv, state: InteractionState): readonly FactDraft[] | null {
  const { id: interactionId, channel, personId, contactId, theme, subject, loanIds, caseId, isTransactional, templateVersionId } = state;
  const { previousInteractionId } = state;
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  if (isToAgents(state)) return person && isReachable(person) && contactId === null ? null : unreachable(env, state);
  const contact = person && contactId !== null && isReachable(person) ? contactOf(person, contactId) : undefined;
  const fault = contact && faultOfContact(contact, channel);
  if (!person || !contact || theme === null || subject === null || !isSendable(channel) || (fault != null && fault !== 'thirdParty')) {
    return unreachable(env, state);
  }
  const content = openJson<InteractionContent>(env, state, 'content');
  if (state.delivery !== null && content !== null && !isAddressedTo(content, channel, recipientOf(env, person, contact)))
    return unreachable(env, state);
  const isRequired = templateVersionId !== null && isLegallyRequired(companyOf(env, env.tenant), templateVersionId);
  const about = {
    interactionId,
    channel,
    theme,
    subject,
    loanIds,
    caseId,
    contactId: contact.id,
    isTransactional: isTransactional ?? false,
    origin: state.delivery?.origin ?? 'request',
    isLegallyRequired: isRequired,
    previousInteractionId,
  };
  const { objection, logged } = screened(env, person.id, about, env.now);
  if (objection === null) return null;
  const { ruleId: complianceGuardRuleId, blockReason } = objection;
  return [
    ofItself(
      state,
      sendMoved(env, state, { status: 'failed', statusDetails: 'blockedByComplianceGuard', complianceGuardRuleId, blockReason }),
    ),
    ...logged,
  ];
}

const unreachable = (env: DecideEnv, state: InteractionState): readonly FactDraft[] => [
  ofItself(state, sendMoved(env, state, { status: 'failed', statusDetails: 'invalidContact', blockReason: 'noContact' })),
];

/** Whether the law asks for a message, as the descriptor of its template says. */
function isLegallyRequired(company: CompanyState, versionId: string): boolean {
  const descriptorId = templateVersionsOf(company).get(versionId)?.parentId ?? '';
  return templateDescriptorsOf(company).get(descriptorId)?.stored.legallyRequired ?? false;
}

/** A fact of the interaction whose own work makes it: what is pending is computed without those of others. */
export function ofItself({ id }: InteractionState, { target, ...draft }: FactDraft): FactDraft {
  return target === undefined || target.id === id ? draft : { ...draft, target };
}
