import { decrypt, generateKey, readMessage, readPrivateKey } from 'openpgp';
import type { PgpPair } from '../../../gateway/pgp/jobs.js';

/** A pair of a receiver; `seconds`: how long it is valid from `date` on. */
export const receiverPair = (seconds = 0, date = new Date()): Promise<PgpPair> =>
  generateKey({ type: 'ecc', userIDs: [{ name: 'Receiver' }], keyExpirationTime: seconds, date, format: 'armored' });

/** What an encrypted file holds. */
export async function decrypted(content: Uint8Array, privateKey: string): Promise<Buffer> {
  const message = await readMessage({ binaryMessage: Uint8Array.from(content) });
  const { data } = await decrypt({ message, decryptionKeys: await readPrivateKey({ armoredKey: privateKey }), format: 'binary' });
  return Buffer.from(data);
}
