import { orderForCase, readSaid, sending, type Sending } from '../../contact/index.js';
import { isSendable, isSubject, type SendableChannel, type Subject } from '../../../engine/index.js';
import { isReachable, type PersonState } from '../../borrower/index.js';
import type { CaseState } from '../cases/state.js';
import {
  chooseTemplate,
  companyOf,
  type CompanyState,
  type ItemType,
  templateDescriptorsOf,
  templateVersionsOf,
} from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';

/** The channels of a subject that names no template, the first that has one. */
const CHANNELS: readonly SendableChannel[] = ['email', 'text', 'mail'];

/** The message of an item (cases 14): a normal send to the borrower of the case, about its loans. Throws 404 and 422. */
export function messageOfItem(env: DecideEnv, state: CaseState, type: ItemType): Sending {
  const person = env.read<PersonState>('person', state.personId);
  if (!person || !isReachable(person)) return refuse('notFound', `There is no borrower ${state.personId}.`);
  const { channel, subject } = namedBy(companyOf(env, env.tenant), type);
  const said = readSaid(env.now, { subject, useTemplate: type.templateId });
  return sending(env, person, orderForCase(state, said, { channel, origin: 'request', supercaseBulkOperationId: null }));
}

interface Named {
  readonly channel: SendableChannel;
  readonly subject: Subject;
}

function namedBy(company: CompanyState, { subject, templateId }: ItemType): Named {
  if (templateId === null) {
    const wanted = subject ?? '';
    const channel = CHANNELS.find(
      (each) => typeof chooseTemplate(company, { subject: wanted, channel: each, productId: null, language: null }) !== 'string',
    );
    return isSubject(wanted) && channel !== undefined
      ? { channel, subject: wanted }
      : refuse('businessValidation', `There is no template for ${wanted}: the message cannot be sent.`);
  }
  const descriptor = templateDescriptorsOf(company).get(templateVersionsOf(company).get(templateId)?.parentId ?? templateId);
  const { channel = null, subject: of = '' } = descriptor?.stored ?? {};
  if (channel === null || !isSendable(channel) || !isSubject(of))
    return refuse('businessValidation', `Nothing can be sent from the template ${templateId}.`);
  return { channel, subject: of };
}
