import { addDays, type Day, startOfDay, weekday } from '../calendar/index.js';
import { type Channel, type InteractionTheme, isCollections, isMutedWithLoan } from '../communication/index.js';
import { type Considered, isCaseSubject, isLocationCall, isRequiredLetter } from './considered.js';
import { type Minutes, MINUTES_A_DAY, NEVER, type Opening, shutDuring } from './openings.js';
import { DECEASED_RULE, SEED_RULES } from './rules/index.js';
import type { BlockReason, ScreenedBlock, ScreenedConsent, ScreenedContact, ScreenedLoan, Objection } from './situation.js';
import { isDeceased, speaksForTheDead } from './borrower-status.js';

/** The fields of a contact that decide whether a message can be sent to it. */
export interface ChoosableContact {
  readonly contactType: 'email' | 'phone' | 'address';
  readonly label: 'personal' | 'work' | 'home' | 'military';
  readonly affiliation: string;
  readonly status: 'primary' | 'secondary' | 'additional' | 'archived';
  readonly valid: boolean;
  readonly receiveTextMessages: boolean;
  readonly authorizedThirdParty: boolean;
  readonly powerOfAttorney: boolean;
  readonly phoneDisconnectionDetails: { readonly disconnectionStatus: 'disconnected' | 'connected' | null } | null;
  /** The number was reported as reassigned since its holder agreed to texts; absent: it was not. */
  readonly mayBeReassigned?: boolean;
}

interface ChoiceRow {
  readonly contactType: ChoosableContact['contactType'];
  /** Labels that are used, the best first; null: all, without preference. */
  readonly labels: readonly ChoosableContact['label'][] | null;
  /** Which of the two decides first. */
  readonly first: 'status' | 'label';
  readonly needsTexts: boolean;
}

/** The contact that each channel uses by default. Channels that are not here need no contact. */
const CHOICES: Readonly<Partial<Record<Channel, ChoiceRow>>> = {
  email: { contactType: 'email', labels: null, first: 'status', needsTexts: false },
  text: { contactType: 'phone', labels: ['personal'], first: 'status', needsTexts: true },
  mail: { contactType: 'address', labels: ['home', 'work'], first: 'label', needsTexts: false },
  voice: { contactType: 'phone', labels: ['personal', 'home', 'work'], first: 'status', needsTexts: false },
};

const STATUSES: readonly string[] = ['primary', 'secondary', 'additional'];

/** Whether a message of the channel needs a contact: chats, texts of a portal and documents do not. */
export const needsContact = (channel: Channel): boolean => CHOICES[channel] !== undefined;

/** Whether contacts of a type are used on a channel. */
export const isForChannel = ({ contactType }: Pick<ChoosableContact, 'contactType'>, channel: Channel): boolean =>
  (CHOICES[channel]?.contactType ?? contactType) === contactType;

/** The contact for a message that names none; null if the borrower has none that can be used. */
export function chooseContact<Contact extends ChoosableContact>(contacts: readonly Contact[], channel: Channel): Contact | null {
  const row = CHOICES[channel];
  if (row === undefined) return null;
  const { contactType, labels, needsTexts } = row;
  let best: Contact | null = null;
  for (const contact of contacts) {
    const isFit =
      contact.contactType === contactType &&
      contact.affiliation === 'self' &&
      faultOfContact(contact, channel) === null &&
      (labels === null || labels.includes(contact.label)) &&
      (!needsTexts || contact.receiveTextMessages);
    if (isFit && (best === null || rankOf(contact, row) < rankOf(best, row))) best = contact;
  }
  return best;
}

/** More than the number of labels and of statuses. */
const RANK = 10;

/** A number that may be somebody else's comes last: the rules say what it may still be used for. */
function rankOf({ status, label, mayBeReassigned = false }: ChoosableContact, { labels, first }: ChoiceRow): number {
  const byStatus = STATUSES.indexOf(status);
  const byLabel = labels === null ? 0 : labels.indexOf(label);
  const byBoth = first === 'status' ? byStatus * RANK + byLabel : byLabel * RANK + byStatus;
  return mayBeReassigned ? RANK * RANK + byBoth : byBoth;
}

