import './environment.js';
import type { us_listen_socket as ListenSocket } from 'uWebSockets.js';

/** Parts of the library that its types lack. */
declare module 'uWebSockets.js' {
  export const LIBUS_LISTEN_EXCLUSIVE_PORT: number;

  // oxlint-disable-next-line no-unused-vars -- adds a method to the interface of the library
  interface TemplatedApp {
    listen(host: string, port: number, options: number, cb: (socket: ListenSocket | false) => void): TemplatedApp;
  }
}

/*
 * The only file that imports the server library: an installation with another source of it changes this line.
 *
 * The rules of the library, which the files of this folder keep: a request may be read only during its callback, so it is copied first
 * (`request-head.ts`); `onAborted` is set before the first await, and nothing may be sent after it (`exchange.ts`); the chunks of a body
 * are freed when the callback returns (`body-reader.ts`); later writes are corked.
 */
export {
  App,
  getParts,
  type HttpRequest as UwsRequest,
  type HttpResponse as UwsResponse,
  LIBUS_LISTEN_EXCLUSIVE_PORT,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
  type WebSocket as UwsSocket,
} from 'uWebSockets.js';
