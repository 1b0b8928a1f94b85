import { Worker } from 'node:worker_threads';
import { type EncryptionBody, type FilePgp, OutsideFault, type WithKeyFault } from '../../actors/index.js';
import { Gate } from '../auth/authenticator.js';
import { LIMITS } from '../limits.js';
import type { PgpAnswer, PgpJob, PgpPair, PgpResults } from './jobs.js';

const GATE = new Gate({
  atOnce: LIMITS.pgpThreads,
  waiting: LIMITS.pgpWaiting,
  refusal: 'Too many keys and files are being encrypted and decrypted. Try again in a second.',
});

/** Each file and key has a thread of its own, so that neither a large file nor a strange key holds the service. */
export const FILE_PGP: FilePgp = {
  seal: async (content, { publicKey, signingKey }) => answered<'seal'>(bounded({ type: 'seal', content, publicKey, signingKey })),
  open: async (content, { privateKey, senderKey }, mostBytes) =>
    answered<'open'>(bounded({ type: 'open', content, privateKey, senderKey, mostBytes })),
};

export const newPgpPair = (): Promise<PgpPair> => answered<'pair'>({ type: 'pair' });

/** Why files cannot be encrypted with a key; null: they can. */
export async function faultOfPublicKey(publicKey: string): Promise<string | null> {
  const answer = await ran<'check'>({ type: 'check', publicKey });
  return 'fault' in answer ? answer.fault : answer.result;
}

type FileJob = Extract<PgpJob, { readonly content: Uint8Array }>;

function bounded<Job extends FileJob>(job: Job): Job {
  const { length } = job.content;
  if (length > LIMITS.pgpBytes) throw new OutsideFault(`The file has ${length} bytes; ${LIMITS.pgpBytes} can be encrypted or decrypted.`);
  return job;
}

/** Throws `OutsideFault` with what is wrong with a file or a key. */
async function answered<Type extends PgpJob['type']>(job: Extract<PgpJob, { type: Type }>): Promise<PgpResults[Type]> {
  const answer = await ran<Type>(job);
  if ('fault' in answer) throw new OutsideFault(sentence(answer.fault));
  return answer.result;
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

const ran = <Type extends PgpJob['type']>(job: Extract<PgpJob, { type: Type }>): Promise<PgpAnswer<Type>> =>
  GATE.pass(() => onThread<Type>(job));

function onThread<Type extends PgpJob['type']>(job: PgpJob): Promise<PgpAnswer<Type>> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./pgp-thread.js', import.meta.url), {
      workerData: job,
      transferList: transferred(job),
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.pgpMemoryMb },
    });
    const late = setTimeout(() => {
      reject(new OutsideFault(`Encryption or decryption took more than ${LIMITS.pgpMs} milliseconds.`));
      void thread.terminate();
    }, LIMITS.pgpMs);
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`the thread for keys and files has ended with ${code}`)); // after an answer it changes nothing
    });
  });
}

/** A file that does not share its memory is moved to the thread: its sender must not read it again. */
function transferred(job: PgpJob): ArrayBuffer[] {
  if (!('content' in job)) return [];
  const { buffer, byteLength } = job.content;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/** A key of a receiver is looked at before it is stored; what is wrong with it is named with the other faults of the body. */
export async function withKeyFault<Body extends EncryptionBody>(body: Body): Promise<Body & WithKeyFault> {
  const fault = body.publicKey == null ? null : await faultOfPublicKey(body.publicKey);
  return fault === null ? body : { ...body, publicKeyFault: fault };
}
