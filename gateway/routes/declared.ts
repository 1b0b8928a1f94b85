import type { Fault } from '../../actors/index.js';
import type { Checked } from '../routing/faults.js';
import type { SchemaCollection } from '../routing/schema.js';
import { defineRoute, type Route, type SuccessStatus } from '../routing/route.js';
import { ownCompany } from './own-company.js';

/** The five routes of a declared resource of the company (see actors/kernel/resources). */
export interface DeclaredRoutes<Query, Create, Update> {
  /** The type of the declaration: `loanLabel`. */
  readonly type: string;
  /** `LoanLabel`, for the names of the operations. */
  readonly name: string;
  /** `loan label`, for the summaries. */
  readonly noun: string;
  /** Absent: the name with an `s`, as in the summaries. */
  readonly plural?: { readonly name: string; readonly noun: string };
  /** The path of the list: `/companies/{companyId}/loan-labels`. */
  readonly path: string;
  /** The path parameter of a record's id, as declared. */
  readonly param: string;
  readonly tags: readonly string[];
  readonly permissions: {
    readonly list: string;
    readonly read: string;
    readonly create: string;
    readonly update: string;
    readonly delete: string;
  };
  readonly createStatus: SuccessStatus;
  /** Absent: 200. */
  readonly deleteStatus?: SuccessStatus;
  readonly query: Checked<Query>;
  readonly create: Checked<Create>;
  /**
   * Makes the body of the command from that of a creation, with values that decisions must not compute; the other of an update. `known`:
   * reads the record as replies show it.
   */
  readonly commandBody?: (body: Create) => Promise<object>;
  readonly updateBody?: (body: Update, known: () => Promise<unknown>) => Promise<object>;
  /** As those of a route. */
  readonly faultsOf?: (accepted: Partial<Create> | Partial<Update>) => readonly Fault[];
  /** In its place for creations alone. */
  readonly newFaultsOf?: (accepted: Partial<Create>) => readonly Fault[];
  /** Absent = the resource cannot be updated. */
  readonly update?: Checked<Update>;
  /** What the creation and the update need besides their permission. */
  readonly writeDescription?: string;
  /** The query of the writes. */
  readonly writeQuery?: Checked<unknown>;
  readonly reply: SchemaCollection;
  readonly listReply: SchemaCollection;
}

export function declaredRoutes<Query, Create, Update>(declared: DeclaredRoutes<Query, Create, Update>): Route[] {
  const { type, name, noun, path, tags, permissions, reply, writeQuery, writeDescription, deleteStatus = 200 } = declared;
  const plural = declared.plural ?? { name: `${name}s`, noun: `${noun}s` };
  const written = writeQuery === undefined ? {} : { query: writeQuery };
  const checked = declared.faultsOf === undefined ? {} : { faultsOf: declared.faultsOf };
  const newChecked = declared.newFaultsOf === undefined ? checked : { faultsOf: declared.newFaultsOf };
  const described = writeDescription === undefined ? {} : { description: writeDescription };
  const own = `${path}/{${declared.param}}`;
  const routes = [
    defineRoute({
      method: 'GET',
      path,
      operation: `list${plural.name}`,
      summary: `List ${plural.noun}`,
      tags,
      permission: permissions.list,
      envelope: 'list',
      query: declared.query,
      reply: declared.listReply,
      handle: (call) => call.read(`${type}.list`, ownCompany(call)),
    }),
    defineRoute({
      method: 'POST',
      path,
      operation: `create${name}`,
      summary: `Create a ${noun}`,
      tags,
      permission: permissions.create,
      success: declared.createStatus,
      body: declared.create,
      reply,
      ...written,
      ...described,
      ...newChecked,
      handle: async (call) =>
        call.command(`${type}.create`, ownCompany(call), declared.commandBody ? { body: await declared.commandBody(call.body) } : {}),
    }),
    defineRoute({
      method: 'GET',
      path: own,
      operation: `get${name}`,
      summary: `Get a ${noun}`,
      tags,
      permission: permissions.read,
      reply,
      handle: (call) => call.read(`${type}.get`, ownCompany(call)),
    }),
    defineRoute({
      method: 'DELETE',
      path: own,
      operation: `delete${name}`,
      summary: `Delete a ${noun}`,
      tags,
      permission: permissions.delete,
      success: deleteStatus,
      ...written,
      handle: (call) => call.command(`${type}.delete`, ownCompany(call)),
    }),
  ];
  if (!declared.update) return routes;
  const update = defineRoute({
    method: 'PUT',
    path: own,
    operation: `update${name}`,
    summary: `Update a ${noun}`,
    tags,
    permission: permissions.update,
    body: declared.update,
    reply,
    ...written,
    ...described,
    ...checked,
    async handle(call) {
      const company = ownCompany(call);
      const known = async (): Promise<unknown> => (await call.read(`${type}.get`, company)).data;
      return call.command(`${type}.update`, company, declared.updateBody ? { body: await declared.updateBody(call.body, known) } : {});
    },
  });
  return [...routes, update];
}
