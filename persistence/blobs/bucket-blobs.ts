import { limits } from '../limits.js';
import type { Blobs } from '../ports.js';
import { checkedName } from './blob-name.js';
import { signed, type SigningKey } from './signature.js';

/** A bucket of a store that speaks the protocol of Amazon S3. */
export interface BucketPlace {
  /** Ends with a slash: `https://documents.s3.us-east-1.amazonaws.com/tenor/`, `http://127.0.0.1:9000/documents/`. */
  readonly address: string;
  readonly key: SigningKey;
}

export class BucketBlobs implements Blobs {
  constructor(private readonly place: BucketPlace) {}

  async put(name: string, content: Uint8Array): Promise<void> {
    await this.#ask('PUT', name, content);
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    const answer = await this.#ask('GET', name);
    return answer && new Uint8Array(await answer.arrayBuffer());
  }

  async delete(name: string): Promise<void> {
    await this.#ask('DELETE', name);
  }

  /** Undefined where nothing is there. */
  async #ask(method: string, name: string, body: Uint8Array = NOTHING): Promise<Response | undefined> {
    const url = new URL(checkedName(name), this.place.address);
    const headers = signed({ method, url, body }, this.place.key, new Date());
    const answer = await fetch(url, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(limits.blobMs),
      ...(method === 'PUT' ? { body: new Uint8Array(body) } : {}),
    });
    if (answer.ok) return answer;
    await answer.body?.cancel();
    if (answer.status === 404 && method !== 'PUT') return undefined;
    throw new Error(`the store of documents answers ${answer.status} to ${method}`);
  }
}

const NOTHING = new Uint8Array();

/** The place that an address names: `s3://bucket/prefix?region=eu-west-1&endpoint=https://minio.example`. Null where it is none. */
export function bucketPlace(text: string, credentials: { readonly id: string; readonly secret: string }): BucketPlace | null {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._-]+)*)\/?(?:\?(.*))?$/.exec(text);
  if (!match) return null;
  const [, bucket = '', prefix = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  const region = parameters.get('region') ?? 'us-east-1';
  const endpoint = parameters.get('endpoint');
  if (endpoint !== null && !/^https?:\/\/[^/?#\s]+\/?$/.test(endpoint)) return null;
  const root = endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint.replace(/\/$/, '')}/${bucket}`;
  return { address: `${root}${prefix}/`, key: { ...credentials, region } };
}
