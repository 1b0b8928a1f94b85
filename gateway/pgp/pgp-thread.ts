import { parentPort, workerData } from 'node:worker_threads';
import {
  config,
  createMessage,
  decrypt,
  encrypt,
  generateKey,
  type Key,
  type Message,
  type PrivateKey,
  type PublicKey,
  readKey,
  readKeys,
  readMessage,
  readPrivateKey,
  sign,
} from 'openpgp';
import type { PgpAnswer, PgpFault, PgpJob, PgpPair } from './jobs.js';

/*
 * The code of a thread that does one job and ends. It knows nothing of the service: what takes too long or too much memory ends with the
 * thread.
 */

const RSA_BITS = 3_072;
const USER_NAME = 'Tenor';

/** Thrown with words for the person who has given the key or the file. */
class Unusable extends Error {}

async function done(job: PgpJob): Promise<PgpAnswer<PgpJob['type']>> {
  try {
    switch (job.type) {
      case 'check':
        await checkedKey(job.publicKey);
        return { result: null };
      case 'pair':
        return { result: await pair() };
      case 'seal':
        return { result: await sealed(job) };
      case 'open':
        return { result: await opened(job) };
    }
  } catch (cause) {
    if (cause instanceof Unusable) return { fault: cause.message } satisfies PgpFault;
    throw cause;
  }
}

async function checkedKey(armored: string): Promise<PublicKey> {
  if (armored.includes('PRIVATE KEY BLOCK')) throw new Unusable('is a private key: only its owner may have it');
  const [key, ...more] = await orUnusable('is no armored OpenPGP public key', () => readKeys({ armoredKeys: armored.trim() }));
  if (key === undefined) throw new Unusable('is no armored OpenPGP public key');
  if (more.length > 0) throw new Unusable('has more than one key');
  if (key.isPrivate()) throw new Unusable('is a private key: only its owner may have it');
  await refuseExpired(key);
  await orUnusable('is revoked, or is not signed by itself', () => key.verifyPrimaryKey());
  await orUnusable('has no part that encrypts and has not expired', () => key.getEncryptionKey());
  return key.toPublic();
}

async function refuseExpired(key: Key): Promise<void> {
  const until = await orUnusable('is not signed by itself', () => key.getExpirationTime());
  if (until instanceof Date && until.getTime() <= Date.now()) throw new Unusable(`has expired on ${until.toISOString().slice(0, 10)}`);
}

async function pair(): Promise<PgpPair> {
  return generateKey({ type: 'rsa', rsaBits: RSA_BITS, userIDs: [{ name: USER_NAME }], format: 'armored' });
}

async function sealed({ content, publicKey, signingKey }: Extract<PgpJob, { readonly type: 'seal' }>): Promise<Uint8Array> {
  const message = await createMessage({ binary: content });
  const signingKeys = signingKey === null ? [] : [await readPrivateKey({ armoredKey: signingKey })];
  if (publicKey === null) return sign({ message, signingKeys, format: 'binary' });
  const encryptionKeys = await checkedKey(publicKey).catch((cause: unknown) => {
    throw cause instanceof Unusable ? new Unusable(`The file cannot be encrypted: the receiver's key ${cause.message}`) : cause;
  });
  return encrypt({ message, encryptionKeys, ...(signingKey === null ? {} : { signingKeys }), format: 'binary' });
}

async function opened(job: Extract<PgpJob, { readonly type: 'open' }>): Promise<Uint8Array> {
  config.maxDecompressedMessageSize = job.mostBytes;
  const message = await orUnusable('The file is not encrypted with OpenPGP', () => messageOf(job.content));
  const decryptionKeys: PrivateKey = await readPrivateKey({ armoredKey: job.privateKey });
  const senderKey = job.senderKey === null ? null : await readKey({ armoredKey: job.senderKey });
  const { data, signatures } = await orUnusable('The file could not be decrypted with the key of the processor', () =>
    decrypt({ message, decryptionKeys, ...(senderKey === null ? {} : { verificationKeys: senderKey }), format: 'binary' }),
  );
  if (senderKey !== null) await refuseForged(signatures, senderKey);
  if (data.length > job.mostBytes) throw new Unusable(`The file holds more than ${job.mostBytes} bytes`);
  return data;
}

const ARMOR = '-----BEGIN PGP MESSAGE-----';

function messageOf(content: Uint8Array): Promise<Message<string | Uint8Array>> {
  const isArmored = Buffer.from(content.subarray(0, 1_024)).toString('latin1').includes(ARMOR);
  return isArmored ? readMessage({ armoredMessage: Buffer.from(content).toString('latin1') }) : readMessage({ binaryMessage: content });
}

/** A signature that names the sender's key must be its own. One of another key says nothing. */
async function refuseForged(signatures: Awaited<ReturnType<typeof decrypt>>['signatures'], senderKey: Key): Promise<void> {
  const own = new Set(senderKey.getKeyIDs().map((id) => id.toHex()));
  for (const { keyID, verified } of signatures) {
    const isValid = await verified.catch(() => false);
    if (own.has(keyID.toHex()) && !isValid) throw new Unusable("The signature is not that of the sender's key");
  }
}

async function orUnusable<Result>(message: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw new Unusable(message, { cause });
  }
}

const job: PgpJob = workerData;
const answer = await done(job);
const bytes = 'result' in answer && answer.result instanceof Uint8Array ? answer.result.buffer : null;
parentPort?.postMessage(answer, bytes instanceof ArrayBuffer ? [bytes] : []);
