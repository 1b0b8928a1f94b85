import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { bucketLocation, OutsideFault, signed } from '../../actors/index.js';
import { LIMITS } from '../limits.js';
import { type AddressRules, faultOf, hostOf, lookupWithin } from '../outgoing.js';

/** A bucket, and the key of who may write to it. */
export interface Bucket {
  readonly address: string;
  readonly keyId: string;
  readonly secret: string;
}

/** A file in pieces, of which length and digest (SHA-256 in hexadecimal) are known. */
export interface BucketFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly content: () => AsyncIterable<Uint8Array>;
}

/** Puts a file into a bucket, whole or not at all: the store compares it with its digest. Throws `OutsideFault`. */
export async function putToBucket(rules: AddressRules, { address, keyId, secret }: Bucket, file: BucketFile): Promise<void> {
  const location = bucketLocation(address, { id: keyId, secret });
  if (location === null) throw new OutsideFault('The address names no bucket.');
  const url = new URL(file.name, location.address);
  const isEncrypted = url.protocol === 'https:';
  const host = hostOf(url);
  if (isIP(host) !== 0 && !rules.allows(host, isEncrypted)) throw new OutsideFault('The store must not have a private address.');
  const headers = signed({ method: 'PUT', url, body: { sha256: file.sha256 } }, location.key, new Date());
  const request = (isEncrypted ? httpsRequest : httpRequest)(url, {
    method: 'PUT',
    signal: AbortSignal.timeout(LIMITS.sftpMs),
    maxHeaderSize: LIMITS.outgoingHeaderBytes,
    lookup: lookupWithin(rules, isEncrypted),
    headers: { ...headers, 'content-length': String(file.bytes) },
  });
  const answered = new Promise<number>((resolve, reject) => {
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', (cause) => reject(new OutsideFault(`The file could not be put into the bucket: ${faultOf(cause)}.`, { cause })));
  });
  // A store that refuses the file answers before it has all of it.
  const sent = pipeline(Readable.from(file.content()), request).catch(() => undefined);
  const status = await answered;
  if (status < 200 || status >= 300) throw new OutsideFault(`The file could not be put into the bucket: the store answers ${status}.`);
  await sent;
}
