import {
  beginAction,
  checkContact,
  type LetterChannel,
  type LoanState,
  type PayoffLetterCommand,
  type PayoffLetterReply,
  payoffReply,
  recordOf,
  typeOfContact,
} from '../../loan/index.js';
import { must } from '../../../engine/index.js';
import { contactOf, documentMade, type PersonState } from '../../borrower/index.js';
import type { SendOrder } from './send/order.js';
import { beside, type Sending, sending } from './send/sending.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import { toJsonText } from '../../wire.js';

/**
 * `POST L/payoff-letter`: a document of the borrower, sent by the channels that are named. What stands against a channel leaves the letter
 * there: its interaction says why.
 */
const createPayoffLetter: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.payoffLetter',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<PayoffLetterCommand>(context, 'quote');
    checkContact(context, request);
    const { state, env } = context;
    const figures = payoffReply(state, env, request.payoffDate);
    if (toJsonText(figures) !== request.figures)
      refuse('invalidState', 'The figures have changed while the letter was written: ask for it again.');
    const person = must(env.read<PersonState>('person', recordOf(state).personId), 'a loan lies with its borrower');
    const { documentId, facts } = documentMade(env, person, {
      type: 'otherStatement',
      loanId: state.id,
      caseId: request.caseId ?? null,
      content: request.rendered,
    });
    const sent = [...new Set(request.channels)].map((channel) =>
      sending(env, person, orderOf(context, request, person, channel, documentId)),
    );
    const failures = sent.flatMap(({ failure }) => failure ?? []);
    const letter: PayoffLetterReply = {
      ...figures,
      documentDescriptorId: documentId,
      isSent: sent.length > failures.length,
      interactionIds: sent.flatMap(recordedId),
    };
    const message = failures.map((failure) => failure.message).join(' ');
    return {
      facts: [...facts, ...sent.flatMap(beside)],
      reply: () => ({ data: letter, status: 201, ...(message === '' ? {} : { message }) }),
    };
  },
};

const recordedId = ({ facts, interactionId }: Sending): readonly string[] => (facts.length === 0 ? [] : [interactionId]);

/** The letter in the company's branded frame, with its pages: it answers the borrower, who has asked for it. */
function orderOf(
  { state }: CommandContext<LoanState>,
  { html, contactId, caseId }: PayoffLetterCommand,
  person: PersonState,
  channel: LetterChannel,
  documentId: string,
): SendOrder {
  const contact = contactId == null ? undefined : contactOf(person, contactId);
  return {
    channel,
    subject: 'freeFormBranded',
    theme: 'opsServicing',
    isTransactional: true,
    context: { subjectLine: 'The pay-off of your loan', contentHtml: html },
    contactId: contact?.contactType === typeOfContact(channel) ? contact.id : null,
    loanId: state.id,
    loanIds: [state.id],
    caseId: caseId ?? null,
    attachments: [documentId],
    statementId: null,
    useTemplate: null,
    sendAt: null,
    previousInteractionId: null,
    externalId: null,
    metaData: null,
    mailIsCertified: false,
    sensitive: null,
    sensitiveBorrowerOnly: false,
    supercaseBulkOperationId: null,
    origin: 'request',
  };
}

export const letterCommandsOfLoans: readonly CommandSpec<LoanState>[] = [createPayoffLetter];
