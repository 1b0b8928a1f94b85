import { addDays, formatDay, must, startOfDay } from '../../../engine/index.js';
import type { Address } from '../../address.js';
import { addressOf, homeAddressOf, isValidHome, type PersonState, type RecordedContact } from '../../borrower/index.js';
import { type CompanyState, type Disaster, DISASTER, type DisasterBody, disasterOf, zoneOf } from '../../company/index.js';
import { ALL_ROWS, type CommandContext, type CommandSpec, type DecideEnv, type Decision } from '../../kernel/actor.js';
import { bodiesOf, type FactDraft } from '../../kernel/fact.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import { changed, createRecord, type Declaration, recordsOf, replyOf, type ResourceRecord } from '../../kernel/resources/index.js';
import type { LoanState } from '../../loan/index.js';
import { dayOfText, orNull } from '../../wire.js';
import { isClosed, servicedLoans } from '../cases/index.js';
import { type Area, type AreaMatch, areaMatch } from './areas.js';
import { NO_FIELDS } from './decide.js';
import { drafted, gatheringOf, isMonitored, isPolicyOn, MATCH_BORROWER, type MatchBorrower, matchingOrdered } from './gathering.js';
import { type MemberFacts, pairOf } from './members.js';
import { fact, isReachable, type SupercaseFields, type SupercaseState } from './state.js';

/** A borrower who is matched, with the home and the serviced loans. */
interface Candidate {
  readonly personId: string;
  readonly home: Address;
  readonly loanIds: readonly string[];
}

const areasOf = ({ femaDisasterDetails }: SupercaseState): readonly Area[] => femaDisasterDetails?.impactedAreas ?? [];

/** The loans of a borrower in a declared area, as new members of the gathering draft. Loans that are members already are left out. */
function membersOf(env: DecideEnv, supercase: SupercaseState, { personId, loanIds }: Candidate): readonly FactDraft[] {
  const population = gatheringOf(supercase);
  if (population === undefined) return [];
  return loanIds
    .filter((loanId) => pairOf(env, { supercaseId: supercase.id, personId, loanId }) === undefined)
    .map((loanId) => {
      const body: MemberFacts['MemberAdded'] = { supercaseId: supercase.id, populationId: population.id, personId, loanId };
      return { type: 'MemberAdded', body, target: { kind: 'supercaseMember', id: env.newId('MB') } };
    });
}

/** Whether a borrower is monitored for disasters: unless an agent has stopped it, even if monitoring never began. */
const isWatched = ({ monitoring }: PersonState): boolean =>
  !monitoring.some(({ kind, status }) => kind === 'disaster' && status === 'stopped');

/** Serviced loans with this main borrower. Loans of other main borrowers may be on other shards. */
const loansToMatch = (env: DecideEnv, personId: string): readonly string[] =>
  servicedLoans(env, personId).filter((id) => env.read<LoanState>('loan', id)?.record?.personId === personId);

/** Matches a borrower who has changed with all disasters that are monitored. */
function matchedNow(env: DecideEnv, candidate: Candidate): readonly FactDraft[] {
  const { rows } = env.list('supercase', {
    matches: ({ fields }) => fields['supercaseType'] === 'federalEmergency',
    limit: ALL_ROWS,
  });
  const open = rows
    .map(({ id }) => must(env.read<SupercaseState>('supercase', id), `the listed ${id}`))
    .filter((state) => isMonitored(state, env));
  return open
    .filter((state) => areaMatch(candidate.home, areasOf(state)) === 'inside')
    .flatMap((state) => membersOf(env, state, candidate));
}

/** Runs for each borrower after a declaration. The operation reports borrowers whose county is unknown, for an agent to check. */
export const matchBorrower: CommandSpec<PersonState, MatchBorrower> = {
  kind: 'person',
  type: MATCH_BORROWER,
  place: { on: 'target' },
  catchesUp: false,
  decide({ id: personId, state, body, env }) {
    const supercase = env.read<SupercaseState>('supercase', body.supercaseId);
    const isOpen = supercase !== undefined && isReachable(supercase) && !isClosed(supercase.status) && isPolicyOn(env);
    const loanIds = isOpen && isWatched(state) ? loansToMatch(env, personId) : [];
    const home = loanIds.length === 0 ? null : homeAddressOf(env, state);
    const match: AreaMatch = supercase && home ? areaMatch(home, areasOf(supercase)) : 'outside';
    const facts = supercase && home && match === 'inside' ? membersOf(env, supercase, { personId, home, loanIds }) : [];
    return { facts, ...(match === 'unknown' ? { failure: NO_COUNTY } : {}), reply: () => ({ data: undefined }) };
  },
};

