import {
  type ContactOrigin,
  defaultTransactional,
  implicitTheme,
  type InteractionTheme,
  isMutedWithLoan,
  isWrittenDisclosure,
  must,
  type SendableChannel,
  type Subject,
} from '../../../engine/index.js';
import { type Contact, isReachable, languageOf, type PersonState, statusOfConsent } from '../../borrower/index.js';
import { chooseTemplate, type ChosenTemplate, companyOf, type CompanyState, type NoTemplate, zoneOf } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { isWithAgency, type LoanState, productOn, recordOf } from '../../loan/index.js';
import { contactFor, faultOfNumber } from '../guard/index.js';
import { type ReminderOfDay, sendRecorded } from '../interactions/index.js';
import type { HydrationEnv } from '../messages/index.js';

/** A message that the service sends by itself, as the fact that causes it says. It is written and screened at its moment (`write.ts`). */
export interface Notice {
  readonly subject: Subject;
  /** Variables of the template beside those that the service fills in. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly loanId: string | null;
  readonly caseId: string | null;
  readonly statementId?: string | null;
  readonly attachments?: readonly string[];
  /** The channels that somebody has asked for; absent: by e-mail, else by letter, and by text as well where there is a template. */
  readonly channels?: readonly SendableChannel[];
  /** In place of the contact that a channel chooses, where it is of its kind. */
  readonly contactId?: string;
  /** A contact that it does not go to: it may be somebody else's. */
  readonly notAt?: string;
  /** Absent: as the subject says. */
  readonly isTransactional?: boolean;
  /** Absent: at once. In milliseconds. */
  readonly sendAt?: number;
  /** The repayment notification that sends it. */
  readonly reminder?: ReminderOfDay;
}

/**
 * The facts of a notice's messages, each an interaction of its own, to be recorded beside the fact that causes it: neither a crash nor a
 * takeover loses it or sends it twice. None where the lender has no enabled template for it, where the borrower has no usable contact,
 * where notices of the loan are muted, or this one of its loan type, and where an agency services the loan. Reads
 * no list, so that it can be decided while the list index is still being read.
 */
export function noticePlanned(
  env: DecideEnv,
  person: PersonState,
  notice: Notice,
  origin: Exclude<ContactOrigin, 'request'> = 'automatic',
): readonly FactDraft[] {
  const ways = waysNow(env, person, notice);
  if ('reason' in ways) return [];
  env.today(zoneOf(companyOf(env, env.tenant))); // the tenant lives by the calendar from here on, and with it the moment of a message
  return ways.map((way) => planned(env, person, notice, origin, way));
}

/** Why nothing is sent. */
export interface Withheld {
  readonly reason: string;
}

export const withheld = (reason: string): Withheld => ({ reason });

/** What planning a notice reads: decisions and previews both provide it. */
export type NoticeEnv = HydrationEnv & Pick<DecideEnv, 'tenant' | 'readBelow'>;

/** The ways by which a notice would be planned now, or why it would not. */
export function waysNow(env: NoticeEnv, person: PersonState, notice: Notice): readonly Way[] | Withheld {
  const kept = keptBack(env, person, notice);
  if (kept !== null) return kept;
  const about = askedOf(env, person, notice);
  const ways = waysOf(about);
  return ways.length > 0 ? ways : withheld(whyNoWay(about));
}

/** What keeps a notice back, whatever ways there are; null where nothing does. */
function keptBack(env: NoticeEnv, person: PersonState, { loanId, subject }: Notice): Withheld | null {
  if (!isReachable(person)) return withheld('The borrower was erased.');
  const loan = loanId === null ? undefined : env.read<LoanState>('loan', loanId);
  if (loan?.record == null) return null;
  if (isWithAgency(loan)) return withheld('A collection agency has the loan: the service sends nothing by itself.');
  if (isSilent(loan, subject)) return withheld('Notices of the loan are muted.');
  return isMutedByProduct(env, loan, subject) ? withheld('The loan type mutes notices of this subject.') : null;
}

/** No notice of this subject goes out by itself: an agency services the loan, or the loan is muted and the subject is among those muted. */
export const isSilent = (loan: LoanState, subject: Subject): boolean =>
  isWithAgency(loan) || (recordOf(loan).muteLoanNotices && isMutedWithLoan(subject));

/** Whether the loan type says today that its loans send no notice of this subject. */
function isMutedByProduct(env: NoticeEnv, loan: LoanState, subject: Subject): boolean {
  const { mutedSubjects = [] } = productOn(loan, env, env.today(recordOf(loan).zone)).notices;
  return mutedSubjects.includes(subject);
}

/** A channel by which a notice can go: to this contact, from this template. */
export interface Way {
  readonly channel: SendableChannel;
  readonly contact: Contact;
  readonly template: ChosenTemplate;
}

/** What the ways of a notice depend on. */
interface WaysAsked {
  readonly env: NoticeEnv;
  readonly company: CompanyState;
  readonly person: PersonState;
  readonly notice: Notice;
  readonly productId: string | null;
}

