import type { HttpRequest } from './message.js';
import type { UwsRequest, UwsResponse } from './uws.js';

/** A request whose body may still come. */
export type ReceivedRequest = Omit<HttpRequest, 'body'> & { body: Buffer };

const NO_BODY = Buffer.alloc(0);

/** Copies what is wanted of a request: it is gone after the callback. */
export function readHead(response: UwsResponse, request: UwsRequest, isUpgrade: boolean): ReceivedRequest {
  return {
    method: request.getCaseSensitiveMethod(),
    path: request.getUrl(),
    // The library's types hide that it is undefined without a question mark.
    queryText: request.getQuery() || '',
    // Written out, so that all requests have one shape.
    headers: {
      authorization: request.getHeader('authorization'),
      'content-length': request.getHeader('content-length'),
      'content-type': request.getHeader('content-type'),
      host: request.getHeader('host'),
      'idempotency-key': request.getHeader('idempotency-key'),
      'last-event-id': request.getHeader('last-event-id'),
      'tenor-unknown-fields': request.getHeader('tenor-unknown-fields'),
      'transfer-encoding': request.getHeader('transfer-encoding'),
      'x-api-key': request.getHeader('x-api-key'),
      'x-api-version': request.getHeader('x-api-version'),
      'x-forwarded-for': request.getHeader('x-forwarded-for'),
      'x-forwarded-proto': request.getHeader('x-forwarded-proto'),
      'x-request-id': request.getHeader('x-request-id'),
      x_api_key: request.getHeader('x_api_key'),
    },
    peerAddress: plainAddress(Buffer.from(response.getRemoteAddressAsText()).toString('latin1')),
    isUpgrade,
    body: NO_BODY,
  };
}

const MAPPED_IPV4 = '0000:0000:0000:0000:0000:ffff:';

/** A dual-stack socket tells IPv4 clients as `::ffff:7f00:0001`. */
function plainAddress(text: string): string {
  if (!text.startsWith(MAPPED_IPV4)) return text;
  const [high = 0, low = 0] = text
    .slice(MAPPED_IPV4.length)
    .split(':')
    .map((group) => Number.parseInt(group, 16));
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
