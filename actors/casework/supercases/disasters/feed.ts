import { addDays, formatDay, startOfDay } from '../../../../engine/index.js';
import { type CompanyState, DISASTER, type Disaster, type DisasterBody, disasterOf, zoneOf } from '../../../company/index.js';
import { changed, createRecord, type Declaration, recordsOf, replyOf, type ResourceRecord } from '../../../kernel/resources/index.js';
import type { CommandContext, CommandSpec, Decision, DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { operationIdOf } from '../../../kernel/jobs/operations.js';
import { dayOfText, orNull } from '../../../wire.js';
import { NO_FIELDS } from '../decide.js';
import { fact } from '../context.js';
import { isReachable, type SupercaseFields, type SupercaseState } from '../state.js';
import { isClosed } from '../../cases/index.js';
import { drafted, gatheringOf, matchingOrdered } from './gathering.js';

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
