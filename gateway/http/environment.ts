import { LIMITS } from '../limits.js';

// The server library reads its header limit from the environment while it is loaded, so this file is imported first.
process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(LIMITS.headerBytes);
