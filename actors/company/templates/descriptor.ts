import type { tags } from 'typia';
import type { Channel } from '../../../engine/index.js';
import { type ResourceHost, type ResourceRecord, recordsOf } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../page.js';
import type { AnyId, DateTimeText } from '../../wire.js';

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
export const templateDescriptorsOf = (host: ResourceHost): Descriptors => recordsOf(host, TEMPLATE_DESCRIPTOR_TYPE) as Descriptors;

type TemplateSubject = string & tags.Pattern<'^[a-z][A-Za-z0-9]{1,63}$'>;
export type TemplateLanguage = string & tags.Pattern<'^[a-z]{2}$'>;

interface FieldsBody {
  readonly language?: TemplateLanguage;
  readonly productId?: AnyId | null;
  readonly sensitive?: boolean;
  readonly legallyRequired?: boolean;
  readonly enabled?: boolean;
  readonly name?: (string & tags.MinLength<1> & tags.MaxLength<100>) | null;
}

export interface TemplateDescriptorCreateBody extends FieldsBody {
  readonly subject: TemplateSubject;
  readonly channel: Channel | null;
}

export interface TemplateDescriptorUpdateBody extends FieldsBody {
  readonly subject?: TemplateSubject;
  readonly channel?: Channel | null;
  /** Another one is activated, null ends what is active. */
  readonly activeVersionId?: AnyId | null;
}

export interface TemplateDescriptorListQuery extends PageQuery {
  /** Only the caller's own has any. */
  readonly companyId?: AnyId;
  readonly subject?: string;
  readonly channel?: Channel;
  readonly productId?: AnyId;
  readonly language?: TemplateLanguage;
  readonly enabled?: boolean;
}

export interface TemplateDescriptorView extends Omit<TemplateDescriptor, 'wasActivated'> {
  readonly id: string;
  readonly object: 'templateDescriptor';
  readonly companyId: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