/** Why a named contact cannot be used. */
export type ContactFault = 'archived' | 'wrongType' | 'invalid' | 'disconnected' | 'thirdParty';

/** Why a contact cannot be used on a channel; null if it can. Also checked for a contact that the caller names. */
export function faultOfContact(contact: ChoosableContact, channel: Channel | null): ContactFault | null {
  const { contactType, status, valid, affiliation, authorizedThirdParty, powerOfAttorney, phoneDisconnectionDetails } = contact;
  if (status === 'archived') return 'archived';
  if (channel !== null && !isForChannel({ contactType }, channel)) return 'wrongType';
  if (!valid) return 'invalid';
  if (phoneDisconnectionDetails?.disconnectionStatus === 'disconnected') return 'disconnected';
  return affiliation !== 'self' && !authorizedThirdParty && !powerOfAttorney ? 'thirdParty' : null;
}

/** An objection to a contact, and the moments at which it does not apply. */
export interface Stop {
  readonly objection: Objection;
  readonly openings: readonly Opening[];
}

/** An objection at any time. */
const barred = (objection: Objection): Stop => ({ objection, openings: [NEVER] });

/** Themes that a block of `opsServicing` covers. */
const SERVICING: ReadonlySet<InteractionTheme> = new Set([
  'opsServicing',
  'opsServicingStatement',
  'opsServicingPrivacy',
  'opsOrigination',
]);

/** Blocks of the borrower that are about the contact, for any loan. */
function blocksAgainst(considered: Considered): readonly Stop[] {
  const { plan, situation } = considered;
  if (isRequiredLetter(plan)) return [];
  return situation.blocks
    .filter((block) => isMeant(block, considered))
    .map((block) => ({
      objection: {
        reason: 'doNotInteract',
        doNotInteractId: block.id,
        description: 'A Do Not Interact of the borrower blocks this contact.',
      },
      openings: [openingOf(block, situation.companyZone)],
    }));
}

function isMeant(
  { channels, themes, contactLabels }: ScreenedBlock,
  { plan, situation, channels: meant, isCollection }: Considered,
): boolean {
  const { theme } = plan;
  if (theme === 'opsAccountCredentials') return false;
  const isByChannel = channels.includes('all') || meant.some((channel) => (channels as readonly string[]).includes(channel));
  const isByTheme = themes.some(
    (named) =>
      named === 'all' ||
      named === theme ||
      (named === 'opsServicing' && SERVICING.has(theme)) ||
      (named === 'opsCollDebt' && isCollection) ||
      (named === 'opsServicingNegativeCreditReportNotice' && plan.subject === 'creditNegativeInfoReported'),
  );
  const label = situation.contact?.label;
  return isByChannel && isByTheme && (contactLabels.length === 0 || label === undefined || contactLabels.includes(label));
}

/** Closed between its first day and its end, on its days and in its hours. Never judged at noon: lists honor a block at its real hours. */
function openingOf(block: ScreenedBlock, companyZone: string): Opening {
  const { endsAt } = block;
  const startsAt = startOfDay(companyZone, block.startDate);
  const { opensAt } = shutDuring(block.timezone, (day) => shutOn(block, day));
  return {
    type: 'dates',
    opensAt(at) {
      if (at < startsAt || (endsAt !== null && at >= endsAt)) return at;
      const open = opensAt(at);
      return endsAt !== null && (open === null || open > endsAt) ? endsAt : open;
    },
  };
}

/** Hours that wrap midnight belong to the day on which they begin. */
function shutOn({ daysOfWeek, timesOfDay }: ScreenedBlock, day: Day): readonly Minutes[] {
  const isOn = (other: Day): boolean => daysOfWeek.length === 0 || daysOfWeek.includes(weekday(other) - 1);
  if (timesOfDay.length === 0) return isOn(day) ? [[0, MINUTES_A_DAY]] : [];
  return timesOfDay.flatMap(({ fromHour, toHour }): readonly Minutes[] => {
    const [from, to] = [fromHour * 60, toHour * 60];
    if (from < to) return isOn(day) ? [[from, to]] : [];
    return [...(isOn(day) ? [[from, MINUTES_A_DAY] as const] : []), ...(isOn(addDays(day, -1)) ? [[0, to] as const] : [])];
  });
}

