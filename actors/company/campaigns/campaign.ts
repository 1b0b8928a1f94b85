import type { tags } from 'typia';
import { addDays, type Day } from '../../../engine/index.js';
import { type Fault, Refusal, refuse } from '../../errors.js';
import {
  type Change,
  changed,
  type Declaration,
  findRecord,
  recordsOf,
  type ResourceHost,
  type ResourceRecord,
} from '../../kernel/resources/index.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { PageQuery } from '../../list-order.js';
import { type AnyId, dateTimeText, type DateTimeText, type ExternalId, orNull, type Text } from '../../wire.js';
import { isPermitted } from '../../permission.js';
import { zoneOf } from '../directory.js';
import type { CompanyState } from '../state.js';
import { BULK_SENDER, bulkSendersOf } from './bulk-sender.js';
import { CONTACT_EXPORTER, contactExportersOf } from './contact-exporter.js';
import { personalColumnsOf, READ_PERSON, requirePersonalData } from './export-fields.js';
import { CAMPAIGN_TYPE, isPersonalQuery } from './in-use.js';
import { checkedSchedule, nextRunOf, firstRunDay } from './schedule.js';
import {
  keptSecret,
  MASK,
  openSecrets,
  type Sealed,
  sealedSecrets,
  type Secret,
  type Secrets,
  type SftpBody,
  type SftpAddress,
  sftpAddressOf,
  type SftpView,
  sftpView,
} from './sftp.js';

type CampaignStatus = 'active' | 'paused' | 'deleted';

/** A stored question whose answer is a list of borrowers, and the worker that gets them. */
export interface Campaign {
  readonly externalId: string | null;
  readonly name: string | null;
  readonly description: string | null;
  /** SQL over the views, or the address of a query tool: one of the two. */
  readonly query: string | null;
  readonly queryUrl: string | null;
  /** Whether the query may see names, dates of birth and the like: what its author may read. */
  readonly seesPersonalData: boolean;
  readonly schedule: string | null;
  readonly contactExporterId: string | null;
  readonly bulkSenderId: string | null;
  readonly sftpSettings: SftpAddress | null;
  readonly secrets: Sealed | null;
  readonly status: CampaignStatus;
  readonly lastRunId: string | null;
  /** The first day that may have a run by schedule. */
  readonly runsFrom: Day;
}

export type CampaignRecord = ResourceRecord<Campaign>;

/** In the order of their making. */
export const campaignsOf = (host: ResourceHost): ReadonlyMap<string, CampaignRecord> =>
  recordsOf<CampaignRecord['stored']>(host, CAMPAIGN_TYPE);

/** The campaign that an AnyId names; a deleted one is there for its runs alone. */
export const campaignOf = (host: ResourceHost, anyId: string): CampaignRecord | undefined => findRecord(host, CAMPAIGN, anyId);

type Query = string & tags.MinLength<1> & tags.MaxLength<20000>;
type Url = string & tags.Pattern<'^https?://[^\\s]+$'> & tags.MaxLength<2000>;

interface CampaignBody {
  readonly externalId?: ExternalId | null;
  readonly name?: (string & tags.MaxLength<200>) | null;
  readonly description?: Text | null;
  /** SQL over the views of `docs/views.md`, in place of `queryUrl`. */
  readonly query?: Query | null;
  readonly queryUrl?: Url | null;
  /** Write only. */
  readonly queryApiKey?: Secret | null;
  /** Five fields as of a crontab, minute and hour `P`; null: it runs by hand alone. */
  readonly schedule?: (string & tags.MaxLength<200>) | null;
  /** An exporter with columns of personal data needs the permission `person:read`, and so does a change of where its file goes. */
  readonly contactExporterId?: AnyId | null;
  readonly bulkSenderId?: AnyId | null;
  readonly sftpSettings?: SftpBody | null;
  readonly status?: 'active' | 'paused';
}

export type CampaignCreateBody = CampaignBody;
export type CampaignUpdateBody = CampaignBody;

export interface CampaignListQuery extends PageQuery {
  readonly status?: CampaignStatus;
}

