import { must } from '../../../../engine/index.js';
import { refuse, Refusal } from '../../../errors.js';
import type { Agent } from '../../fact.js';
import { findRecord, type ResourceHost, type ResourceRecord } from '../declaration.js';
import { VERSION_CHART, type VersionStatus } from './machine.js';

/** A type as the company keeps it: all its versions, the oldest first. An id names the line, a number the version. */
export interface TypeLine<Fields> {
  readonly versions: readonly TypeVersion<Fields>[];
}

export interface TypeVersion<Fields> extends VersionText {
  /** From 1. */
  readonly version: number;
  readonly status: VersionStatus;
  /** The type that it was copied from: its own line, for later versions. */
  readonly derivedFromTypeId: string | null;
  readonly fields: Fields;
  /** Company's clock in milliseconds. */
  readonly createdAt: number;
  readonly createdBy: Agent;
  readonly updatedAt: number | null;
  readonly publishedAt: number | null;
  readonly publishedBy: Agent | null;
  readonly deprecatedAt: number | null;
  readonly deprecatedBy: Agent | null;
  readonly deprecationMessage: string | null;
}

export interface VersionText {
  /** The default name of what is made of it. */
  readonly name: string;
  readonly description: string;
}

/** When and by whom a version is changed. */
export interface By {
  readonly at: number;
  readonly agent: Agent;
}

/** Versions of one type: each is kept as long as the company, and all lie in one record. */
const MAX_VERSIONS = 200;

type Line<Fields> = TypeLine<Fields>;

export const newestOf = <Fields>({ versions }: Line<Fields>): TypeVersion<Fields> => must(versions.at(-1), 'a type has a version');

export const activeOf = <Fields>({ versions }: Line<Fields>): TypeVersion<Fields> | undefined =>
  versions.find(({ status }) => status === 'active');

/** The version that is meant where none is named. */
export const shownOf = <Fields>(line: Line<Fields>): TypeVersion<Fields> => activeOf(line) ?? newestOf(line);

export function versionOf<Fields>({ versions }: Line<Fields>, number: number): TypeVersion<Fields> {
  return versions.find(({ version }) => version === number) ?? refuse('notFound', `There is no version ${number}.`);
}

/** A first version, or the next of a line: a draft. */
export function withNext<Fields>(
  line: Line<Fields>,
  text: VersionText,
  fields: Fields,
  derivedFromTypeId: string | null,
  { at, agent }: By,
): Line<Fields> {
  const version = (line.versions.at(-1)?.version ?? 0) + 1;
  if (line.versions.length >= MAX_VERSIONS) refuse('businessValidation', `A type has ${MAX_VERSIONS} versions at most.`);
  const next: TypeVersion<Fields> = {
    ...text,
    version,
    status: 'draft',
    derivedFromTypeId,
    fields,
    createdAt: at,
    createdBy: agent,
    updatedAt: null,
    publishedAt: null,
    publishedBy: null,
    deprecatedAt: null,
    deprecatedBy: null,
    deprecationMessage: null,
  };
  return { versions: [...line.versions, next] };
}

export function withChanged<Fields>(line: Line<Fields>, number: number, change: Partial<TypeVersion<Fields>>, { at }: By): Line<Fields> {
  return { versions: line.versions.map((version) => (version.version === number ? { ...version, ...change, updatedAt: at } : version)) };
}

/** Publishes a draft; the version that was active until then is deprecated. */
export function withPublished<Fields>(line: Line<Fields>, number: number, by: By): Line<Fields> {
  const { status } = versionOf(line, number);
  assertMay(status, 'publish');
  const active = activeOf(line);
  const replaced = active === undefined ? line : withDeprecated(line, active.version, null, by);
  return withChanged(replaced, number, { status: VERSION_CHART.after(status, 'publish'), publishedAt: by.at, publishedBy: by.agent }, by);
}

export function withDeprecated<Fields>(line: Line<Fields>, number: number, deprecationMessage: string | null, by: By): Line<Fields> {
  const { status } = versionOf(line, number);
  assertMay(status, 'deprecate');
  return withChanged(
    line,
    number,
    { status: VERSION_CHART.after(status, 'deprecate'), deprecatedAt: by.at, deprecatedBy: by.agent, deprecationMessage },
    by,
  );
}

/** Takes a draft away; undefined when nothing is left. */
export function withoutDraft<Fields>(line: Line<Fields>, number: number): Line<Fields> | undefined {
  assertMay(versionOf(line, number).status, 'delete');
  const versions = line.versions.filter(({ version }) => version !== number);
  return versions.length === 0 ? undefined : { versions };
}

function assertMay(status: VersionStatus, move: 'publish' | 'deprecate' | 'delete'): void {
  if (VERSION_CHART.allows(status, move)) return;
  throw new Refusal(
    move === 'delete' ? 'invalidState' : 'invalidTransition',
    `A version that is ${status === 'active' ? 'published' : status} cannot be ${PARTICIPLES[move]}.`,
  );
}

const PARTICIPLES = { publish: 'published', deprecate: 'deprecated', delete: 'deleted' } as const;

/** A type and the version that is meant: the named one, or the active one. Undefined where there is none. */
export function findVersion<Fields>(
  host: ResourceHost,
  type: string,
  id: string,
  number?: number,
): { readonly record: ResourceRecord<TypeLine<Fields>>; readonly version: TypeVersion<Fields> } | undefined {
  const record = findRecord<TypeLine<Fields>>(host, { type, unique: [] }, id);
  const version = record && (number === undefined ? activeOf(record.stored) : record.stored.versions.find((one) => one.version === number));
  return record && version && { record, version };
}