function askedOf(env: NoticeEnv, person: PersonState, notice: Notice): WaysAsked {
  const loan = notice.loanId === null ? undefined : env.read<LoanState>('loan', notice.loanId);
  return { env, company: companyOf(env, env.tenant), person, notice, productId: loan?.record?.loanTypeId ?? null };
}

/**
 * A letter replaces the e-mail that cannot be sent. A text goes beside either. Where all chosen channels fail, what a law requires goes by
 * letter (15 USC 7001(c)(1)).
 */
function waysOf(asked: WaysAsked): readonly Way[] {
  const { company, person, notice, productId } = asked;
  const way = (channel: SendableChannel): Way | null => {
    const found = wayBy(asked, channel);
    return 'reason' in found ? null : found;
  };
  if (notice.channels === undefined) return [way('email') ?? way('mail'), way('text')].filter((found) => found !== null);
  const chosen = notice.channels.flatMap((channel) => way(channel) ?? []);
  const letter = chosen.length === 0 && isRequired(company, person, notice.subject, productId) ? way('mail') : null;
  return letter === null ? chosen : [letter];
}

/** Whether a law asks for the notice in writing, by its subject or by its template. A lender without a template for it does not send it. */
function isRequired(company: CompanyState, person: PersonState, subject: Subject, productId: string | null): boolean {
  const theme = themeOf(subject);
  const language = languageOf(person);
  return CHANNELS.map((channel) => chooseTemplate(company, { subject, channel, productId, language })).some(
    (found) =>
      typeof found !== 'string' && isWrittenDisclosure({ theme, subject, isLegallyRequired: found.descriptor.stored.legallyRequired }),
  );
}

/** Why none of the channels is a way, a sentence for each. */
const whyNoWay = (asked: WaysAsked): string =>
  (asked.notice.channels ?? CHANNELS)
    .flatMap((channel) => {
      const found = wayBy(asked, channel);
      return 'reason' in found ? `By ${CHANNEL_NAMES[channel]}: ${found.reason}.` : [];
    })
    .join(' ');

const CHANNELS = ['email', 'mail', 'text'] as const;
const CHANNEL_NAMES: Readonly<Record<SendableChannel, string>> = { email: 'e-mail', mail: 'letter', text: 'text' };

/** A notice's way by a channel, or why it cannot go by it. */
function wayBy({ env, company, person, notice, productId }: WaysAsked, channel: SendableChannel): Way | Withheld {
  const contacts = person.contacts.filter(({ id }) => id !== notice.notAt);
  const named = person.contacts.find(({ id }) => id === notice.contactId);
  const contact =
    named !== undefined && faultOfNumber(env, person, named, channel) === null ? named : contactFor(env, person, channel, contacts);
  if (contact === null) return withheld('the borrower has no usable contact');
  const template = chooseTemplate(company, { subject: notice.subject, channel, productId, language: languageOf(person) });
  if (typeof template === 'string') return withheld(NO_TEMPLATE[template]);
  if (channel !== 'mail' && !isElectronic(person, notice.subject, template))
    return withheld('the borrower does not consent to electronic communication');
  return { channel, contact, template };
}

const NO_TEMPLATE: Readonly<Record<NoTemplate, string>> = {
  missing: 'there is no template',
  disabled: 'the template is disabled',
  inactive: 'the template has no active version',
};

/** Whether the borrower may get it by e-mail or text (15 USC 7001(c)(1)): the guard's rule US-ECONSENT, which asks again at its moment. */
function isElectronic({ consents }: PersonState, subject: Subject, { descriptor }: ChosenTemplate): boolean {
  const said = consents.find(({ name }) => name === 'electronicComms');
  if (themeOf(subject) === 'opsAccountCredentials') return true;
  const { legallyRequired: isLegallyRequired } = descriptor.stored;
  const isDisclosure = isWrittenDisclosure({ theme: themeOf(subject), subject, isLegallyRequired });
  if (statusOfConsent(consents, 'electronicComms') === 'consented') return said?.medium !== 'oral' || !isDisclosure;
  return said === undefined && !isDisclosure;
}

/** Every subject that the service sends by itself has a theme of its own. */
const themeOf = (subject: Subject): InteractionTheme => must(implicitTheme(subject), `${subject} says its theme`);

function planned(
  env: DecideEnv,
  person: PersonState,
  notice: Notice,
  origin: ContactOrigin,
  { channel, contact, template }: Way,
): FactDraft {
  const id = env.newId('IN');
  const { subject, context, loanId, caseId, statementId = null, attachments = [] } = notice;
  const draft = sendRecorded(env, id, {
    personId: person.id,
    channel,
    subject,
    theme: themeOf(subject),
    status: 'scheduled',
    isTransactional: notice.isTransactional ?? defaultTransactional(subject),
    contact,
    loanId,
    caseId,
    templateVersionId: template.version.id,
    sendAt: Math.max(notice.sendAt ?? env.now, env.now),
    sensitive: template.descriptor.stored.sensitive,
    plan: { origin, context, statementId, attachments, isPostponed: false, reminder: notice.reminder ?? null },
  });
  return { ...draft, target: { kind: 'interaction', id } };
}