export interface CampaignView {
  readonly id: string;
  readonly object: 'campaign';
  readonly companyId: string;
  readonly externalId: string | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly query: string | null;
  readonly queryUrl: string | null;
  readonly queryApiKey: string | null;
  readonly schedule: string | null;
  readonly contactExporterId: string | null;
  readonly bulkSenderId: string | null;
  readonly sftpSettings: SftpView | null;
  readonly status: CampaignStatus;
  readonly lastRunId: string | null;
  readonly nextRunAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: DateTimeText | null;
}

const NEW: Omit<Campaign, 'runsFrom'> = {
  externalId: null,
  name: null,
  description: null,
  query: null,
  queryUrl: null,
  seesPersonalData: false,
  schedule: null,
  contactExporterId: null,
  bulkSenderId: null,
  sftpSettings: null,
  secrets: null,
  status: 'active',
  lastRunId: null,
};

/** Of a company, deleted ones beside. */
const MOST_CAMPAIGNS = 1_000;

export const CAMPAIGN: Declaration<CampaignCreateBody, CampaignUpdateBody, Campaign, CompanyState> = {
  type: CAMPAIGN_TYPE,
  prefix: 'BC',
  param: 'borrowerCampaignId',
  unique: [{ name: 'externalId', of: ({ externalId, status }) => (status === 'deleted' ? null : externalId) }],
  create(body, at) {
    const living = [...campaignsOf(at.host).values()].filter(({ stored }) => stored.status !== 'deleted');
    if (living.length >= MOST_CAMPAIGNS) refuse('businessValidation', `A company has ${MOST_CAMPAIGNS} campaigns at most.`);
    return changedBy({ ...NEW, runsFrom: firstDay(at) }, body, at);
  },
  change(before, body, at) {
    refuseDeleted(before, at.id);
    const isBegun = body.schedule !== undefined || (body.status === 'active' && before.status === 'paused');
    return changedBy(isBegun ? { ...before, runsFrom: laterDay(before.runsFrom, firstDay(at)) } : before, body, at);
  },
  retire(before, { id }) {
    refuseDeleted(before, id);
    return { ...before, status: 'deleted', secrets: null };
  },
  matches({ stored }, query: CampaignListQuery) {
    const { status } = query;
    return status === undefined ? stored.status !== 'deleted' : stored.status === status;
  },
  view: (stored, { id }, host, now) => ({
    ...campaignView(stored),
    nextRunAt: stored.status === 'active' ? orNull(dateTimeText, nextRunOf(id, stored, { now, zone: zoneOf(host) })) : null,
  }),
};

const laterDay = (one: Day, other: Day): Day => (one > other ? one : other);

const firstDay = ({ id, host, env }: Change<CompanyState>): Day => firstRunDay(id, env.now, zoneOf(host));

function refuseDeleted({ status }: Campaign, id: string): void {
  if (status === 'deleted') refuse('invalidState', `The campaign ${id} was deleted.`);
}

/** A campaign as its reply shows it, without what only the record and the time say. */
export function campaignView({
  secrets,
  sftpSettings,
  seesPersonalData: _internal,
  runsFrom: _internalToo,
  ...stored
}: Campaign): Omit<CampaignView, 'id' | 'object' | 'companyId' | 'createdAt' | 'updatedAt' | 'deletedAt' | 'nextRunAt'> {
  return {
    ...stored,
    queryApiKey: secrets?.holds.includes('queryApiKey') === true ? MASK : null,
    sftpSettings: sftpView(sftpSettings, secrets),
  };
}

const given = <Value>(sent: Value | undefined, before: Value): Value => (sent === undefined ? before : sent);

