import {
  chooseContact,
  defaultTransactional,
  implicitTheme,
  isWrittenDisclosure,
  must,
  type SendableChannel,
  type Subject,
} from '../../../engine/index.js';
import { languageOf, type PersonState } from '../../borrower/index.js';
import { chooseTemplate, companyOf, type CompanyState, type NoTemplate } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { sendRecorded, type SentMessage } from '../interactions/index.js';

/*
 * Notices that a law asks for in writing. They must reach the borrower by some way, and one that has none must be seen by somebody: the
 * lender has to find an address.
 */

const CHANNELS: readonly SendableChannel[] = ['mail', 'email', 'text'];

/** Whether a law asks for the notice, by its subject or by its template. A lender without any template for it does not send it at all. */
export function isRequired(company: CompanyState, person: PersonState, subject: Subject, productId: string | null): boolean {
  const theme = must(implicitTheme(subject), `${subject} says its theme`);
  const language = languageOf(person);
  return CHANNELS.map((channel) => chooseTemplate(company, { subject, channel, productId, language })).some(
    (found) =>
      typeof found !== 'string' && isWrittenDisclosure({ theme, subject, isLegallyRequired: found.descriptor.stored.legallyRequired }),
  );
}

/** What a notice that cannot be sent is about. */
interface Unsendable {
  readonly subject: Subject;
  readonly loanId: string | null;
  readonly caseId: string | null;
  /** It may go to another contact instead, so nothing is lost yet. */
  readonly notAt?: string;
  readonly isTransactional?: boolean;
}

/**
 * The record of a required notice that has no way: a letter that failed, as a send that has no contact is recorded. Nothing of a notice
 * that no law requires.
 */
export function unsentRecorded(
  env: DecideEnv,
  person: PersonState,
  { subject, loanId, caseId, notAt, isTransactional = defaultTransactional(subject) }: Unsendable,
  productId: string | null,
): readonly FactDraft[] {
  const company = companyOf(env, env.tenant);
  if (notAt !== undefined || !isRequired(company, person, subject, productId)) return [];
  const id = env.newId('IN');
  const template = chooseTemplate(company, { subject, channel: 'mail', productId, language: languageOf(person) });
  const contact = chooseContact(person.contacts, 'mail');
  const draft = sendRecorded(env, id, {
    personId: person.id,
    channel: 'mail',
    subject,
    theme: must(implicitTheme(subject), `${subject} says its theme`),
    isTransactional,
    contact,
    loanId,
    caseId,
    status: 'failed',
    ...(contact === null || typeof template !== 'string' ? NO_CONTACT : noTemplate(template)),
  });
  return [{ ...draft, target: { kind: 'interaction', id } }];
}

type Unsent = Pick<SentMessage, 'statusDetails' | 'blockReason' | 'failure'>;

const NO_CONTACT: Unsent = {
  statusDetails: 'invalidContact',
  blockReason: 'noContact',
  failure: {
    short: 'The borrower has no usable contact.',
    long: 'The law requires this notice. It could go neither by the chosen channels nor by mail: add a valid address of the borrower.',
  },
};

const noTemplate = (fault: NoTemplate): Unsent => ({
  statusDetails: null,
  blockReason: fault === 'disabled' ? 'templateDisabled' : 'templateMissing',
  failure: {
    short: 'There is no template for a letter.',
    long: 'The law requires this notice. It could not go by the chosen channels: add a template for its subject and the channel mail.',
  },
});
