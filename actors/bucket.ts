import { createHash, createHmac } from 'node:crypto';

/*
 * Stores that speak the protocol of Amazon S3: how their buckets are named, and how a request to them says who sends it.
 */

export interface SigningKey {
  readonly id: string;
  readonly secret: string;
  readonly region: string;
}

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** Its bytes, or their SHA-256 in hexadecimal. */
  readonly body: Uint8Array | { readonly sha256: string };
  /** Further fields that are signed, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The header fields that authenticate a request, by Signature Version 4 of Amazon Web Services for their service `s3`. The address must
 * need no further encoding.
 */
export function signed(
  { method, url, body, headers = {} }: SignedRequest,
  { id, secret, region }: SigningKey,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const date = time.slice(0, 8);
  const contentHash = body instanceof Uint8Array ? sha256(body) : body.sha256;
  const fields: Record<string, string> = { ...headers, host: url.host, 'x-amz-content-sha256': contentHash, 'x-amz-date': time };
  const names = Object.keys(fields).sort();
  const canonical = [
    method,
    url.pathname,
    url.searchParams.toString(),
    ...names.map((name) => `${name}:${fields[name]?.trim() ?? ''}`),
    '',
    names.join(';'),
    contentHash,
  ].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>((above, word) => hmac(above, word), `AWS4${secret}`);
  const { host: _sentAnyway, ...sent } = fields;
  const signature = hmac(key, text).toString('hex');
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${id}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`,
  };
}

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** A bucket, and who writes to it. */
export interface BucketLocation {
  /** Ends with a slash: `https://documents.s3.us-east-1.amazonaws.com/tenor/`, `http://127.0.0.1:9000/documents/`. */
  readonly address: string;
  readonly key: SigningKey;
}

/** The bucket that an address names: `s3://bucket/prefix?region=eu-west-1&endpoint=https://minio.example`. Null for other texts. */
export function bucketLocation(text: string, credentials: { readonly id: string; readonly secret: string }): BucketLocation | null {
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
