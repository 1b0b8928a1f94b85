import { addDays, formatDay, must, startOfDay, stateNamed } from '../../../engine/index.js';
import {
  type Address,
  addressOf,
  homeAddressOf,
  isOfUnitedStates,
  isValidHome,
  type PersonState,
  type RecordedContact,
} from '../../borrower/index.js';
import { type CompanyState, type Disaster, DISASTER, type DisasterBody, disasterOf, zoneOf } from '../../company/index.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import { bodiesOf, type FactDraft } from '../../kernel/fact.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import { changed, createRecord, type Declaration, recordsOf, replyOf, type ResourceRecord } from '../../kernel/resources/index.js';
import type { LoanState } from '../../loan/index.js';
import { dayOfText, orNull } from '../../wire.js';
import { isClosed, servicedLoans } from '../cases/index.js';
import { NO_FIELDS } from './decide.js';
import { drafted, gatheringOf, isMonitored, isPolicyOn, MATCH_BORROWER, type MatchBorrower, matchingOrdered } from './gathering.js';
import { type MemberFacts, pairOf } from './members.js';
import { fact, isReachable, type SupercaseFields, type SupercaseState } from './state.js';

/** Who is compared, by which home, and the loans that are being serviced. */
interface Candidate {
  readonly personId: string;
  readonly home: Address;
  readonly loanIds: readonly string[];
}

const areasOf = ({ femaDisasterDetails }: SupercaseState): readonly Place[] =>
  (femaDisasterDetails?.['impactedAreas'] ?? []) as readonly Place[];

/** Each loan of a borrower who lives in a declared area, as a member of the draft that gathers; pairs that are there already stay. */
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

/** Somebody may have stopped the monitoring of a borrower for disasters; who has never been looked at is not left out for that. */
const isWatched = ({ monitoring }: PersonState): boolean =>
  !monitoring.some(({ kind, status }) => kind === 'disaster' && status === 'stopped');

/** Loans that are serviced and whose main borrower this is: what other people of a loan owe is known where that borrower lies. */
const loansToMatch = (env: DecideEnv, personId: string): readonly string[] =>
  servicedLoans(env, personId).filter((id) => env.read<LoanState>('loan', id)?.record?.personId === personId);

/** The same for all disasters that are being monitored, as a consequence of what has become of a borrower. */
function matchedNow(env: DecideEnv, candidate: Candidate): readonly FactDraft[] {
  const { rows } = env.list('supercase', {
    matches: ({ fields }) => fields['supercaseType'] === 'federalEmergency',
    limit: Number.MAX_SAFE_INTEGER,
  });
  const open = rows
    .map(({ id }) => must(env.read<SupercaseState>('supercase', id), `the listed ${id}`))
    .filter((state) => isMonitored(state, env));
  return open
    .filter((state) => standingOf(candidate.home, areasOf(state)) === 'inside')
    .flatMap((state) => membersOf(env, state, candidate));
}

/** Of each borrower, once for a declaration. One whose county is not known is named by the operation, for somebody to look at. */
export const matchBorrower: CommandSpec<PersonState> = {
  kind: 'person',
  type: MATCH_BORROWER,
  place: { on: 'target' },
  catchUpFirst: false,
  decide({ id: personId, state, body, env }) {
    const supercase = env.read<SupercaseState>('supercase', (body as MatchBorrower).supercaseId);
    const isOpen = supercase !== undefined && isReachable(supercase) && !isClosed(supercase.status) && isPolicyOn(env);
    const loanIds = isOpen && isWatched(state) ? loansToMatch(env, personId) : [];
    const home = loanIds.length === 0 ? null : homeAddressOf(env, state);
    const standing: Standing = supercase && home ? standingOf(home, areasOf(supercase)) : 'outside';
    const facts = supercase && home && standing === 'inside' ? membersOf(env, supercase, { personId, home, loanIds }) : [];
    return { facts, ...(standing === 'unknown' ? { failure: NO_COUNTY } : {}), reply: () => ({ data: undefined }) };
  },
};

const NO_COUNTY = {
  errorType: 'ruleViolation',
  message: 'The home address has no county, and only some counties of its state are declared. Add the member if it is affected.',
} as const;

/** Where an address lies, or what a declaration names: a state, and a county in it where one is known. */
export interface Place {
  readonly state: string;
  readonly county: string | null;
}

/** `unknown`: the state is declared in part, and the address does not say in which county it lies. */
export type Standing = 'inside' | 'outside' | 'unknown';

/**
 * Words for a county that one source writes and another leaves out. A city that is a county of its own keeps its word: Baltimore has both.
 */
const SUFFIX = /\s*\(?\b(county|co|parish|borough|census area|municipio|municipality)\b\.?\)?$/;

