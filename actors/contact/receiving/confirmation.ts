import { implicitTheme, must } from '../../../engine/index.js';
import { beside, sending, type SendOrder } from '../sending/index.js';
import { contactOf, personOf } from '../../borrower/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { InteractionFields } from '../interactions/state.js';

const SUBJECT = 'electronicConsentOptOut';

/**
 * The one text that may follow a STOP (communications 1.6): it is decided with the contact as it was before, so that a second STOP brings
 * none. Nothing is sent without a template for it, or where the guard is against it.
 */
export function stopConfirmed(env: DecideEnv, interactionId: string, { personId, contactId }: InteractionFields): readonly FactDraft[] {
  if (personId === null || contactId === null) return [];
  const person = personOf(env, personId);
  if (contactOf(person, contactId)?.receiveTextMessages !== true) return [];
  const order: SendOrder = {
    channel: 'text',
    subject: SUBJECT,
    theme: must(implicitTheme(SUBJECT), 'its theme'),
    isTransactional: true,
    contactId,
    loanId: null,
    loanIds: [],
    caseId: null,
    statementId: null,
    attachments: [],
    context: {},
    useTemplate: null,
    sendAt: null,
    previousInteractionId: interactionId,
    externalId: null,
    metaData: null,
    mailIsCertified: false,
    sensitive: null,
    sensitiveBorrowerOnly: false,
    supercaseBulkOperationId: null,
    origin: 'automatic',
  };
  const sent = sending(env, person, order);
  return sent.failure === null ? beside(sent) : [];
}
