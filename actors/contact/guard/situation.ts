import {
  type BlockStanding,
  type CaseStanding,
  type ContactPlan,
  type Day,
  dayAt,
  type LoanStanding,
  parseDay,
  type Situation,
} from '../../../engine/index.js';
import { type Contact, type PersonState } from '../../borrower/index.js';
import { activeBlock, type CaseState, isClosed } from '../../casework/cases/index.js';
import { businessRulesOf, companyOf, type CompanyState, loanTypeOf, mutesOf, zoneOf } from '../../company/index.js';
import { activationOf, type LoanState, statusOf } from '../../loan/index.js';
import type { CatalogRow } from '../../kernel/actor.js';
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
    ...casework(
      env,
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
    isMortgage: SECURED.has(loanTypeOf(company, loanTypeId)?.assetType),
  };
}

/** The main borrower, and those beside who answer for the debt, for as long as they are on the loan (loans 4). */
function isLiable({ personId: mainId, additionalPeople }: NonNullable<LoanState['record']>, personId: string, today: Day): boolean {
  return (
    personId === mainId ||
    additionalPeople.some(
      (other) =>
        other.personId === personId && other.loanRelationType !== 'authorizedUser' && (other.endDay === null || other.endDay >= today),
    )
  );
}

/** The cases of a borrower, whose blocks outlive them, and those of others about a loan that they share. */
function casework(env: ScreenEnv, personId: string, loanIds: readonly string[]): Pick<Situation, 'cases' | 'blocks'> {
  const rows = new Map<string, CatalogRow>();
  for (const parentId of [personId, ...loanIds]) for (const row of env.list('case', { parentId, limit: ALL }).rows) rows.set(row.id, row);
  const states = [...rows.keys()].flatMap((id) => env.read<CaseState>('case', id) ?? []);
  return {
    cases: states.map((state) => caseStanding(env, state, personId, loanIds)),
    blocks: states.filter((state) => state.personId === personId).flatMap(blockStanding),
  };
}

function caseStanding(
  env: ScreenEnv,
  { id, caseType, status, outcome, createdAt, personId: of, associations, fields }: CaseState,
  personId: string,
  loanIds: readonly string[],
): CaseStanding {
  const included = fields['loansIncluded'];
  const isOfAnother = of !== personId;
  const associated = associations.map(({ objectId }) => objectId);
  const named = Array.isArray(included) && included.length > 0 ? loansNamed(env, included.map(String), loanIds) : associated;
  return {
    id,
    caseType,
    status,
    outcome,
    isOpen: !isClosed(status),
    openedAt: createdAt,
    isOfAnother,
    fields,
    // Which loan it means is not known: of the borrower's own case it may be any (none are all), of another's those that it is listed with.
    loanIds: named ?? (isOfAnother ? associated : []),
  };
}

const SERVICE_ID = /^LN-/;

/** The loans that a case names, be it by external ids; null where one of these is none of the borrower's. */
function loansNamed(env: ScreenEnv, anyIds: readonly string[], loanIds: readonly string[]): readonly string[] | null {
  const external = new Map(loanIds.map((id) => [`ext-${env.read<LoanState>('loan', id)?.record?.externalId ?? ''}`, id]));
  const found = anyIds.map((anyId) => (SERVICE_ID.test(anyId) ? anyId : (external.get(anyId) ?? null)));
  return found.includes(null) ? null : found.filter((id) => id !== null);
}

function blockStanding(state: CaseState): readonly BlockStanding[] {
  const block = activeBlock(state);
  const startDate = parseDay(block?.startDate ?? '');
  if (block === undefined || startDate === undefined) return [];
  const { id, channels, themes, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels } = block;
  return [{ id, channels, themes, startDate, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels }];
}
