import { lists } from '../../kernel/lists/row-fields.js';
import {
  assert,
  dayAt,
  defaultTransactional,
  implicitTheme,
  isSendable,
  must,
  type Rendered,
  type RenderedMessage,
} from '../../../engine/index.js';
import { contactOf, personOf, type PersonState } from '../../borrower/index.js';
import { type ChosenTemplate, companyOf, messageText, templateDescriptorsOf, templateVersionsOf } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { LoanState } from '../../loan/index.js';
import { fact } from '../interactions/evolve.js';
import { type InteractionState, type MessagePlan, sendMoved } from '../interactions/index.js';
import { openJson, sealJson } from '../interactions/sealing.js';
import { linked, type MessageSubjects, renderMessage, zoneOfMessage } from '../messages/index.js';
import { attempted } from '../sending/delivery/attempt.js';
import { contentOf } from '../sending/send/content.js';
import { laterMoment, objectionTo, ofItself, stoppedNow } from '../sending/send/screened.js';
import { addressedTo, recipientOf, senderOf } from '../sending/send/sender.js';
import { withCodeTexts } from './code-texts.js';
import { lateVariables } from './late-variables.js';
import type { Notice, NoticeEnv, Way } from './plan.js';
import { isStillDue } from './reminders.js';

/**
 * What becomes of a planned notice at its moment: it is screened, written and sent; or it waits once for the guard's next allowed moment
 * within 24 hours; or it fails, is a repetition of the same day, or its template was disabled meanwhile.
 */
export function writtenNow(env: DecideEnv, state: InteractionState): readonly FactDraft[] {
  const plan = openJson<MessagePlan>(env, state, 'plan');
  if (plan === null) return must(stoppedNow(env, state), 'nobody erased is written to').facts;
  const company = companyOf(env, env.tenant);
  const version = must(templateVersionsOf(company).get(state.templateVersionId ?? ''), 'a version that is used stays');
  const descriptor = must(templateDescriptorsOf(company).get(version.parentId ?? ''), 'the descriptor of a version is there');
  if (!descriptor.stored.enabled || isRepeated(env, state) || isReminderOver(env, state, plan)) return [canceled()];
  const rendered = renderedNow(env, state, plan, { descriptor, version });
  const text = 'message' in rendered ? messageText(company, descriptor.stored.language, state.channel, rendered.message) : null;
  const stopped = stoppedNow(env, state, plan.origin, text);
  if (stopped !== null) {
    const later = plan.isPostponed ? null : laterMoment(stopped, env.now);
    return later === null ? stopped.facts : [postponed(env, state, plan, later), ...stopped.logged];
  }
  return 'message' in rendered ? sent(env, state, plan, rendered.message) : unwritable(env, state, rendered.fault);
}

/** Why a reminder that would be planned by a way would not be sent at this moment, nor within the time that it may wait; null: it would. */
export function whyUnsent(env: NoticeEnv, person: PersonState, notice: Notice, { channel, contact, template }: Way): string | null {
  const { subject, loanId, caseId, statementId = null, context } = notice;
  const isTransactional = defaultTransactional(subject);
  const loanIds = loanId === null ? [] : [loanId];
  const theme = must(implicitTheme(subject), `${subject} says its theme`);
  const about = { id: null, channel, subject, theme, loanId, loanIds, caseId, isTransactional, personId: person.id, contactId: contact.id };
  if (isRepeated(env, about)) return 'It was sent today already.';
  const rendered = renderedNow(env, about, { statementId, context }, template);
  const { language, legallyRequired: isLegallyRequired } = template.descriptor.stored;
  const message = 'message' in rendered ? messageText(companyOf(env, env.tenant), language, channel, rendered.message) : null;
  const asked = { ...about, origin: 'reminder', isLegallyRequired, isHelpText: false, previousInteractionId: null, message } as const;
  const objection = objectionTo(env, person.id, asked, env.now);
  if (objection !== null && laterMoment(objection, env.now) === null) return objection.message;
  return 'fault' in rendered ? `The template cannot be rendered: ${faultText(rendered.fault)}` : null;
}

/** The borrower has paid, or is no longer to be reminded, since the morning's reminders were ordered. */
const isReminderOver = (env: DecideEnv, { loanId }: InteractionState, { reminder }: MessagePlan): boolean =>
  reminder !== null && (loanId === null || !isStillDue(env, loanId, reminder));

