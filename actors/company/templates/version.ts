import type { tags } from 'typia';
import {
  type Channel,
  MESSAGE_PARTS,
  type MessagePart,
  must,
  parseTemplate,
  type References,
  referencesOf,
  type Template,
  TemplateError,
} from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { ActorView } from '../../kernel/actor-logic.js';
import type { Agent } from '../../kernel/fact.js';
import { BoundedMap } from '../../kernel/lists/bounded-map.js';
import { recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import type { AnyId, DateTimeText } from '../../wire.js';
import { type TemplateDescriptor, templateDescriptorsOf } from './descriptor.js';

/** The content of a message, by its parts. */
export interface TemplateContent {
  readonly subjectLineTemplate: string | null;
  readonly contentTextTemplate: string | null;
  readonly contentHtmlTemplate: string | null;
}

export interface TemplateVersion extends TemplateContent {
  readonly description: string | null;
  readonly createdBy: Agent;
  /** When the version became active for the first time, in milliseconds of the company's clock. Null for a draft. */
  readonly activatedAt: number | null;
  /** What it said before each change while it was in use, oldest first: documents that were made of it stay as they were. */
  readonly former?: readonly FormerContent[];
}

interface FormerContent extends TemplateContent {
  /** Company's clock in milliseconds. */
  readonly until: number;
}

/** The version with what it said at a moment, in milliseconds. */
export function asItWas(version: VersionRecord, at: number): VersionRecord {
  const former = version.stored.former?.find(({ until }) => at < until);
  return former === undefined ? version : { ...version, stored: { ...version.stored, ...former } };
}

/** The former contents of a version with what is being changed. Throws 422 once there are too many. */
export function formerOf(before: TemplateVersion, now: number): readonly FormerContent[] {
  const { former = [], activatedAt, subjectLineTemplate, contentTextTemplate, contentHtmlTemplate } = before;
  if (activatedAt === null) return former;
  if (former.length >= MAX_FORMER)
    refuse('businessValidation', `A version in use is changed ${MAX_FORMER} times at most: create a new version.`);
  return [...former, { until: now, subjectLineTemplate, contentTextTemplate, contentHtmlTemplate }];
}

const MAX_FORMER = 100;

export const TEMPLATE_VERSION_TYPE = 'templateVersion';

export type VersionRecord = ResourceRecord<TemplateVersion>;

type Versions = ReadonlyMap<string, VersionRecord>;

/** Versions of all descriptors, in the order of their creation; `parentId` is the descriptor. */
export const templateVersionsOf = (host: ResourceHost): Versions => recordsOf(host, TEMPLATE_VERSION_TYPE);

/** The descriptor of an id, which may also be that of one of its versions. */
export const descriptorNamed = (host: ResourceHost, id: string): TemplateDescriptor | undefined =>
  templateDescriptorsOf(host).get(templateVersionsOf(host).get(id)?.parentId ?? id)?.stored;

export type TemplateVersionStatus = 'draft' | 'active' | 'retired';

export interface TemplateVersionBody {
  /** One line. */
  readonly subjectLineTemplate?: (string & tags.MinLength<1> & tags.MaxLength<1000>) | null;
  readonly contentTextTemplate?: (string & tags.MinLength<1> & tags.MaxLength<200000>) | null;
  readonly contentHtmlTemplate?: (string & tags.MinLength<1> & tags.MaxLength<200000>) | null;
  readonly description?: (string & tags.MaxLength<500>) | null;
}

export interface TemplateVersionListQuery extends PageQuery {
  readonly status?: TemplateVersionStatus;
}

export interface AllTemplateVersionsQuery extends TemplateVersionListQuery {
  readonly descriptorId?: AnyId;
}

export interface TemplateVersionView extends TemplateContent {
  readonly id: string;
  readonly object: 'templateVersion';
  readonly companyId: string;
  readonly descriptorId: string;
  readonly status: TemplateVersionStatus;
  readonly description: string | null;
  readonly createdBy: ActorView;
  readonly activatedAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** The result of validating a version. */
export interface TemplateValidation {
  readonly valid: boolean;
  readonly errors: readonly TemplateFault[];
  /** The variables that its parts read, such as `loan.displayId`. */
  readonly variables: readonly string[];
  /** Rules about words that would stop it for some recipients. */
  readonly warnings: readonly TemplateWarning[];
}

interface TemplateWarning {
  readonly ruleId: string;
  readonly ruleCode: string;
  /** The rule, its law and the words in question. */
  readonly message: string;
  /** Recipients of these kinds. */
  readonly when: string | null;
}

interface TemplateFault {
  readonly part: keyof TemplateContent;
  readonly line: number;
  readonly message: string;
}

export type Part = MessagePart;

interface ReadPart {
  readonly template: Template;
  readonly references: References;
}

/** A parsed part of a version, undefined if the version lacks it. Records are replaced and never changed, so each is parsed once. */
export function readPart(content: TemplateContent, part: Part): ReadPart | undefined {
  const text = content[part];
  if (text === null) return undefined;
  const known = readParts.get(content) ?? new Map<Part, ReadPart>();
  readParts.set(content, known);
  const read = known.get(part) ?? readText(text);
  known.set(part, read);
  return read;
}

const readParts = new WeakMap<TemplateContent, Map<Part, ReadPart>>();

/**
 * The texts that were read last, with what is wrong with them. A request reads a text several times, for its faults and its variables, and
 * the largest take some tens of milliseconds of the thread that serves all others.
 */
const lastRead = new BoundedMap<string, ReadPart | TemplateError>(8);

function readText(text: string): ReadPart {
  const known = lastRead.renew(text) ?? parsed(text);
  lastRead.set(text, known);
  if (known instanceof TemplateError) throw known;
  return known;
}

function parsed(text: string): ReadPart | TemplateError {
  try {
    const template = parseTemplate(text);
    return { template, references: referencesOf(template) };
  } catch (cause) {
    if (cause instanceof TemplateError) return cause;
    throw cause;
  }
}

/** The parts that a version needs to become active: all parts of at least one list. */
const NEEDED: Readonly<Record<Channel, readonly (readonly Part[])[]>> = {
  email: [['subjectLineTemplate', 'contentHtmlTemplate']],
  mail: [['contentHtmlTemplate']],
  gui: [['contentHtmlTemplate']],
  document: [['contentHtmlTemplate']],
  text: [['contentTextTemplate']],
  voice: [['contentTextTemplate']],
  chat: [['contentTextTemplate']],
  fax: [['contentHtmlTemplate'], ['contentTextTemplate']],
};

/** A fragment for all channels needs only one kind of content. */
const OF_NO_CHANNEL: readonly (readonly Part[])[] = [['contentHtmlTemplate'], ['contentTextTemplate']];

/** The parts that a content lacks to be active in a channel. */
function lackingParts(content: TemplateContent, channel: Channel | null): readonly Part[] {
  const ways = (channel === null ? OF_NO_CHANNEL : NEEDED[channel]).map((way) => way.filter((part) => content[part] === null));
  return ways.some((lacking) => lacking.length === 0) ? [] : must(ways[0], 'a channel needs something');
}

export function refuseLacking(content: TemplateContent, channel: Channel | null): void {
  const errors = lackingParts(content, channel).map(
    (path): Fault => ({ path, expected: 'a template', message: `is required to activate a version for ${channel ?? 'no channel'}` }),
  );
  if (errors.length > 0) refuse('businessValidation', 'The version is not complete: see `errors`.', { errors });
}

/** Refuses a content with syntax errors, and lists their lines. */
export function refuseFaulty(content: TemplateContent): void {
  const errors = faultsOf(content).map(
    ({ part, line, message }): Fault => ({ path: part, expected: 'a valid template', message: `line ${line}: ${message}` }),
  );
  if (errors.length > 0) refuse('validationError', 'The template is not valid: see `errors`.', { errors });
}

function faultsOf(content: TemplateContent): readonly TemplateFault[] {
  return MESSAGE_PARTS.flatMap((part) => {
    const text = content[part];
    if (text === null) return [];
    const fault = faultOf(text);
    if (fault !== null) return [{ part, ...fault }];
    return part === 'subjectLineTemplate' && /[\r\n]/.test(text) ? [{ part, line: 1, message: 'A subject line must have one line.' }] : [];
  });
}

function faultOf(text: string): { readonly line: number; readonly message: string } | null {
  try {
    readText(text);
    return null;
  } catch (cause) {
    if (cause instanceof TemplateError) return { line: cause.line, message: cause.message };
    throw cause;
  }
}

/** `isThere`: whether a template can be included in a part. */
export function validationOf(
  content: TemplateContent,
  isThere: (part: Part, name: string) => boolean,
): Omit<TemplateValidation, 'warnings'> {
  const faults = faultsOf(content);
  const faulty = new Set(faults.map(({ part }) => part));
  const variables = new Set<string>();
  const missing = MESSAGE_PARTS.flatMap((part): readonly TemplateFault[] => {
    const text = content[part];
    if (text === null || faulty.has(part)) return [];
    const { references } = readText(text);
    for (const variable of references.variables) variables.add(variable);
    return references.templates
      .filter((name) => !isThere(part, name))
      .map((name) => ({ part, line: 1, message: `There is no active template ${name} to include.` }));
  });
  const errors = [...faults, ...missing];
  return { valid: errors.length === 0, errors, variables: [...variables].sort() };
}