/** The county as both sides write it; null where none is said, or all of the state is meant. */
export function countyKey(text: string | null): string | null {
  const plain = (text ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
  const key = plain
    .replace(SUFFIX, '')
    .replace(/^(saint|st\.?)\s+/, 'st')
    .replace(/^(sainte|ste\.?)\s+/, 'ste')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return key === '' || key === 'statewide' ? null : key;
}

/** Places are compared by the names of state and county: no source tells the FIPS code of an address. */
export function standingOf(address: Address, areas: readonly Place[]): Standing {
  const state = isOfUnitedStates(address) ? stateNamed(address.state) : null;
  const declared = areas.filter((area) => area.state === state).map(({ county }) => countyKey(county));
  if (declared.length === 0) return 'outside';
  if (declared.includes(null)) return 'inside';
  const county = countyKey(address.countyOrRegion);
  return county === null ? 'unknown' : declared.includes(county) ? 'inside' : 'outside';
}

/*
 * Who comes to match after the declaration is added beside what made it so: in one batch with the new home or the
 * activation, so that neither a crash nor another process comes between. Supercases are known on every shard; the member lies beside its
 * borrower.
 */

export const CONTACT_FACTS: readonly string[] = ['ContactAdded', 'ContactUpdated'];

type ContactFacts = Readonly<Record<string, { readonly contact: RecordedContact }>>;

/** There is one primary home: the newest that is written is the one. */
export function membersOfNewHome({ env, state: person }: CommandContext<PersonState>, facts: readonly FactDraft[]): readonly FactDraft[] {
  const contacts = facts
    .flatMap((draft) => CONTACT_FACTS.flatMap((type) => bodiesOf<ContactFacts, string>([draft], type)))
    .map(({ contact }) => contact);
  const moved = contacts.findLast(isValidHome);
  if (moved === undefined || !isPolicyOn(env) || !isWatched(person)) return [];
  const home = addressOf(env, person, moved);
  return home === null ? [] : matchedNow(env, { personId: person.id, home, loanIds: loansToMatch(env, person.id) });
}

/** What brings a loan into servicing. */
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

/** How long new borrowers are matched where the incident has no end yet. */
const MONITORED_DAYS = 90;

/** Longest name of a supercase. */
const NAME_LENGTH = 128;

/**
 * `POST /monitoring/disasters`. With the company's policy on, the first telling makes the supercase and orders the search for its
 * borrowers, once for each number; one that says something else changes both; the same one changes nothing.
 */
export const feedDisaster: CommandSpec<CompanyState> = {
  kind: 'company',
  type: 'disaster.feed',
  place: { on: 'target' },
  catchUpFirst: false,
  decide(context) {
    const { state, body } = context;
    const { femaDisasterNumber } = body as DisasterBody;
    const known = [...recordsOf(state, DISASTER.type).values()].find(
      ({ stored }) => (stored as Disaster).femaDisasterNumber === femaDisasterNumber,
    ) as ResourceRecord<Disaster> | undefined;
    return known ? toldAgain(context, known) : toldFirst(context);
  },
};

function toldFirst(context: CommandContext<CompanyState>): Decision<CompanyState> {
  const { state, body, env } = context;
  const supercaseId = state.profile?.femaPolicy ? env.newId('SC') : null;
  const disaster: Disaster = { ...disasterOf(body as DisasterBody, env), supercaseId };
  const decision = createRecord(DECLARATION, context, () => disaster);
  return supercaseId === null ? decision : matched(context, decision, opened(env, state, disaster, supercaseId));
}

function toldAgain(context: CommandContext<CompanyState>, known: ResourceRecord<Disaster>): Decision<CompanyState> {
  const { state, body, env } = context;
  const before = known.stored;
  const isFirst = before.supercaseId == null && state.profile?.femaPolicy === true;
  const supercaseId = isFirst ? env.newId('SC') : (before.supercaseId ?? null);
  const disaster: Disaster = { ...disasterOf(body as DisasterBody, env, before), supercaseId };
  const isSame = JSON.stringify({ ...before, supercaseId: before.supercaseId ?? null }) === JSON.stringify(disaster);
  const decision: Decision<CompanyState> = {
    facts: isSame ? [] : [changed(DISASTER.type, known, disaster)],
    reply: (after) => ({ data: replyOf(DECLARATION, after, recordsOf(after, DISASTER.type).get(known.id)) }),
  };
  if (isSame || supercaseId === null) return decision;
  return matched(context, decision, isFirst ? opened(env, state, disaster, supercaseId) : retold(context, before, disaster, supercaseId));
}

/** The facts of a supercase behind those of the declaration, in one batch; where a search is ordered the reply names its operation. */
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
 * What people have changed of the supercase stays: only a description and an end of monitoring that came from the declaration go with it.
 */
function retold(
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
