import { type ContactPlan, type Day, dayAt, type LoanStanding, type Situation } from '../../../engine/index.js';
import { type Contact, type PersonState } from '../../borrower/index.js';
import { ask } from '../../kernel/question.js';
import { contactAsks } from '../questions.js';
import { businessRulesOf, companyOf, type CompanyState, loanTypeOf, mutesOf, zoneOf } from '../../company/index.js';
import { activationOf, type LoanState, statusOf } from '../../loan/index.js';
import { pastContacts } from './history.js';
import { consentStandings, contactStanding, personStanding } from './person-standing.js';
import type { ScreenEnv } from './screen.js';

/** Of a borrower more than anybody has: lists are read whole. */
const ALL = Number.MAX_SAFE_INTEGER;

/** All that the guard looks at, read off the actors on the borrower's shard. */
export function situationOf(env: ScreenEnv, person: PersonState, contact: Contact | null, { loanIds, at }: ContactPlan): Situation {
  const company = companyOf(env, env.tenant);
  const companyZone = zoneOf(company);
  const loans = loansOf(env, person.id, loanIds);
  const contacts = contact === null || person.contacts.includes(contact) ? person.contacts : [...person.contacts, contact];
  return {
    companyZone,
    person: personStanding(env, person),
    contact: contact && contactStanding(env, person, contact),
    consents: consentStandings(person),
    hasActiveRepresentative: person.legalRepresentatives.some(({ status }) => status === 'active'),
    ...ask(
      env,
      contactAsks.caseworkAbout,
      person.id,
      loans.map(({ id }) => id),
    ),
    loans,
    history: pastContacts(env, { personId: person.id, contacts, loans, companyZone, at }),
    mutes: mutesOf(company),
    businessRules: businessRulesOf(company),
    isDisasterPolicyOn: company.profile?.femaPolicy ?? false,
  };
}

/** Loans that the shard lists below the borrower, and those that are named, wherever they lie. */
function loansOf(env: ScreenEnv, personId: string, named: readonly string[]): readonly LoanStanding[] {
  const listed = env.list('loan', { parentId: personId, limit: ALL }).rows.map(({ id }) => id);
  const company = companyOf(env, env.tenant);
  return [...new Set([...listed, ...named])].flatMap((id) => {
    const state = env.read<LoanState>('loan', id);
    return state?.record == null ? [] : [loanStanding(company, state, state.record, personId, env.now)];
  });
}

/** Kinds of loans with security in the nature of a mortgage, on a home or on goods (50 USC 3953(a)). */
const SECURED: ReadonlySet<string | undefined> = new Set([
  'homeEquity',
  'auto',
  'personalClosedEndSecured',
  'personalOpenEndSecured',
  'businessClosedEndSecured',
  'businessOpenEndSecured',
]);

function loanStanding(
  company: CompanyState,
  state: LoanState,
  record: NonNullable<LoanState['record']>,
  personId: string,
  now: number,
): LoanStanding {
  const { loanTypeId, servicedBy, muteLoanNotices, timestamps, zone } = record;
  const summary = activationOf(state)?.summary;
  const { originatedAt } = timestamps;
  const assetType = loanTypeOf(company, loanTypeId)?.assetType;
  return {
    id: state.id,
    status: statusOf(state),
    loanTypeId,
    servicedBy,
    areNoticesMuted: muteLoanNotices,
    isOverdue: summary?.isOverdue ?? false,
    overdueSince: summary?.overdueSince ?? null,
    originatedOn: originatedAt === null ? null : dayAt(zone, originatedAt),
    isOwed: summary === undefined || summary.outstandingCents > 0,
    isLiable: isLiable(record, personId, dayAt(zone, now)),
    isMortgage: SECURED.has(assetType),
    isOnHome: assetType === 'homeEquity',
  };
}

/** The main borrower, and those beside who answer for the debt, for as long as they are on the loan. */
function isLiable({ personId: mainId, additionalPeople }: NonNullable<LoanState['record']>, personId: string, today: Day): boolean {
  return (
    personId === mainId ||
    additionalPeople.some(
      (other) =>
        other.personId === personId && other.loanRelationType !== 'authorizedUser' && (other.endDay === null || other.endDay >= today),
    )
  );
}