/** The steps 2 to 6 of the order of decision; rules follow, in the order of their kinds. */
export const STEPS: readonly { readonly name: string; readonly stops: (considered: Considered) => readonly Stop[] }[] = [
  { name: 'contact', stops: contactStops },
  { name: 'person', stops: personStops },
  { name: 'doNotInteract', stops: blocksAgainst },
  { name: 'loan', stops: loanStops },
  { name: 'reminders', stops: reminderStops },
  { name: 'location', stops: locationStops },
];

/** Step 1: what is not screened at all. */
export const isExempt = ({ plan }: Considered): boolean => plan.theme === 'agentNotification' || plan.direction === 'inbound';

const CONTACT_FAULTS: Readonly<Record<ContactFault, string>> = {
  archived: 'The contact is archived.',
  wrongType: 'The contact is of another kind than the channel needs.',
  invalid: 'The contact is not valid.',
  disconnected: 'The phone is disconnected.',
  thirdParty: 'The contact is of somebody else, who is neither authorized nor has a power of attorney.',
};

function contactStops({
  plan,
  situation: {
    contact,
    consents: { thirdPartyDisclosure },
  },
  channels,
}: Considered): readonly Stop[] {
  if (contact === null)
    return channels.some(needsContact)
      ? [barred({ reason: 'noContact', description: 'The borrower has no contact that can be used.' })]
      : [];
  const fault = faultOfContact(contact, plan.channel);
  if (isLocationCall(plan) && (fault === null || fault === 'thirdParty')) return [];
  if (fault !== null) return [barred({ reason: 'noContact', description: CONTACT_FAULTS[fault] })];
  return isTakenBack(contact, thirdPartyDisclosure)
    ? [barred({ reason: 'noConsent', description: 'The borrower has withdrawn the consent to disclosure to third parties.' })]
    : [];
}

/** Representatives by law or by office. A withdrawn consent to disclosure does not affect them. */
const STAND_FOR_BORROWER: ReadonlySet<string> = new Set(['self', 'attorney', 'legalRepresentative', 'guardian', 'executor']);

/** The contact is of an authorized third party, and the borrower has withdrawn the consent to disclosure since (15 USC 1692c(b)). */
const isTakenBack = ({ affiliation, powerOfAttorney }: ScreenedContact, { isSaid, isGiven }: ScreenedConsent): boolean =>
  isSaid && !isGiven && !powerOfAttorney && !STAND_FOR_BORROWER.has(affiliation);

const deceasedRule = SEED_RULES.find(({ code }) => code === DECEASED_RULE);

function personStops(considered: Considered): readonly Stop[] {
  const { contact, person } = considered.situation;
  if (isDeceased(considered) && (contact === null || !speaksForTheDead(considered, contact))) {
    const named = deceasedRule === undefined ? {} : { ruleId: deceasedRule.id, ruleCode: deceasedRule.code };
    return [barred({ reason: 'personStatus', description: 'The borrower has died: only a representative is contacted.', ...named })];
  }
  return person.status === 'inactive' ? [barred({ reason: 'personStatus', description: 'The borrower is inactive.' })] : [];
}

/** Themes that a frozen loan does not block. */
const PASS_FROZEN: ReadonlySet<InteractionTheme> = new Set(['opsAccountCredentials', 'opsServicingPrivacy', 'opsServicingStatement']);

interface LoanRow {
  readonly description: string;
  readonly stops: (loan: ScreenedLoan, considered: Considered) => boolean;
  readonly reason?: BlockReason;
}

/** The notice of a status itself is allowed in that status. */
const OWN_NOTICE: Readonly<Record<string, string>> = { canceled: 'loanCanceled', declined: 'loanDeclined', frozen: 'loanFrozen' };

