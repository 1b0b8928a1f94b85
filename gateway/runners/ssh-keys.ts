import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { ServiceKeyPair, SftpAccessBody, WithServiceKeyPair } from '../../actors/index.js';
import { fieldOf } from '../../engine/index.js';

const BITS = 3_072;

/** A new pair of RSA keys: the private one as PEM, the public one as a line of OpenSSH's `authorized_keys` (RFC 4253, 6.6). */
async function sshKeyPair(): Promise<ServiceKeyPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const blob = Buffer.concat([field(Buffer.from('ssh-rsa')), field(unsigned(e)), field(unsigned(n))]);
  return {
    privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    publicKey: `ssh-rsa ${blob.toString('base64')} tenor`,
  };
}

/** With a pair for a new record, if it asks for access by keys. */
export async function withNewServiceKeyPair<Body extends SftpAccessBody>(body: Body): Promise<Body & WithServiceKeyPair> {
  return body.sftpAccessMethod === 'keys' ? { ...body, serviceKeyPair: await sshKeyPair() } : body;
}

/** With a pair for a record that asks for access by keys and has none. `known`: reads the record as replies show it. */
export async function withServiceKeyPair<Body extends SftpAccessBody>(
  body: Body,
  known: () => Promise<unknown>,
): Promise<Body & WithServiceKeyPair> {
  if (body.sftpAccessMethod !== 'keys' || fieldOf(await known(), 'sftpAccessMethod') === 'keys') return body;
  return withNewServiceKeyPair(body);
}

function field(content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
}

/** A number above zero begins with a zero byte where its first bit is set: it would be negative otherwise. */
function unsigned(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
}
