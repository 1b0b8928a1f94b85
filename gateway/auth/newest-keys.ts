import { Refusal } from '../../actors/index.js';
import type { Caller } from '../routing/call.js';
import type { Authenticator, Credential } from './credential.js';

/**
 * Of a gateway of a cluster, which follows the companies and their keys: one that it does not know, or that was revoked here,
 * may have changed through another gateway just now. It is looked for once more when all that was written before is here.
 */
export function withNewestKeys({ authenticate }: Authenticator, caughtUp: () => Promise<void>): Authenticator {
  return {
    authenticate(credential: Credential): Caller | Promise<Caller> {
      try {
        return authenticate(credential);
      } catch (cause) {
        if (!(cause instanceof Refusal) || cause.errorType !== 'unauthenticated') throw cause;
        return caughtUp().then(() => authenticate(credential));
      }
    },
  };
}
