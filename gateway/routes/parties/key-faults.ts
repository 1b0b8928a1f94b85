import type { EncryptionBody, WithKeyFault } from '../../../actors/index.js';
import { faultOfPublicKey } from '../../pgp/pgp.js';

/** A key of a receiver is looked at before it is stored; what is wrong with it is named with the other faults of the body. */
export async function withKeyFault<Body extends EncryptionBody>(body: Body): Promise<Body & WithKeyFault> {
  const fault = body.publicKey == null ? null : await faultOfPublicKey(body.publicKey);
  return fault === null ? body : { ...body, publicKeyFault: fault };
}
