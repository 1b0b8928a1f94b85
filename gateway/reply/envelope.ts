import { STATUS_CODES } from 'node:http';
import { JsonText, type ListResult, toJsonText } from '../../actors/index.js';
import { assert } from '../../engine/index.js';
import type { Reply, Route } from '../routing/route.js';
import { dataText } from './outcome.js';
import { pageUrls, type RequestUrl } from './page-urls.js';

/** The body of a success (base, "List response envelope"); `urlOf` is asked for lists alone. */
export function successBody(route: Route, reply: Reply, urlOf: () => RequestUrl): string {
  const status = reply.status ?? route.success;
  const message = reply.message ?? STATUS_CODES[status] ?? 'OK';
  switch (route.envelope) {
    case 'empty':
      return '';
    case 'html':
      return String(reply.data);
    case 'bare':
      return dataText(reply);
    case 'object':
      return toJsonText({ status, message, ...reply.extra, data: new JsonText(dataText(reply)) });
    case 'csv':
    case 'file':
    case 'events':
    case 'socket':
      assert(false, `${route.operation} answers no stream`);
    case 'list': {
      const list = listOf(route, reply.data);
      const { items, total } = list;
      return toJsonText({ status, message, count: items.length, total, ...pageUrls(list, urlOf()), ...reply.extra, data: items });
    }
  }
}

function listOf(route: Route, data: unknown): ListResult {
  const list = data as ListResult;
  assert(list !== null && typeof list === 'object' && Array.isArray(list.items), `${route.operation} answers no list`);
  return list;
}
