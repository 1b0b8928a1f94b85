import { hash, randomUUID } from 'node:crypto';
import { must, ownJson } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { Cursor } from '../../list-order.js';
import { type ListResult, textOf } from '../../wire.js';
import type { CommandRequest, Outcome, QueryRequest } from '../actor.js';
import { SYSTEM_AGENT, type Tenant } from '../fact.js';

const NOTHING: ReadonlySet<string> = new Set();

/** Items that are asked for at once. */
const PAGE = 500;

interface Command {
  readonly type: string;
  readonly target: string;
  readonly body: object;
  readonly params?: Readonly<Record<string, string>>;
  /** What happens once, however often it is asked for. */
  readonly key?: string;
}

/** Where borrowers, loans and other objects of all shards are asked. */
export interface AskedEngine {
  execute(command: CommandRequest): Promise<Outcome>;
  query(request: QueryRequest): Promise<unknown>;
}

/** Asks for the service itself, which may see everything. `Result` is what the query of this type returns. */
export async function queryOf<Result>(
  asked: Pick<AskedEngine, 'query'>,
  { company, mode }: Tenant,
  request: Pick<QueryRequest, 'type' | 'target' | 'params' | 'query'>,
): Promise<Result> {
  const answer = await asked.query({ company, mode, ...request, permissions: NOTHING });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a query returns the same type for each request
  return answer as Result;
}

/** The engine of the shared shard, as work for all shards needs it: it knows the companies. */
export interface SharedEngine {
  tenants(): readonly Tenant[];
  stateOf<State>(tenant: Tenant, kind: string, id: string): State | undefined;
  /** Milliseconds of the company's clock. */
  now(tenant: Tenant): number;
  companyZone(tenant: Tenant): string;
  machineMs(): number;
}

/** What a part of the service asks of the engine for one company and mode. */
export class ServiceCalls {
  constructor(
    private readonly asked: AskedEngine,
    private readonly tenant: Tenant,
  ) {}

  async query<Result>(
    type: string,
    target: string | null,
    query: object = {},
    params: Readonly<Record<string, string>> = {},
  ): Promise<Result> {
    return queryOf(this.asked, this.tenant, { type, target, params, query });
  }

  /** All items of a list, page by page. A page begins behind the position of the last item, which may have left the list meanwhile. */
  async all<Item>(type: string, query: object): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (let startingAfter: Cursor | undefined; ; ) {
      const page = { ...query, limit: PAGE, ...(startingAfter === undefined ? {} : { startingAfter }) };
      const { items: found, hasMore, order } = await this.query<ListResult<Item>>(type, null, page);
      items.push(...found);
      if (!hasMore || found.length === 0) return items;
      startingAfter = must(order?.places.at(-1), `${type} names the positions of its items`);
    }
  }

  async command<Result>(command: Command): Promise<Result> {
    // The stored reply of a first try is text.
    return ownJson(textOf(await this.#made(command)));
  }

  /** The reply to a command without a key, as it was made and not as JSON: amounts in it are no numbers yet. */
  async replyTo<Result>(command: Omit<Command, 'key'>): Promise<Result> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a command returns the same type for each body
    return (await this.#made(command)) as Result;
  }

  async #made({ type, target, body, params = {}, key }: Command): Promise<unknown> {
    const { company, mode } = this.tenant;
    const commandId = key ?? `service-${randomUUID()}`;
    const { data } = await this.asked.execute({
      commandId,
      company,
      mode,
      type,
      target,
      params,
      body,
      actor: SYSTEM_AGENT,
      permissions: NOTHING,
      address: null,
      requestId: commandId,
      ...(key === undefined ? {} : { idempotency: { key, digest: hash('sha256', JSON.stringify(body)) } }),
    });
    return data;
  }
}

/** Whether a refusal says that the same is to be asked again later. */
export const isForNow = (cause: unknown): boolean =>
  cause instanceof Refusal &&
  (cause.statusCode >= 500 || cause.statusCode === 429 || cause.errorType === 'idempotencyInProgress' || cause.errorType === 'loanLocked');

/** Refusals that another try would meet again. */
export const isFinalRefusal = (cause: unknown): cause is Refusal => cause instanceof Refusal && !isForNow(cause);
