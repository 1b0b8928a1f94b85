import { type InteractionTheme, isCollections, SUBJECTS } from '../communication/index.js';
import { type Considered, isCaseSubject } from './considered.js';
import { type ContactFault, faultOfContact, needsContact } from './contact-choice.js';
import { blocksAgainst } from './do-not-interact.js';
import { DECEASED_RULE, SEED_RULES } from './rules/index.js';
import { isLocationCall } from './plan.js';
import type { ConsentStanding, ContactStanding, LoanStanding } from './situation.js';
import { isDeceased, speaksForTheDead } from './standing.js';
import { barred, type Stop } from './stop.js';
import type { BlockReason } from './verdict.js';

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
    ? [barred({ reason: 'noConsent', description: 'The borrower has taken back that others are told.' })]
    : [];
}

/** Those who stand for the borrower by law or by their office are told whatever was said of others. */
const STAND_FOR_BORROWER: ReadonlySet<string> = new Set(['self', 'attorney', 'legalRepresentative', 'guardian', 'executor']);

/** Somebody else who was authorized, before the borrower said that nobody else is told (15 USC 1692c(b)). */
const isTakenBack = ({ affiliation, powerOfAttorney }: ContactStanding, { isSaid, isGiven }: ConsentStanding): boolean =>
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

/** Themes that a frozen loan does not stop. */
const PASS_FROZEN: ReadonlySet<InteractionTheme> = new Set(['opsAccountCredentials', 'opsServicingPrivacy', 'opsServicingStatement']);
/** Themes of subjects that muted notices stop. */
const MUTED_THEMES: ReadonlySet<InteractionTheme> = new Set(['opsServicing', 'opsServicingStatement', 'opsOrigination', 'opsCollDebt']);

interface LoanRow {
  readonly description: string;
  readonly stops: (loan: LoanStanding, considered: Considered) => boolean;
  readonly reason?: BlockReason;
}

/** The notice that tells of a status passes in it. */
const OWN_NOTICE: Readonly<Record<string, string>> = { canceled: 'loanCanceled', declined: 'loanDeclined', frozen: 'loanFrozen' };

const isOwnNotice = ({ status }: LoanStanding, { plan }: Considered): boolean =>
  plan.subject !== null && OWN_NOTICE[status] === plan.subject;

const isIn = ({ status }: LoanStanding, ...statuses: readonly string[]): boolean => statuses.includes(status);

/** What the loans that a contact names stand against. */
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
  // 15 USC 1692f(1): a loan that was charged off stays so when its balance is paid.
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
    stops({ areNoticesMuted }, { plan }) {
      const implicit = plan.subject === null ? null : SUBJECTS[plan.subject].theme;
      return areNoticesMuted && implicit !== null && MUTED_THEMES.has(implicit);
    },
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

const isStopped = (loan: LoanStanding, considered: Considered): boolean => LOAN_ROWS.some(({ stops }) => stops(loan, considered));

/** Leaving the loan out does not let what naming it would stop. */
const NOTHING_TO_COLLECT = barred({ reason: 'complianceRule', description: 'Of the loans of the borrower none may be collected now.' });

/** Nobody who is current is reminded against their wish. */
function reminderStops({ plan, situation, loans }: Considered): readonly Stop[] {
  const isUnwanted = plan.origin === 'reminder' && !situation.person.sendRemindersWhenCurrent && !loans.some(({ isOverdue }) => isOverdue);
  return isUnwanted ? [barred({ reason: 'muted', description: 'The borrower is current and wants no reminders then.' })] : [];
}

/** Without a home nobody knows whose law counts: nothing is collected, and of all else the rules of every state are asked. */
function locationStops({ plan, situation }: Considered): readonly Stop[] {
  if (situation.person.home !== null || !isCollections(plan.theme)) return [];
  return [
    barred({ reason: 'noAddress', description: 'The borrower has no valid primary home address, so that nobody knows whose law counts.' }),
  ];
}
