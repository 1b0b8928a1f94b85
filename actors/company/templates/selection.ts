import type { Channel, Template } from '../../../engine/index.js';
import type { ResourceHost } from '../../declared/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import { type Part, readPart } from './content.js';
import { type DescriptorRecord, templateDescriptorsOf } from './descriptor.js';
import { templateVersionsOf, type VersionRecord } from './version.js';

/** What a message is to be rendered for. */
export interface TemplateWanted {
  readonly subject: string;
  /** Undefined where every channel will do. */
  readonly channel: Channel | null | undefined;
  /** Of the loan's loan type. */
  readonly productId: string | null;
  /** The borrower's; null = English. */
  readonly language: string | null;
}

/** A version with what it is for. */
export interface ChosenTemplate {
  readonly descriptor: DescriptorRecord;
  readonly version: VersionRecord;
}

/** `missing`: no descriptor is for this. `disabled`: there is one that nothing is sent from. `inactive`: none has an active version. */
export type NoTemplate = 'missing' | 'disabled' | 'inactive';

const DEFAULT_LANGUAGE = 'en';

/**
 * The template of a message (communications 3.4): that of the loan's own loan type before one for all, that in the borrower's language before the
 * English one, then the lowest id.
 */
export function chooseTemplate(host: ResourceHost, wanted: TemplateWanted): ChosenTemplate | NoTemplate {
  const fitting = [...templateDescriptorsOf(host).values()].filter((descriptor) => isFor(descriptor, wanted));
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

function isFor({ stored }: DescriptorRecord, { subject, channel, productId, language }: TemplateWanted): boolean {
  return (
    stored.subject === subject &&
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
 * The template that a request names instead (`useTemplate`, `overrideTemplateId`): a version, or the active one of a descriptor. 404 for an unknown
 * id, 400 for one of another channel. Whether it is enabled, and more than a draft, is the caller's to ask.
 */
export function templateNamed(host: ResourceHost, id: string, channel: Channel, path: string): ChosenTemplate | 'inactive' {
  const version = templateVersionsOf(host).get(id);
  const descriptor = templateDescriptorsOf(host).get(version?.parentId ?? id) ?? refuse('notFound', `There is no template ${id}.`);
  if (descriptor.stored.channel !== channel) refuseProperty(path, `a template for ${channel}`, `The template ${id} is not for ${channel}.`);
  return version ? { descriptor, version } : (withVersion(host, descriptor) ?? 'inactive');
}

/** The templates that a chosen one includes or extends: those of the same channel, else of none, for the same loan type and language. */
export function fragmentsOf(
  host: ResourceHost,
  { descriptor }: Pick<ChosenTemplate, 'descriptor'>,
  part: Part,
): (subject: string) => Template | undefined {
  const read = new Map<string, Template | undefined>();
  const { channel, productId, language } = descriptor.stored;
  const find = (subject: string): Template | undefined => {
    const own = chooseTemplate(host, { subject, channel, productId, language });
    const chosen =
      typeof own === 'string' && channel !== null ? chooseTemplate(host, { subject, channel: null, productId, language }) : own;
    return typeof chosen === 'string' ? undefined : readPart(chosen.version.stored, part)?.template;
  };
  return (subject) => {
    if (!read.has(subject)) read.set(subject, find(subject));
    return read.get(subject);
  };
}
