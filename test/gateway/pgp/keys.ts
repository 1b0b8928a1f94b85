import { generateKey } from 'openpgp';
import type { PgpPair } from '../../../gateway/pgp/jobs.js';

/** A pair of a receiver; `seconds`: how long it is valid from `date` on. */
export const receiverPair = (seconds = 0, date = new Date()): Promise<PgpPair> =>
  generateKey({ type: 'ecc', userIDs: [{ name: 'Receiver' }], keyExpirationTime: seconds, date, format: 'armored' });
