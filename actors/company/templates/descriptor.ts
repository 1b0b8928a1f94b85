import type { Channel } from '../../../engine/index.js';
import { recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';

/** What a template is for. Its content lies in versions, of which one at most is active. */
export interface TemplateDescriptor {
  /** A subject of interactions, or the name of a fragment that others include. */
  readonly subject: string;
  /** Null: of no channel; a fragment that templates of all channels include. */
  readonly channel: Channel | null;
  readonly language: string;
  /** Null = all loan types. */
  readonly productId: string | null;
  readonly activeVersionId: string | null;
  /** From the first activation on it is for what it is for. */
  readonly wasActivated: boolean;
  /** Interactions sent from it are sensitive. */
  readonly sensitive: boolean;
  /** The law asks for the message: it passes where others are held back. */
  readonly legallyRequired: boolean;
  readonly enabled: boolean;
  readonly name: string | null;
}

export const TEMPLATE_DESCRIPTOR_TYPE = 'templateDescriptor';

export type DescriptorRecord = ResourceRecord<TemplateDescriptor>;

type Descriptors = ReadonlyMap<string, DescriptorRecord>;

/** In the order of their making. */
export const templateDescriptorsOf = (host: ResourceHost): Descriptors => recordsOf(host, TEMPLATE_DESCRIPTOR_TYPE);
