import {
  type Channel,
  MESSAGE_PARTS,
  type MessageTemplates,
  type MessageTexts,
  type Template,
  TemplateError,
} from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { ResourceHost } from '../../kernel/resources/index.js';
import { type DescriptorRecord, templateDescriptorsOf } from './descriptor.js';
import { type Part, readPart, templateVersionsOf, type VersionRecord } from './version.js';

/** The message for which a template is wanted. */
export interface TemplateWanted {
  readonly subject: string;
  /** Undefined = any channel. */
  readonly channel: Channel | null | undefined;
  /** The loan type of the loan. */
  readonly productId: string | null;
  /** The borrower's language; null = English. */
  readonly language: string | null;
}

/** A version with its descriptor. */
export interface ChosenTemplate {
  readonly descriptor: DescriptorRecord;
  readonly version: VersionRecord;
}

/** `missing`: no descriptor fits. `disabled`: the one that fits is disabled. `inactive`: none that fits has an active version. */
export type NoTemplate = 'missing' | 'disabled' | 'inactive';

const DEFAULT_LANGUAGE = 'en';

/**
 * The template of a message. A template of the loan's loan type comes before one for all, one in the borrower's language
 * before an English one, then the lowest id decides.
 */
export function chooseTemplate(host: ResourceHost, wanted: TemplateWanted): ChosenTemplate | NoTemplate {
  const fitting = ofSubject(templateDescriptorsOf(host), wanted.subject).filter((descriptor) => isFor(descriptor, wanted));
  if (fitting.length === 0) return 'missing';
  const enabled = fitting.filter(({ stored }) => stored.enabled);
  if (enabled.length === 0) return 'disabled';
  return (
    enabled
      .sort((a, b) => orderOf(a, b, wanted))
      .map((descriptor) => withVersion(host, descriptor))
      .find((chosen) => chosen !== undefined) ?? 'inactive'
  );
}

/** Whether the lender writes messages of a subject at all: in any language, by any channel, for a loan type. */
export const isWritten = (host: ResourceHost, subject: string, productId: string | null): boolean =>
  ofSubject(templateDescriptorsOf(host), subject).some(
    (descriptor) =>
      descriptor.stored.enabled &&
      (descriptor.stored.productId === null || descriptor.stored.productId === productId) &&
      withVersion(host, descriptor) !== undefined,
  );

type Descriptors = ReturnType<typeof templateDescriptorsOf>;

/** Every payment may ask for the templates of a subject. Records and their maps are replaced, never changed: each map is sorted once. */
function ofSubject(descriptors: Descriptors, subject: string): readonly DescriptorRecord[] {
  const known = bySubject.get(descriptors);
  if (known !== undefined) return known.get(subject) ?? [];
  const sorted = new Map<string, DescriptorRecord[]>();
  for (const descriptor of descriptors.values()) {
    const of = sorted.get(descriptor.stored.subject);
    if (of === undefined) sorted.set(descriptor.stored.subject, [descriptor]);
    else of.push(descriptor);
  }
  bySubject.set(descriptors, sorted);
  return sorted.get(subject) ?? [];
}

const bySubject = new WeakMap<Descriptors, ReadonlyMap<string, readonly DescriptorRecord[]>>();

function isFor({ stored }: DescriptorRecord, { channel, productId, language }: TemplateWanted): boolean {
  return (
    (channel === undefined || stored.channel === channel) &&
    (stored.productId === null || stored.productId === productId) &&
    (stored.language === (language ?? DEFAULT_LANGUAGE) || stored.language === DEFAULT_LANGUAGE)
  );
}

function orderOf(a: DescriptorRecord, b: DescriptorRecord, { productId, language }: TemplateWanted): number {
  const isOwn = ({ stored }: DescriptorRecord): number => Number(stored.productId !== null && stored.productId === productId);
  const isSpoken = ({ stored }: DescriptorRecord): number => Number(stored.language === (language ?? DEFAULT_LANGUAGE));
  return isOwn(b) - isOwn(a) || isSpoken(b) - isSpoken(a) || (a.id < b.id ? -1 : 1);
}

function withVersion(host: ResourceHost, descriptor: DescriptorRecord): ChosenTemplate | undefined {
  const version = templateVersionsOf(host).get(descriptor.stored.activeVersionId ?? '');
  return version && { descriptor, version };
}

/**
 * The template that a request names (`useTemplate`, `overrideTemplateId`): a version, or the active version of a descriptor. Refuses
 * with 404 for an unknown id, 400 for one of another channel. The caller has to check that it is enabled and not a draft.
 */