const NO_COUNTY = {
  errorType: 'ruleViolation',
  message: 'The home address has no county, and only some counties of its state are declared. Add the member if it is affected.',
} as const;

/*
 * A borrower who matches only after the declaration is added in one batch with the new home or the activation, so that no crash and no
 * other process comes between. Supercases are readable on every shard; the member is on its borrower's shard.
 */

export const CONTACT_FACTS: readonly string[] = ['ContactAdded', 'ContactUpdated'];

type ContactFacts = Readonly<Record<string, { readonly contact: RecordedContact }>>;

/** A borrower has one primary home: the newest one of the facts. */
export function membersOfNewHome({ env, state: person }: CommandContext<PersonState>, facts: readonly FactDraft[]): readonly FactDraft[] {
  const contacts = facts
    .flatMap((draft) => CONTACT_FACTS.flatMap((type) => bodiesOf<ContactFacts, string>([draft], type)))
    .map(({ contact }) => contact);
  const moved = contacts.findLast(isValidHome);
  if (moved === undefined || !isPolicyOn(env) || !isWatched(person)) return [];
  const home = addressOf(env, person, moved);
  return home === null ? [] : matchedNow(env, { personId: person.id, home, loanIds: loansToMatch(env, person.id) });
}

/** Facts that begin the servicing of a loan. */
export const ACTIVATIONS: readonly string[] = ['LoanActivated', 'LineActivated', 'LoanMigrated'];

export function membersOfNewLoan(
  { env, state: { id, record } }: CommandContext<LoanState>,
  facts: readonly FactDraft[],
): readonly FactDraft[] {
  if (record === null || !facts.some(({ type }) => ACTIVATIONS.includes(type)) || !isPolicyOn(env)) return [];
  const person = env.read<PersonState>('person', record.personId);
  const home = person && isWatched(person) ? homeAddressOf(env, person) : null;
  return person && home ? matchedNow(env, { personId: person.id, home, loanIds: [id] }) : [];
}

const DECLARATION = DISASTER as Declaration<unknown, unknown, unknown>;

/** New borrowers are matched for this many days if the incident has no end yet. */
const MONITORED_DAYS = 90;

/** Maximum length of a supercase's name. */
const NAME_LENGTH = 128;

/**
 * `POST /monitoring/disasters`. If the company's policy is on, the first report of a disaster number creates the supercase and orders the
 * search for its borrowers. A later report with changes updates both; the same report again changes nothing.
 */
export const feedDisaster: CommandSpec<CompanyState, DisasterBody> = {
  kind: 'company',
  type: 'disaster.feed',
  place: { on: 'target' },
  catchesUp: false,
  decide(context) {
    const { state, body } = context;
    const { femaDisasterNumber } = body;
    const known = [...recordsOf<Disaster>(state, DISASTER.type).values()].find(
      ({ stored }) => stored.femaDisasterNumber === femaDisasterNumber,
    );
    return known ? laterReport(context, known) : firstReport(context);
  },
};

function firstReport(context: CommandContext<CompanyState, DisasterBody>): Decision<CompanyState> {
  const { state, body, env } = context;
  const supercaseId = state.profile?.femaPolicy ? env.newId('SC') : null;
  const disaster: Disaster = { ...disasterOf(body, env), supercaseId };
  const decision = createRecord(DECLARATION, context, () => disaster);
  return supercaseId === null ? decision : matched(context, decision, opened(env, state, disaster, supercaseId));
}

