import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inSteps } from '../../actors/index.js';
import { BASE_PATH } from '../dispatch.js';
import type { HttpReply } from '../http/message.js';
import type { Page } from '../operator-pages.js';
import type { RouteTable } from '../routing/route.js';
import { documentSteps } from './document.js';
import { once } from '../once.js';

const DOCUMENT_PATH = `${BASE_PATH}/openapi.json`;
const DOCS_PATH = `${BASE_PATH}/docs`;

/** The description of the interface, and a page to read and try it. Nothing is loaded from other servers. */
export function documentPages(table: RouteTable): readonly Page[] {
  const document = once(() => documentText(table));
  const asset = (name: string, type: string): Page => {
    const text = once(() => readFileSync(require.resolve(`swagger-ui-dist/${name}`), 'utf8'));
    return { path: `${DOCS_PATH}/${name}`, respond: () => served(type, text(), 'public, max-age=86400') };
  };
  return [
    { path: DOCUMENT_PATH, respond: async () => served('application/json; charset=utf-8', await document(), 'no-cache') },
    { path: DOCS_PATH, respond: () => served('text/html; charset=utf-8', HTML, 'no-cache') },
    { path: `${DOCS_PATH}/start.js`, respond: () => served('text/javascript; charset=utf-8', START, 'no-cache') },
    asset('swagger-ui.css', 'text/css; charset=utf-8'),
    asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  ];
}

/** Made when somebody first asks, between other requests. */
const documentText = async ({ routes }: RouteTable): Promise<string> => JSON.stringify(await inSteps(documentSteps(routes)));

const require = createRequire(import.meta.url);

/** The page may load and call this server only. The bundled page sets styles of elements, which needs the exception. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const served = (type: string, body: string, caching: string): HttpReply => ({
  status: 200,
  headers: {
    'Content-Type': type,
    'Cache-Control': caching,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  },
  body,
});

const HTML = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Tenor</title>
    <link rel="stylesheet" href="${DOCS_PATH}/swagger-ui.css">
  </head>
  <body>
    <div id="interface"></div>
    <script src="${DOCS_PATH}/swagger-ui-bundle.js"></script>
    <script src="${DOCS_PATH}/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '${DOCUMENT_PATH}',
  dom_id: '#interface',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
`;
