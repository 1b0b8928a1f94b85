import type { tags } from 'typia';
import { type InteractionTheme, must, type SendableChannel, type SubjectValue } from '../../../engine/index.js';
import { contactOf, documentMade, type PersonState } from '../../borrower/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
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
import { type AnyId, type DateTimeText, type ExternalId, type FreeJson, type MetaData, type ShortText, toJsonText } from '../../wire.js';
import type { SendOrder } from './send/order.js';
import { beside, sending, type Sending } from './send/sending.js';

/**
 * `POST L/payoff-letter`: creates a document of the borrower and sends it by the given channels. If a channel is blocked, the document
 * stays and the interaction of that channel says why.
 */
const createPayoffLetter: CommandSpec<LoanState, PayoffLetterCommand> = {
  kind: 'loan',
  type: 'loan.payoffLetter',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'quote');
    checkContact(context, request);
    const { state, env } = context;
    const figures = payoffReply(state, env, request.payoffDate);
    if (toJsonText(figures) !== request.figures)
      refuse('invalidState', 'The figures changed while the letter was written. Request it again.');
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

/** The order that sends the letter in the company's branded template. It is transactional, since the borrower has asked for it. */
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

/** The fields of every message. */
interface MessageBody {
  readonly subject: SubjectValue;
  /** Required with subjects that imply no theme. */
  readonly theme?: InteractionTheme | null;
  /** Variables of the template; they override those of the service. */
  readonly context?: FreeJson | null;
  /** A version of a template, or a descriptor for its active version, in place of the template that would be chosen. */
  readonly useTemplate?: ShortText | null;
  /** Absent or past: now. */
  readonly sendAt?: DateTimeText | null;
  /** Default: by the subject. */
  readonly isTransactional?: boolean | null;
  readonly metaData?: MetaData | null;
  readonly sensitive?: boolean;
  readonly sensitiveBorrowerOnly?: boolean;
}

/** `POST /communicator/send`. */
export interface SendRequest extends MessageBody {
  readonly channel: SendableChannel;
  readonly personId: AnyId;
  /** Default: the borrower's primary contact for the channel. */
  readonly contactId?: AnyId | null;
  readonly contactExternalId?: (string & tags.MinLength<1> & tags.MaxLength<255>) | null;
  readonly loanId?: AnyId | null;
  readonly loanIds?: readonly AnyId[] & tags.MaxItems<100>;
  readonly caseId?: AnyId | null;
  /** Ids of the borrower's documents. For e-mail only. */
  readonly attachments?: readonly AnyId[] & tags.MaxItems<10>;
  readonly statementId?: ShortText | null;
  readonly previousInteractionId?: ShortText | null;
  readonly interactionExternalId?: ExternalId | null;
  /** For mail only. */
  readonly mailIsCertified?: boolean;
}

/** `POST /supercases/{supercaseId}/bulk/send`: one e-mail for each subcase. */
export interface BulkSendRequest extends MessageBody {
  readonly channel?: 'email';
  /** Default: all populations. */
  readonly populationIds?: readonly AnyId[] & tags.MaxItems<100>;
}
