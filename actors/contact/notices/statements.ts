import { fieldOf, must, type SendableChannel, type Subject, textIn } from '../../../engine/index.js';
import type { PersonState } from '../../borrower/index.js';
import { refuse } from '../../errors.js';
import type { CommandSpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import {
  beginAction,
  checkContact,
  findStatement,
  type LoanState,
  recordOf,
  type SendStatementRequest,
  type StatementRecord,
  statementReply,
  type StatementSentReply,
} from '../../loan/index.js';
import { amount, dateText, orNull } from '../../wire.js';
import { type Notice, noticePlanned } from './plan.js';

type Stated = Pick<StatementRecord, 'id' | 'version' | 'dueDay' | 'figures' | 'documentDescriptorId'>;

/** The place of the minimum due amount among the figures of a statement. */
const MINIMUM_DUE = 0;

/**
 * The notice of a statement: by the channels that the borrower has chosen for statements, else by e-mail or letter, with its document. A
 * new version of a period's statement says that it replaces the one before.
 */
export function statementNotice(
  state: LoanState,
  person: PersonState,
  { id, version, dueDay, figures, documentDescriptorId }: Stated,
): Notice {
  const subject: Subject = version === 1 ? 'statementGenerated' : 'statementRegenerated';
  return {
    subject,
    context: { minimumDueAmount: orNull(amount, figures[MINIMUM_DUE]), paymentDueDate: dateText(dueDay) },
    loanId: state.id,
    caseId: null,
    statementId: id,
    attachments: documentDescriptorId === null ? [] : [documentDescriptorId],
    ...chosenFor(person),
  };
}

function chosenFor({ commPreferences: { statementDeliveryChannels } }: PersonState): Pick<Notice, 'channels'> {
  return statementDeliveryChannels.length === 0 ? {} : { channels: statementDeliveryChannels };
}

/** A notice for another borrower of the loan. Each chooses the channels of statements; those of a reminder are the lender's for all. */
export function asChosenBy(person: PersonState, notice: Notice): Notice {
  if (notice.statementId == null) return notice;
  const { channels: _ofMainBorrower, ...rest } = notice;
  return { ...rest, ...chosenFor(person) };
}

/** `POST L/statements/{statementId}/send`: sends it once more, by the channels that are named or those of the borrower, else by letter. */
const sendStatement: CommandSpec<LoanState, SendStatementRequest> = {
  kind: 'loan',
  type: 'statement.send',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'state');
    checkContact(context, request);
    const { state, env, command } = context;
    const id = command.params['statementId'] ?? '';
    const statement = findStatement(state, id) ?? refuse('notFound', `There is no statement ${id}.`);
    if (statement.isTest) refuse('invalidState', `The statement ${id} is a test: it is not sent to a borrower.`);
    const person = must(env.read<PersonState>('person', recordOf(state).personId), 'a loan lies with its borrower');
    const notice = statementNotice(state, person, statement);
    const channels = request.channels === undefined || request.channels.length === 0 ? undefined : [...new Set(request.channels)];
    const facts = noticePlanned(env, person, {
      ...notice,
      context: { ...notice.context, note: request.note ?? null },
      caseId: request.caseId ?? null,
      ...(channels === undefined ? {} : { channels }),
      ...(request.contactId == null ? {} : { contactId: request.contactId }),
    });
    if (facts.length === 0) refuse('businessValidation', nothingSent(person));
    return {
      facts,
      reply: (after) => {
        const data: StatementSentReply = { ...statementReply(after, env, statement), isSent: true, deliveries: facts.map(deliveryOf) };
        return { data };
      },
    };
  },
};

const CHANNELS = ['email', 'mail', 'text'] as const satisfies readonly SendableChannel[];

const deliveryOf = ({ target, body }: FactDraft): StatementSentReply['deliveries'][number] => ({
  channel: must(
    CHANNELS.find((channel) => channel === fieldOf(body, 'channel')),
    'a message goes by its channel',
  ),
  contactId: must(textIn(body, 'contactId'), 'a message goes to a contact'),
  interactionId: must(target, 'a message is an interaction of its own').id,
});

const nothingSent = ({ id }: PersonState): string =>
  `The statement cannot be sent: the borrower ${id} has no usable contact, or the company no enabled template, for the channel; ` +
  'or notices of the loan are muted.';

export const statementCommandsOfLoans: readonly CommandSpec<LoanState>[] = [sendStatement];
