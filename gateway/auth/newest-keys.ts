import { Refusal } from '../../actors/index.js';
import type { Caller } from '../routing/call.js';
import type { Authenticator, Credential } from './credential.js';

/** What a change that has not come here yet may turn into a yes: a new key or user, a session of a newer generation. */
const MAY_CHANGE: ReadonlySet<string> = new Set(['unauthenticated', 'tokenRevoked']);

/**
 * Of a gateway of a cluster, which follows the companies with their keys and users: what it does not know, or what was revoked here,
 * may have changed through another gateway just now. It is looked for once more when all that was written before is here.
 */
export function withNewestKeys(authenticator: Authenticator, caughtUp: () => Promise<void>): Authenticator {
  return {
    authenticate(credential: Credential): Caller | Promise<Caller> {
      const again = (cause: unknown): Promise<Caller> => {
        if (!(cause instanceof Refusal) || !MAY_CHANGE.has(cause.errorType)) throw cause;
        return caughtUp().then(() => authenticator.authenticate(credential));
      };
      try {
        const caller = authenticator.authenticate(credential);
        return caller instanceof Promise ? caller.catch(again) : caller;
      } catch (cause) {
        return again(cause);
      }
    },
  };
}