function changedBy(before: Campaign, body: CampaignBody, at: Change): Campaign {
  const { env, id, command } = at;
  const secrets = changedSecrets(before, body, openSecrets(env, id, before.secrets));
  const sftp = body.sftpSettings;
  const campaign: Campaign = {
    ...before,
    externalId: given(body.externalId, before.externalId),
    name: given(body.name, before.name),
    description: given(body.description, before.description),
    query: given(body.query, before.query),
    queryUrl: given(body.queryUrl, before.queryUrl),
    seesPersonalData: body.query == null ? before.seesPersonalData : isPermitted(command.permissions, READ_PERSON),
    schedule: body.schedule === undefined ? before.schedule : orNull(checkedSchedule, body.schedule),
    contactExporterId: given(body.contactExporterId, before.contactExporterId),
    bulkSenderId: given(body.bulkSenderId, before.bulkSenderId),
    sftpSettings: sftp === undefined ? before.sftpSettings : orNull((sent) => sftpAddressOf(sent, before.sftpSettings), sftp),
    status: body.status ?? before.status,
    secrets: secrets === null ? before.secrets : sealedSecrets(env, id, secrets),
  };
  const after = { ...campaign, ...workerOf(at.host, checked(campaign)) };
  if (sftp != null || after.contactExporterId !== before.contactExporterId) requireForFile(at, after);
  return after;
}

/** Who makes a file with personal data, and where it goes, is for callers who may read the data in it. */
function requireForFile({ host, command }: Change, campaign: Campaign): void {
  const exporter = contactExportersOf(host).get(campaign.contactExporterId ?? '');
  if (exporter) requirePersonalData(command.permissions, personalColumnsOf(exporter.stored.columnSettings, isPersonalQuery(campaign)));
}

/** Null where none of them changes. */
function changedSecrets(before: Campaign, { queryApiKey, sftpSettings }: CampaignBody, known: Secrets): Secrets | null {
  if (queryApiKey === undefined && sftpSettings === undefined) return null;
  const kept = before.sftpSettings === null ? null : (known.sftpPassword ?? null);
  return {
    queryApiKey: keptSecret(queryApiKey, known.queryApiKey),
    sftpPassword: sftpSettings === undefined ? kept : sftpSettings === null ? null : keptSecret(sftpSettings.password, kept),
  };
}

function checked(campaign: Campaign): Campaign {
  const errors: Fault[] = [];
  const { query, queryUrl, contactExporterId, bulkSenderId, secrets } = campaign;
  if ((query === null) === (queryUrl === null))
    errors.push({ path: 'queryUrl', expected: 'exactly one of query and queryUrl', message: 'A campaign has exactly one query.' });
  if ((contactExporterId === null) === (bulkSenderId === null))
    errors.push({
      path: 'contactExporterId',
      expected: 'exactly one of contactExporterId and bulkSenderId',
      message: 'A campaign has exactly one worker.',
    });
  if (queryUrl === null && secrets?.holds.includes('queryApiKey') === true)
    errors.push({ path: 'queryApiKey', expected: 'no key beside query', message: 'Only a query address is asked with a key.' });
  if (errors.length > 0) throw new Refusal('validationError', errors.map(({ message }) => message).join(' '), { errors });
  return campaign;
}

/** The worker by its own id. One that is not there is 404. */
function workerOf(host: ResourceHost, { contactExporterId, bulkSenderId }: Campaign): Pick<Campaign, 'contactExporterId' | 'bulkSenderId'> {
  const named = (anyId: string | null, find: (id: string) => ResourceRecord | undefined): string | null =>
    anyId === null ? null : (find(anyId)?.id ?? refuse('notFound', `There is no campaign worker ${anyId}.`));
  return {
    contactExporterId: named(contactExporterId, (id) => contactExportersOf(host).get(id) ?? findRecord(host, CONTACT_EXPORTER, id)),
    bulkSenderId: named(bulkSenderId, (id) => bulkSendersOf(host).get(id) ?? findRecord(host, BULK_SENDER, id)),
  };
}

/** What a run changes of its campaign: null of one that was skipped, or started by hand. */
interface Ran {
  readonly runId: string | null;
  readonly scheduledOn: Day | null;
}

/** The fact that a campaign has a run, recorded beside the run. */
export const campaignRan = (campaign: CampaignRecord, { runId, scheduledOn }: Ran): FactDraft =>
  changed(CAMPAIGN_TYPE, campaign, {
    ...campaign.stored,
    lastRunId: runId ?? campaign.stored.lastRunId,
    runsFrom: scheduledOn === null ? campaign.stored.runsFrom : addDays(scheduledOn, 1),
  });
