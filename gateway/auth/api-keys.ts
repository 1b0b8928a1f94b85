import { hash as hashOnce, timingSafeEqual } from 'node:crypto';
import { type Mode, Refusal } from '../../actors/index.js';
import type { Caller, RateLimit } from '../routing/call.js';
import { isWithin } from './addresses.js';
import type { Authenticator, Credential } from './credential.js';

/** An API key as it is stored: never its text. */
export interface ApiKeyRecord {
  /** SHA-256 of the key's text, in hex. */
  readonly hash: string;
  readonly keyId: string;
  readonly company: string;
  readonly mode: Mode;
  readonly userId: string | null;
  readonly isActive: boolean;
  readonly permissions: ReadonlySet<string>;
  /** Addresses and blocks that may use it; empty = all. */
  readonly whitelistedIPs: readonly string[];
  readonly rateLimit?: RateLimit | null;
  readonly unknownFields?: 'refuse' | 'ignore' | undefined;
  /** The investors whose loans alone its user sees; absent: all loans. */
  readonly investorIds?: readonly string[] | undefined;
}

const KEY_TEXT = /^(test|live)_[A-Za-z0-9_-]{16,200}$/;

export const hashOfKey = (text: string): string => hashOnce('sha256', text);

export const isKeyText = (text: string): boolean => KEY_TEXT.test(text);

/** The mode that a key's text names. */
export const modeOfKey = (text: string): Mode => (text.startsWith('live_') ? 'live' : 'test');

/** Authenticates API keys that `find` looks up by their hash. */
export function apiKeyAuthenticator(find: (hash: string) => ApiKeyRecord | undefined): Authenticator {
  return {
    authenticate: ({ text, address }: Credential): Caller => {
      const hash = hashOfKey(text);
      const record = isKeyText(text) ? find(hash) : undefined;
      // One message for all of these: which of them it was is nobody's business.
      if (!record || !isSame(record.hash, hash) || !record.isActive || record.mode !== modeOfKey(text)) {
        throw new Refusal('unauthenticated', 'The key is not valid.');
      }
      const { company, mode, keyId, userId, permissions, whitelistedIPs, rateLimit, unknownFields, investorIds } = record;
      if (whitelistedIPs.length > 0 && !isWithin(whitelistedIPs, address)) {
        throw new Refusal('ipNotAllowed', 'The key may not be used from this address.');
      }
      return {
        company,
        mode,
        keyId,
        userId,
        permissions,
        address,
        ...(investorIds === undefined ? {} : { investorIds }),
        ...(rateLimit === undefined ? {} : { rateLimit }),
        ...(unknownFields === undefined ? {} : { unknownFields }),
      };
    },
  };
}

/** Of a hash in hex. */
const HASH_LENGTH = 64;
const storedBytes = Buffer.alloc(HASH_LENGTH);
const shownBytes = Buffer.alloc(HASH_LENGTH);

function isSame(stored: string, shown: string): boolean {
  if (stored.length !== HASH_LENGTH || shown.length !== HASH_LENGTH) return false;
  storedBytes.write(stored, 'latin1');
  shownBytes.write(shown, 'latin1');
  return timingSafeEqual(storedBytes, shownBytes);
}
