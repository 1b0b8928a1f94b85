import type { Mode, PortalSession } from '../../actors/index.js';
import type { Engine } from '../engine.js';
import type { Reply } from './route.js';

/** A token bucket: so many requests a second in the long run, so many at once. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** Who is calling, as the authenticator found. */
export interface Caller {
  readonly company: string;
  readonly mode: Mode;
  /** Null for a session's token. */
  readonly keyId: string | null;
  readonly userId: string | null;
  readonly permissions: ReadonlySet<string>;
  /** The client's address. */
  readonly address: string;
  /** Of this key; null = none, absent = what holds for the mode. */
  readonly rateLimit?: RateLimit | null;
  /** Of this key: what becomes of fields and parameters that the interface does not know. Absent: they are refused. */
  readonly unknownFields?: 'refuse' | 'ignore';
  /** The investors whose loans alone its user sees; absent: all loans. */
  readonly investorIds?: readonly string[];
  /** Absent for keys. */
  readonly session?: Session;
}

/** What a session's token says, besides whose it is. Times are milliseconds. */
export interface Session {
  readonly jti: string;
  readonly userType: 'agent' | 'borrower' | 'api';
  /** When its user signed in. */
  readonly since: number;
  readonly until: number;
  readonly generation: number;
  /** Whose way into the portal it is; absent for those who work for the lender. */
  readonly borrower?: PortalSession;
  /** It is neither refreshed nor does it make another. */
  readonly isShortLived: boolean;
}

/**
 * One request as its handler sees it: parsed, authenticated, permitted and validated. `caller` of a public route
 * is the empty caller.
 */
export interface Call<Params = Readonly<Record<string, string>>, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** Of a stream's reader that comes back: the last event that it has seen. */
  readonly lastEventId: string | null;
  readonly engine: Engine;
  /**
   * Runs a command on `target` (null: a new root) with this call's body, and answers its outcome. The command's
   * id follows from the idempotency key, so that a retry meets its first try.
   */
  command(type: string, target: string | null, options?: CommandOptions): Promise<Reply>;
  /** Asks a query about `target` (null: the company) with this call's query parameters. */
  read(type: string, target: string | null, options?: { readonly query?: unknown }): Promise<Reply>;
}

export interface CommandOptions {
  /** Instead of the call's body. */
  readonly body?: unknown;
  /** Instead of the call's query. */
  readonly query?: unknown;
  /** Tells commands of one call apart. */
  readonly step?: string;
}
