import type { tags } from 'typia';
import type { OffsetQuery } from '../../../list-order.js';
import type { ActorView } from '../../actor-logic.js';
import type { AnyId, DateTimeText } from '../../../wire.js';
import type { Change, ResourceHost, ResourceRecord } from '../declaration.js';
import type { TypeLine, TypeVersion, VersionStatus } from './line.js';

/** A declared resource with versions, one of them active: an object keeps the version with which it was created. */
export interface VersionedDeclaration<Create, Update, Fields, Host extends ResourceHost = ResourceHost> {
  /** The name in facts, commands and errors, and the `object` of replies. */
  readonly type: string;
  readonly prefix: string;
  /** The path parameter of a type's id. */
  readonly param: string;
  /** The fields besides name and description; throws a refusal when they contradict each other. */
  create(body: Create, at: Change<Host>): Fields;
  /** Partial update; also of a copy, whose body changes the copied fields. */
  change(before: Fields, body: Update, at: Change<Host>): Fields;
  /** Whether a version passes the list's own filters. */
  matches?(fields: Fields, query: unknown): boolean;
  view(fields: Fields, record: ResourceRecord<TypeLine<Fields>>, host: Host): object;
}

/** A declaration with its types erased. */
export type AnyVersioned = VersionedDeclaration<unknown, unknown, unknown>;

interface VersionTextBody {
  readonly name?: string & tags.MaxLength<50>;
  readonly description?: string & tags.MaxLength<500>;
}

export interface VersionedCreateBody extends VersionTextBody {
  /** `active` publishes it at once. */
  readonly status?: 'draft' | 'active';
}

export interface VersionedUpdateBody extends VersionTextBody {
  /** `active` publishes, `deprecated` ends it without a replacement. */
  readonly status?: VersionStatus;
  readonly deprecationMessage?: (string & tags.MaxLength<500>) | null;
}

type VersionNumber = number & tags.Type<'uint32'> & tags.Minimum<1>;

export interface VersionQuery {
  /** Default: reads use the active version, changes the newest one. */
  readonly version?: VersionNumber;
}

export interface VersionedCreateQuery extends VersionQuery {
  /** The type that the new version continues: it starts with the fields of the named version, or of the active one. */
  readonly typeId?: AnyId;
}

export interface VersionedListQuery extends OffsetQuery {
  /** Types with such a version, each shown by the newest of them. */
  readonly status?: VersionStatus;
  /** Also types without an active version or a draft. */
  readonly includeDeprecated?: boolean;
}

/** What all versioned types show. */
export interface VersionedView {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly description: string;
  readonly status: VersionStatus;
  readonly version: number;
  readonly derivedFromTypeId: string | null;
  readonly createdBy: ActorView;
  readonly publishedAt: DateTimeText | null;
  readonly publishedBy: ActorView | null;
  readonly deprecatedAt: DateTimeText | null;
  readonly deprecatedBy: ActorView | null;
  readonly deprecationMessage: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** One version of a type, as lists show it. */
export interface ShownVersion<Fields = unknown> {
  readonly id: string;
  readonly record: ResourceRecord<TypeLine<Fields>>;
  readonly version: TypeVersion<Fields>;
}
