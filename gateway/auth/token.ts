import { fieldsOf } from '../../engine/index.js';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Mode } from '../../actors/index.js';

/** The claims of a session's token. Times are seconds since 1970, as in JWT. */
export interface TokenClaims {
  /** The user. */
  readonly sub: string;
  readonly companyId: string;
  readonly userType: 'agent' | 'borrower' | 'api';
  readonly mode: Mode;
  /** Only in short-lived tokens: the permissions of the token. */
  readonly permissions?: readonly string[];
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  /** When the user signed in: refreshed tokens end at most one day later. */
  readonly auth_time: number;
  /** Sessions of an older generation have ended. */
  readonly gen: number;
}

/** The parts of a token whose signature is not checked yet. */
export interface TokenParts {
  readonly keyId: string;
  readonly claims: TokenClaims;
  readonly signed: string;
  readonly signature: string;
}

/** The one algorithm: tokens that name another are refused. */
const ALGORITHM = 'HS256';

/** A JSON Web Token (RFC 7519) under HMAC-SHA-256. */
export function signedToken(claims: TokenClaims, keyId: string, secret: string): string {
  const signed = `${encoded({ alg: ALGORITHM, typ: 'JWT', kid: keyId })}.${encoded(claims)}`;
  return `${signed}.${signatureOf(signed, secret)}`;
}

/** Undefined for a text that is not a token. */
export function tokenParts(text: string): TokenParts | undefined {
  const [header = '', payload = '', signature = '', ...rest] = text.split('.');
  if (rest.length > 0 || signature === '') return undefined;
  const { alg, kid } = decoded(header);
  const claims = decoded(payload);
  return alg === ALGORITHM && typeof kid === 'string' && areClaims(claims)
    ? { keyId: kid, claims, signed: `${header}.${payload}`, signature }
    : undefined;
}

/** Compares in constant time. */
export function isSignedWith({ signed, signature }: TokenParts, secret: string): boolean {
  const [shown, expected] = [Buffer.from(signature), Buffer.from(signatureOf(signed, secret))];
  return shown.length === expected.length && timingSafeEqual(shown, expected);
}

const signatureOf = (text: string, secret: string): string =>
  createHmac('sha256', Buffer.from(secret, 'base64url')).update(text).digest('base64url');

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

function decoded(part: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(Buffer.from(part, 'base64url').toString()));
  } catch {
    return {}; // no JSON, and so no part of a token
  }
}

function areClaims(claims: Readonly<Record<string, unknown>>): claims is Readonly<Record<string, unknown>> & TokenClaims {
  const { sub, companyId, mode, exp, jti, gen, permissions } = claims;
  const { iat, auth_time: since } = claims;
  return (
    [sub, companyId, jti].every((text) => typeof text === 'string') &&
    [iat, exp, since, gen].every((number) => typeof number === 'number') &&
    (mode === 'test' || mode === 'live') &&
    (permissions === undefined || Array.isArray(permissions))
  );
}
