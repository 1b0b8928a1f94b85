import type { tags } from 'typia';
import { formatDay } from '../../engine/index.js';
import type { Declaration } from '../kernel/resources/index.js';
import { refuseProperty } from '../errors.js';
import type { OffsetQuery } from '../page.js';
import type { DecideEnv } from '../kernel/actor.js';
import type { AnyId, DateText, DateTimeText, ShortText, Text } from '../wire.js';
import { zoneOf } from './directory.js';
import type { CompanyState } from './state.js';

/** A disaster that the federal agency has declared. */
export interface Disaster {
  readonly femaDisasterNumber: number;
  readonly description: string | null;
  readonly incidentType: string | null;
  readonly declarationDate: string;
  readonly impactedAreas: readonly ImpactedArea[];
  readonly programs: readonly string[];
  readonly incidentBeginDate: string | null;
  /** Null while it goes on. */
  readonly incidentEndDate: string | null;
  /** Made by itself when the company's policy is on; null while it was off. Records from before it was kept lack it. */
  readonly supercaseId?: string | null;
}

interface ImpactedArea {
  readonly id: string;
  readonly state: string;
  readonly county: string | null;
  readonly fipsCode: string | null;
}

export interface DisasterBody {
  readonly femaDisasterNumber: number & tags.Type<'uint32'> & tags.Minimum<1>;
  readonly description?: Text | null;
  readonly incidentType?: ShortText | null;
  readonly declarationDate: DateText;
  readonly impactedAreas: readonly {
    readonly state: string & tags.Pattern<'^[A-Z]{2}$'>;
    readonly county?: ShortText | null;
    readonly fipsCode?: (string & tags.Pattern<'^\\d{5}$'>) | null;
  }[] &
    tags.MinItems<1> &
    tags.MaxItems<4000>;
  readonly programs?: readonly ShortText[] & tags.MaxItems<100>;
  readonly incidentBeginDate?: DateText | null;
  readonly incidentEndDate?: DateText | null;
}

export interface DisasterListQuery extends OffsetQuery {
  readonly state?: string & tags.Pattern<'^[A-Z]{2}$'>;
  /** Those that have not ended. */
  readonly activeOnly?: boolean;
}

export interface DisasterView extends Disaster {
  readonly supercaseId: AnyId | null;
  /** Where its borrowers were looked for with this telling. */
  readonly operationId?: string;
  readonly id: string;
  readonly object: 'disaster';
  readonly companyId: AnyId;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const TYPE = 'disaster';

export const DISASTER: Declaration<DisasterBody, DisasterBody, Disaster, CompanyState> = {
  type: TYPE,
  prefix: 'FE',
  param: 'disasterId',
  unique: [{ name: 'femaDisasterNumber', of: ({ femaDisasterNumber }) => String(femaDisasterNumber) }],
  create: (body, { env }) => disasterOf(body, env),
  change: (before, body, { env }) => disasterOf(body, env, before),
  matches({ stored: { impactedAreas, incidentEndDate } }, query, host, env) {
    const { state, activeOnly = false } = query as DisasterListQuery;
    if (state !== undefined && !impactedAreas.some((area) => area.state === state)) return false;
    return !activeOnly || incidentEndDate === null || incidentEndDate >= formatDay(env.today(zoneOf(host)));
  },
  view: (stored) => ({ ...stored, supercaseId: stored.supercaseId ?? null }),
};

/** What a declaration says. Areas that an earlier telling named keep their ids. */
export function disasterOf(body: DisasterBody, env: Pick<DecideEnv, 'newId'>, before?: Disaster): Disaster {
  const { incidentBeginDate = null, incidentEndDate = null } = body;
  if (incidentBeginDate !== null && incidentEndDate !== null && incidentEndDate < incidentBeginDate) {
    refuseProperty('incidentEndDate', 'a date from incidentBeginDate on', 'The incident ends before it begins.');
  }
  const known = new Map(before?.impactedAreas.map((area) => [keyOf(area), area.id]));
  return {
    femaDisasterNumber: body.femaDisasterNumber,
    description: body.description ?? null,
    incidentType: body.incidentType ?? null,
    declarationDate: body.declarationDate,
    impactedAreas: body.impactedAreas.map(({ state, county = null, fipsCode = null }) => ({
      id: known.get(keyOf({ state, county, fipsCode })) ?? env.newId('FD'),
      state,
      county,
      fipsCode,
    })),
    programs: body.programs ?? [],
    incidentBeginDate,
    incidentEndDate,
    supercaseId: before?.supercaseId ?? null,
  };
}

const keyOf = ({ state, county, fipsCode }: Omit<ImpactedArea, 'id'>): string => JSON.stringify([state, county, fipsCode]);
