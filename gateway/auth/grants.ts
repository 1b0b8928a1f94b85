import { hash, randomBytes } from 'node:crypto';
import type { GrantKind, Tenant } from '../../actors/index.js';

const SECRET_BYTES = 32;

/** A token for one use. It names its user, so that the user is found without a search. */
export function newGrant(
  kind: GrantKind,
  { company, mode }: Tenant,
  userId: string,
): { readonly text: string; readonly secretHash: string } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { text: [kind, mode, company, userId, secret].join('.'), secretHash: hash('sha256', secret) };
}

/** Null for a text that is not such a token. */
export function readGrant(
  kind: GrantKind,
  text: string,
): { readonly tenant: Tenant; readonly userId: string; readonly secretHash: string } | null {
  const [shown, mode, company = '', userId = '', secret = '', ...rest] = text.split('.');
  if (shown !== kind || (mode !== 'test' && mode !== 'live') || secret === '' || rest.length > 0) return null;
  return { tenant: { company, mode }, userId, secretHash: hash('sha256', secret) };
}