export function templateNamed(host: ResourceHost, id: string, channel: Channel, path: string): ChosenTemplate | 'inactive' {
  const { descriptor, version } = descriptorNamed(host, id);
  if (descriptor.stored.channel !== channel) refuseProperty(path, `a template for ${channel}`, `The template ${id} is not for ${channel}.`);
  return version ? { descriptor, version } : (withVersion(host, descriptor) ?? 'inactive');
}

/** The channel of the template that a request names; null: all channels. Refuses with 404 for an unknown id. */
export const channelOfTemplate = (host: ResourceHost, id: string): Channel | null => descriptorNamed(host, id).descriptor.stored.channel;

function descriptorNamed(
  host: ResourceHost,
  id: string,
): { readonly descriptor: DescriptorRecord; readonly version: VersionRecord | undefined } {
  const version = templateVersionsOf(host).get(id);
  const descriptor = templateDescriptorsOf(host).get(version?.parentId ?? id) ?? refuse('notFound', `There is no template ${id}.`);
  return { descriptor, version };
}

/**
 * The version that a part of a chosen template includes or extends by a subject: for the same channel, else for all channels, and for
 * the same loan type and language.
 */
function includedBy(host: ResourceHost, { descriptor }: Pick<ChosenTemplate, 'descriptor'>, subject: string): VersionRecord | undefined {
  const { channel, productId, language } = descriptor.stored;
  const own = chooseTemplate(host, { subject, channel, productId, language });
  const chosen = typeof own === 'string' && channel !== null ? chooseTemplate(host, { subject, channel: null, productId, language }) : own;
  return typeof chosen === 'string' ? undefined : chosen.version;
}

/** The templates that a chosen template includes or extends, by their subjects. */
export function fragmentsOf(
  host: ResourceHost,
  template: Pick<ChosenTemplate, 'descriptor'>,
  part: Part,
): (subject: string) => Template | undefined {
  const read = new Map<string, Template | undefined>();
  return (subject) => {
    if (!read.has(subject)) {
      const version = includedBy(host, template, subject);
      read.set(subject, version && readPart(version.stored, part)?.template);
    }
    return read.get(subject);
  };
}

/** A chosen template with its parsed parts, to be rendered in this thread. */
export function templatesOf(host: ResourceHost, template: ChosenTemplate): MessageTemplates {
  const { version, descriptor } = template;
  const fragments = new Map(MESSAGE_PARTS.map((part) => [part, fragmentsOf(host, template, part)]));
  return {
    hasSubjectLine: descriptor.stored.channel === 'email',
    language: descriptor.stored.language,
    templateOf: (part) => readPart(version.stored, part)?.template,
    templateNamed: (part, name) => fragments.get(part)?.(name),
  };
}

/** A chosen template as texts, with all templates that it includes directly or indirectly. */
export function textsOf(host: ResourceHost, template: ChosenTemplate): MessageTexts {
  const { subjectLineTemplate, contentTextTemplate, contentHtmlTemplate } = template.version.stored;
  return {
    hasSubjectLine: template.descriptor.stored.channel === 'email',
    language: template.descriptor.stored.language,
    parts: { subjectLineTemplate, contentTextTemplate, contentHtmlTemplate },
    included: {
      subjectLineTemplate: includedTexts(host, template, 'subjectLineTemplate'),
      contentTextTemplate: includedTexts(host, template, 'contentTextTemplate'),
      contentHtmlTemplate: includedTexts(host, template, 'contentHtmlTemplate'),
    },
  };
}

function includedTexts(host: ResourceHost, template: ChosenTemplate, part: Part): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const waiting: VersionRecord[] = [template.version];
  for (let version = waiting.pop(); version !== undefined; version = waiting.pop())
    for (const subject of includedIn(version, part)) {
      const included = texts.has(subject) ? undefined : includedBy(host, template, subject);
      const text = included?.stored[part] ?? null;
      if (included === undefined || text === null) continue;
      texts.set(subject, text);
      waiting.push(included);
    }
  return texts;
}

/** The subjects that a part includes; none if the part cannot be parsed, which its rendering reports. */
function includedIn({ stored }: VersionRecord, part: Part): readonly string[] {
  try {
    return readPart(stored, part)?.references.templates ?? [];
  } catch (cause) {
    if (cause instanceof TemplateError) return [];
    throw cause;
  }
}
