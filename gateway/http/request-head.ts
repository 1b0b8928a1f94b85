import type { HttpRequest } from './message.js';
import type { UwsRequest, UwsResponse } from './uws.js';

/** A request whose body may not have arrived yet. */
export type ReceivedRequest = Omit<HttpRequest, 'body'> & { body: Buffer };

const NO_BODY = Buffer.alloc(0);

/** Copies the head of a request: the library frees it after the callback. */
export function readHead(response: UwsResponse, request: UwsRequest, isUpgrade: boolean): ReceivedRequest {
  return {
    method: request.getCaseSensitiveMethod(),
    path: request.getUrl(),
    // The library's types hide that it is undefined without a question mark.
    queryText: request.getQuery() || '',
    headers: readHeaders(request),
    peerAddress: plainAddress(Buffer.from(response.getRemoteAddressAsText()).toString('latin1')),
    isUpgrade,
    body: NO_BODY,
  };
}

/**
 * The first line counts where a field is sent twice. Lines of proxies are joined, since each proxy may add its own (RFC 9110 5.3).
 */
function readHeaders(request: UwsRequest): ReceivedRequest['headers'] {
  // Written out, so that all requests have one shape.
  const headers = {
    authorization: '',
    'content-length': '',
    'content-type': '',
    host: '',
    'idempotency-key': null as string | null,
    'last-event-id': '',
    'tenor-unknown-fields': '',
    'transfer-encoding': '',
    'x-api-key': '',
    'x-api-version': '',
    'x-forwarded-for': '',
    'x-forwarded-proto': '',
    'x-request-id': '',
    'x-signature': '',
    x_api_key: '',
  };
  // One walk over all lines: the library's lookup by name finds the first line alone.
  request.forEach((name, value) => {
    switch (name) {
      case 'x-forwarded-for':
      case 'x-forwarded-proto':
        headers[name] = headers[name] === '' ? value : `${headers[name]},${value}`;
        break;
      case 'idempotency-key':
        headers[name] ??= value;
        break;
      case 'authorization':
      case 'content-length':
      case 'content-type':
      case 'host':
      case 'last-event-id':
      case 'tenor-unknown-fields':
      case 'transfer-encoding':
      case 'x-api-key':
      case 'x-api-version':
      case 'x-request-id':
      case 'x-signature':
      case 'x_api_key':
        if (headers[name] === '') headers[name] = value;
        break;
      default:
        // Providers of texts put their own name into it.
        if (name.startsWith('x-') && name.endsWith('-signature') && headers['x-signature'] === '') headers['x-signature'] = value;
    }
  });
  return headers;
}

const MAPPED_IPV4 = '0000:0000:0000:0000:0000:ffff:';

/** A dual-stack socket reports IPv4 clients as `::ffff:7f00:0001`. */
function plainAddress(text: string): string {
  if (!text.startsWith(MAPPED_IPV4)) return text;
  const [high = 0, low = 0] = text
    .slice(MAPPED_IPV4.length)
    .split(':')
    .map((group) => Number.parseInt(group, 16));
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