const isOwnNotice = ({ status }: ScreenedLoan, { plan }: Considered): boolean =>
  plan.subject !== null && OWN_NOTICE[status] === plan.subject;

const isIn = ({ status }: ScreenedLoan, ...statuses: readonly string[]): boolean => statuses.includes(status);

/** Objections of the loans that a contact names. */
const LOAN_ROWS: readonly LoanRow[] = [
  {
    description: 'The loan is canceled or declined.',
    stops: (loan, considered) =>
      isIn(loan, 'canceled', 'declined') && !isOwnNotice(loan, considered) && considered.plan.theme !== 'opsAccountCredentials',
  },
  {
    description: 'The loan is frozen: only credentials, privacy, statements and what is said about cases pass.',
    stops: (loan, considered) =>
      isIn(loan, 'frozen') &&
      !isOwnNotice(loan, considered) &&
      !PASS_FROZEN.has(considered.plan.theme) &&
      !isCaseSubject(considered.plan.subject),
  },
  {
    description: 'The loan is charged off and a collection agency has it.',
    stops: (loan) => isIn(loan, 'chargedOff') && loan.servicedBy === 'debtCollectionAgency',
  },
  {
    description: 'A collection agency has the loan: the service sends nothing by itself.',
    stops: (loan, { plan }) => loan.servicedBy === 'debtCollectionAgency' && plan.origin !== 'request',
  },
  // 15 USC 1692f(1): a charged-off loan keeps its status when its balance is paid.
  {
    description: 'Nothing is owed on the loan any more.',
    stops: (loan, { plan }) => (isIn(loan, 'paidOff') || (isIn(loan, 'chargedOff') && !loan.isOwed)) && isCollections(plan.theme),
  },
  {
    description: 'The borrower does not have to pay the loan: an authorized user, or no longer on it.',
    stops: (loan, { isCollection }) => !loan.isLiable && isCollection,
  },
  {
    description: 'Notices of the loan are muted.',
    reason: 'muted',
    stops: ({ areNoticesMuted }, { plan }) => areNoticesMuted && plan.subject !== null && isMutedWithLoan(plan.subject),
  },
];

function loanStops(considered: Considered): readonly Stop[] {
  const {
    plan: { loanIds, theme },
    situation,
    loans,
  } = considered;
  if (loanIds.length === 0)
    return isCollections(theme) && situation.loans.length > 0 && situation.loans.every((loan) => isStopped(loan, considered))
      ? [NOTHING_TO_COLLECT]
      : [];
  const named = loans.filter(({ id }) => loanIds.includes(id));
  return LOAN_ROWS.filter(({ stops }) => named.some((loan) => stops(loan, considered))).map(({ reason = 'complianceRule', description }) =>
    barred({ reason, description }),
  );
}

const isStopped = (loan: ScreenedLoan, considered: Considered): boolean => LOAN_ROWS.some(({ stops }) => stops(loan, considered));

/** A contact without a loan must not avoid the objections that every loan has. */
const NOTHING_TO_COLLECT = barred({ reason: 'complianceRule', description: 'Of the loans of the borrower none may be collected now.' });

/** A current borrower may refuse reminders. */
function reminderStops({ plan, situation, loans }: Considered): readonly Stop[] {
  const isUnwanted = plan.origin === 'reminder' && !situation.person.sendRemindersWhenCurrent && !loans.some(({ isOverdue }) => isOverdue);
  return isUnwanted ? [barred({ reason: 'muted', description: 'The borrower is current and wants no reminders then.' })] : [];
}

/** Without a home address the applicable law is unknown: collection is forbidden, other contacts must follow the rules of every state. */
function locationStops({ plan, situation }: Considered): readonly Stop[] {
  if (situation.person.home !== null || !isCollections(plan.theme)) return [];
  return [
    barred({ reason: 'noAddress', description: 'The borrower has no valid primary home address, so that nobody knows whose law counts.' }),
  ];
}