const canceled = (): FactDraft => fact('InteractionChanged', { changes: { status: 'canceled', statusDetails: null, plan: null } });

function postponed(env: DecideEnv, state: InteractionState, plan: MessagePlan, sendAt: number): FactDraft {
  return fact('InteractionChanged', { changes: { sendAt, plan: sealJson(env, state, 'plan', { ...plan, isPostponed: true }) } });
}

/** What a notice is about, whether it is recorded or only previewed. */
type About = Pick<InteractionState, 'personId' | 'contactId' | 'channel' | 'subject' | 'loanId' | 'loanIds' | 'caseId' | 'isTransactional'>;

function renderedNow(env: NoticeEnv, about: About, plan: Pick<MessagePlan, 'context' | 'statementId'>, template: ChosenTemplate): Rendered {
  const person = personOf(env, must(about.personId, 'a notice is for a borrower'));
  const contact = contactOf(person, about.contactId ?? '') ?? null;
  const subjects = subjectsOf(env, about, plan, { company: companyOf(env, env.tenant), person, contact });
  const variables = withCodeTexts({ ...lateVariables(env, about, subjects), ...plan.context }, template.descriptor.stored.language);
  const context = { ...linked(about.channel, contact), ...variables };
  return renderMessage({ subjects, template, context, undefinedVariables: 'lenient' }, env);
}

type TemplateFault = Extract<Rendered, { fault: unknown }>['fault'];

const faultText = ({ part, line, message }: TemplateFault): string => `${part}, line ${line}: ${message}`;

function unwritable(env: DecideEnv, state: InteractionState, fault: TemplateFault): readonly FactDraft[] {
  const failure = { short: 'The template cannot be rendered.', long: faultText(fault) };
  return [
    ofItself(state, sendMoved(env, state, { status: 'failed', statusDetails: null, blockReason: 'templateError', failure, plan: null })),
  ];
}

function sent(env: DecideEnv, state: InteractionState, plan: MessagePlan, message: RenderedMessage): readonly FactDraft[] {
  const { channel, contactId, isTransactional } = state;
  const person = personOf(env, must(state.personId, 'a notice is for a borrower'));
  const contact = must(contactOf(person, contactId ?? ''), 'a notice that nothing stops has its contact');
  const company = companyOf(env, env.tenant);
  assert(isSendable(channel), 'a notice goes by a channel that sends');
  const sender = senderOf(env, company, person.id, { ...state, channel, isTransactional: isTransactional ?? false }, contactId);
  const to = addressedTo(channel, recipientOf(env, person, contact));
  const content = contentOf(channel, plan.attachments, { ...message, from: sender.from, to });
  const moved = sendMoved(env, state, { status: 'attempted', statusDetails: null, contact, content, plan: null });
  return [ofItself(state, moved), ...attempted(env, { channel, origin: plan.origin, isPostponed: plan.isPostponed }, sender)];
}

function subjectsOf(
  env: NoticeEnv,
  { loanId, loanIds, caseId }: About,
  { statementId }: Pick<MessagePlan, 'statementId'>,
  about: Pick<MessageSubjects, 'company' | 'person' | 'contact'>,
): MessageSubjects {
  const loans = loanIds.flatMap((id) => env.read<LoanState>('loan', id) ?? []);
  return { ...about, loan: loans.find(({ id }) => id === loanId) ?? null, loans, caseId, statementId };
}

/** Whether the same was said of the loan by this channel on this day. What answers an action is said each time. */
function isRepeated(
  env: NoticeEnv,
  { id, subject, channel, loanId, personId, isTransactional }: About & { readonly id: string | null },
): boolean {
  if (isTransactional === true || personId === null) return false;
  const loan = loanId === null ? null : (env.read<LoanState>('loan', loanId) ?? null);
  const zone = zoneOfMessage({ company: companyOf(env, env.tenant), loan, loans: [] });
  const today = dayAt(zone, env.now);
  const { rows } = env.list('interaction', {
    parentId: personId,
    limit: 1,
    matches: (row) =>
      row.id !== id &&
      row.fields['subject'] === subject &&
      row.fields['channel'] === channel &&
      row.fields['isExternal'] === false &&
      SENT.has(row.fields['status']) &&
      (loanId === null || lists(row.fields['loanIds'], loanId)) &&
      dayAt(zone, Number(row.fields['startedAt'])) === today,
  });
  return rows.length > 0;
}

const SENT: ReadonlySet<unknown> = new Set(['attempted', 'succeeded']);
