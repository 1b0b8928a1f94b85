import { createHash, createHmac } from 'node:crypto';

export interface SigningKey {
  readonly id: string;
  readonly secret: string;
  readonly region: string;
}

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: Uint8Array;
  /** Further fields that are signed, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The header fields that prove who asks, by Signature Version 4 of Amazon Web Services for their service `s3`. The address must need no
 * further encoding.
 */
export function signed(
  { method, url, body, headers = {} }: SignedRequest,
  { id, secret, region }: SigningKey,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const date = time.slice(0, 8);
  const contentHash = sha256(body);
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
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${id}/${scope},SignedHeaders=${names.join(';')},Signature=${hmac(key, text).toString('hex')}`,
  };
}

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
