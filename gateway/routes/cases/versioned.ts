import typia from 'typia';
import type { VersionedCreateQuery, VersionQuery } from '../../../actors/index.js';
import type { Checked } from '../../routing/faults.js';
import type { SchemaCollection } from '../../routing/schema.js';
import { defineRoute, type Route } from '../../routing/route.js';

/** The five routes of a declared resource with versions (see actors/kernel/resources/versions). */
export interface VersionedRoutes<Query, Create, Update> {
  /** The type of the declaration: `caseType`. */
  readonly type: string;
  /** `CaseType`, for the names of the operations. */
  readonly name: string;
  /** `case type`, for the summaries. */
  readonly noun: string;
  readonly path: string;
  readonly param: string;
  readonly tags: readonly string[];
  /** The resource of its permissions: `casetype`. */
  readonly resource: string;
  readonly query: Checked<Query>;
  readonly create: Checked<Create>;
  readonly update: Checked<Update>;
  readonly reply: SchemaCollection;
  readonly listReply: SchemaCollection;
}

const versionQuery: Checked<VersionQuery> = {
  validate: typia.misc.createValidatePrune<VersionQuery>(),
  schemas: typia.json.schemas<[VersionQuery], '3.1'>(),
};
const createQuery: Checked<VersionedCreateQuery> = {
  validate: typia.misc.createValidatePrune<VersionedCreateQuery>(),
  schemas: typia.json.schemas<[VersionedCreateQuery], '3.1'>(),
};

export function versionedRoutes<Query, Create, Update>(declared: VersionedRoutes<Query, Create, Update>): Route[] {
  const { type, name, noun, path, tags, resource, reply } = declared;
  const own = `${path}/{${declared.param}}`;
  return [
    defineRoute({
      method: 'GET',
      path,
      operation: `list${name}s`,
      summary: `List ${noun}s`,
      tags,
      permission: `${resource}:read`,
      envelope: 'list',
      query: declared.query,
      reply: declared.listReply,
      handle: (call) => call.read(`${type}.list`, call.caller.company),
    }),
    defineRoute({
      method: 'POST',
      path,
      operation: `create${name}`,
      summary: `Create a ${noun}, or the next version of one`,
      tags,
      permission: `${resource}:create`,
      query: createQuery,
      body: declared.create,
      reply,
      handle: (call) => call.command(`${type}.create`, call.caller.company),
    }),
    defineRoute({
      method: 'GET',
      path: own,
      operation: `get${name}`,
      summary: `Get a ${noun} in one version`,
      tags,
      permission: `${resource}:read`,
      query: versionQuery,
      reply,
      handle: (call) => call.read(`${type}.get`, call.caller.company),
    }),
    defineRoute({
      method: 'PUT',
      path: own,
      operation: `update${name}`,
      summary: `Update a draft of a ${noun}, or create, publish or deprecate a version`,
      tags,
      permission: `${resource}:update`,
      query: versionQuery,
      body: declared.update,
      reply,
      handle: (call) => call.command(`${type}.update`, call.caller.company),
    }),
    defineRoute({
      method: 'DELETE',
      path: own,
      operation: `delete${name}`,
      summary: `Delete a draft of a ${noun}`,
      tags,
      permission: `${resource}:update`,
      query: versionQuery,
      handle: (call) => call.command(`${type}.delete`, call.caller.company),
    }),
  ];
}