function laterReport(context: CommandContext<CompanyState, DisasterBody>, known: ResourceRecord<Disaster>): Decision<CompanyState> {
  const { state, body, env } = context;
  const before = known.stored;
  const isFirst = before.supercaseId == null && state.profile?.femaPolicy === true;
  const supercaseId = isFirst ? env.newId('SC') : (before.supercaseId ?? null);
  const disaster: Disaster = { ...disasterOf(body, env, before), supercaseId };
  const isSame = JSON.stringify({ ...before, supercaseId: before.supercaseId ?? null }) === JSON.stringify(disaster);
  const decision: Decision<CompanyState> = {
    facts: isSame ? [] : [changed(DISASTER.type, known, disaster)],
    reply: (after) => ({ data: replyOf(DECLARATION, after, recordsOf(after, DISASTER.type).get(known.id), env.now) }),
  };
  if (isSame || supercaseId === null) return decision;
  const facts = isFirst ? opened(env, state, disaster, supercaseId) : supercaseUpdated(context, before, disaster, supercaseId);
  return matched(context, decision, facts);
}

/** Adds the facts of a supercase to those of the declaration, in one batch. If a search is ordered, the reply names its operation. */
function matched(
  { command }: CommandContext<CompanyState>,
  decision: Decision<CompanyState>,
  facts: readonly FactDraft[],
): Decision<CompanyState> {
  const isOrdered = facts.some(({ type }) => type === 'MassOrdered');
  const operationId = operationIdOf(command.commandId);
  return {
    ...decision,
    facts: [...decision.facts, ...facts],
    reply: (after) => ({ ...decision.reply(after), ...(isOrdered ? { operationId } : {}) }),
  };
}

function opened(env: DecideEnv, company: CompanyState, disaster: Disaster, id: string): readonly FactDraft[] {
  const { incidentBeginDate } = disaster;
  const name = nameOf(disaster);
  const fields: SupercaseFields = {
    ...NO_FIELDS,
    description: disaster.description,
    femaDisasterDetails: detailsOf(disaster),
    supercaseType: 'federalEmergency',
    name,
    subcaseName: name,
    autoCreated: true,
    femaDisasterNumber: disaster.femaDisasterNumber,
    eventStartedAt: orNull((text) => startOfDay(zoneOf(company), dayOfText(text)), incidentBeginDate),
    femaMonitoringEndDate: monitoredUntil(disaster),
  };
  return about(id, [fact('SupercaseOpened', fields), drafted(env, 0), matchingOrdered(id)]);
}

/**
 * Updates the supercase by a later report. Changes by users are kept: description and end of monitoring are updated only if they still
 * have the values of the former report.
 */
function supercaseUpdated(
  { state: company, env }: CommandContext<CompanyState>,
  before: Disaster,
  disaster: Disaster,
  id: string,
): readonly FactDraft[] {
  const supercase = env.read<SupercaseState>('supercase', id);
  if (!supercase || !isReachable(supercase) || isClosed(supercase.status)) return [];
  const changes: Partial<SupercaseFields> = {
    femaDisasterDetails: detailsOf(disaster),
    ...(supercase.description === before.description ? { description: disaster.description } : {}),
    ...(supercase.femaMonitoringEndDate === monitoredUntil(before) ? { femaMonitoringEndDate: monitoredUntil(disaster) } : {}),
  };
  const areAreasNew = disaster.impactedAreas.some(({ id: areaId }) => before.impactedAreas.every((area) => area.id !== areaId));
  const search =
    areAreasNew && company.profile?.femaPolicy
      ? [...(gatheringOf(supercase) ? [] : [drafted(env, supercase.populations.length)]), matchingOrdered(id)]
      : [];
  return about(id, [fact('SupercaseChanged', { changes }), ...search]);
}

const about = (id: string, facts: readonly FactDraft[]): readonly FactDraft[] =>
  facts.map((draft) => ({ ...draft, target: { kind: 'supercase', id } }));

const detailsOf = ({
  description,
  incidentType,
  declarationDate,
  impactedAreas,
  programs,
}: Disaster): SupercaseFields['femaDisasterDetails'] => ({ description, incidentType, declarationDate, impactedAreas, programs });

const nameOf = ({ incidentType, femaDisasterNumber }: Disaster): string =>
  `${(incidentType ?? 'Disaster').slice(0, NAME_LENGTH - 12)} ${femaDisasterNumber}`;

const monitoredUntil = ({ incidentEndDate, declarationDate }: Disaster): string =>
  incidentEndDate ?? formatDay(addDays(dayOfText(declarationDate), MONITORED_DAYS));
