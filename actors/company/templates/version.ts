import type { tags } from 'typia';
import { type ResourceHost, type ResourceRecord, recordsOf } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../page.js';
import type { ActorView } from '../../kernel/actor-view.js';
import type { Agent } from '../../kernel/fact.js';
import type { AnyId, DateTimeText } from '../../wire.js';

/** What a message says, by its parts. */
export interface TemplateContent {
  readonly subjectLineTemplate: string | null;
  readonly contentTextTemplate: string | null;
  readonly contentHtmlTemplate: string | null;
}

export interface TemplateVersion extends TemplateContent {
  readonly description: string | null;
  readonly createdBy: Agent;
  /** When it became active for the first time; company's clock in milliseconds. Null of a draft. */
  readonly activatedAt: number | null;
}

export const TEMPLATE_VERSION_TYPE = 'templateVersion';

export type VersionRecord = ResourceRecord<TemplateVersion>;

type Versions = ReadonlyMap<string, VersionRecord>;

/** Of all descriptors, in the order of their making; `parentId` is the descriptor. */
export const templateVersionsOf = (host: ResourceHost): Versions => recordsOf(host, TEMPLATE_VERSION_TYPE) as Versions;

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

/** Of one version. */
export interface TemplateValidation {
  readonly valid: boolean;
  readonly errors: readonly TemplateFault[];
  /** What its parts read of the context: `loan.displayId`. */
  readonly variables: readonly string[];
}

export interface TemplateFault {
  readonly part: keyof TemplateContent;
  readonly line: number;
  readonly message: string;
}
