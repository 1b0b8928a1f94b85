import { type HeaderName, REQUEST_HEADERS, type RequestHead } from './message.js';
import type { UwsRequest, UwsResponse } from './uws.js';

/** Copies what is wanted of a request: it is gone after the callback. */
export function readHead(response: UwsResponse, request: UwsRequest): RequestHead {
  const headers = {} as Record<HeaderName, string>;
  for (const name of REQUEST_HEADERS) headers[name] = request.getHeader(name);
  return {
    method: request.getCaseSensitiveMethod(),
    path: request.getUrl(),
    // The library's types hide that it is undefined without a question mark.
    queryText: request.getQuery() || '',
    headers,
    peerAddress: plainAddress(Buffer.from(response.getRemoteAddressAsText()).toString('latin1')),
    isUpgrade: false,
  };
}

const MAPPED_IPV4 = '0000:0000:0000:0000:0000:ffff:';

/** A dual-stack socket tells IPv4 clients as `::ffff:7f00:0001`. */
function plainAddress(text: string): string {
  if (!text.startsWith(MAPPED_IPV4)) return text;
  const [high = 0, low = 0] = text.slice(MAPPED_IPV4.length).split(':').map((group) => Number.parseInt(group, 16));
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
