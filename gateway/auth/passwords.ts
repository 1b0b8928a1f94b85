import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Fault } from '../../actors/index.js';

/** The cost of a hash: about 50 ms of a processor, and 32 MB. Each hash carries its own, so that later versions may choose others. */
const COST = { N: 2 ** 15, r: 8, p: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The memory limit of scrypt, in bytes: twice what `COST` needs. */
const MEMORY_BYTES = 128 * COST.N * COST.r * 2;

const SHORTEST = 12;
const LONGEST = 128;

/** The rules that a new password breaks; empty where it meets all. */
export function passwordFaults(password: string, userName: string): readonly Fault[] {
  const faults: Fault[] = [];
  const length = Array.from(password).length;
  if (length < SHORTEST || length > LONGEST)
    faults.push({
      path: 'password',
      expected: `${SHORTEST} to ${LONGEST} characters`,
      message: `password must have ${SHORTEST} to ${LONGEST} characters`,
    });
  if (userName !== '' && password.toLowerCase().includes(userName.toLowerCase()))
    faults.push({ path: 'password', expected: 'a password without the user name', message: 'password must not contain the user name' });
  return faults;
}

/** `scrypt$N$r$p$salt$hash`, both in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derived(password, salt, COST, HASH_BYTES);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Compares in constant time; false for a text that is not a hash. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [name, N, r, p, salt, hash] = stored.split('$');
  if (name !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64url');
  const shown = await derived(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) }, expected.length);
  return timingSafeEqual(shown, expected);
}

/** The password is normalized (NFKC), so that texts that look the same are the same. */
function derived(
  password: string,
  salt: Buffer,
  cost: { readonly N: number; readonly r: number; readonly p: number },
  bytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, bytes, { ...cost, maxmem: MEMORY_BYTES }, (cause, hash) =>
      cause ? reject(cause) : resolve(hash),
    );
  });
}
