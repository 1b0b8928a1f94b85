import { LIMITS } from '../limits.js';
import type { Exchanges } from './exchange.js';
import type { HttpStreamReply, StreamConnection } from './message.js';
import { readHead } from './request-head.js';
import type { TemplatedApp, UwsSocket } from './uws.js';

/** Accepts WebSockets on a path. Their request is handled like any other until it is upgraded. */
export function acceptSockets(app: TemplatedApp, path: string, exchanges: Exchanges): void {
  app.ws<SocketData>(path, {
    maxPayloadLength: LIMITS.socketMessageBytes,
    maxBackpressure: LIMITS.streamBufferBytes * 2,
    closeOnBackpressureLimit: true,
    idleTimeout: LIMITS.socketIdleSeconds,
    sendPingsAutomatically: true,
    upgrade: (response, request, context) => {
      const key = request.getHeader('sec-websocket-key');
      const protocol = request.getHeader('sec-websocket-protocol');
      const extensions = request.getHeader('sec-websocket-extensions');
      const exchange = exchanges.begin(response, readHead(response, request, true));
      void exchange.answer(({ start }) => {
        const data: SocketData = { start, isOpen: true, onDrain: () => {}, onClose: () => {} };
        response.cork(() => response.upgrade(data, key, protocol, extensions, context));
      });
    },
    open: (socket) => socket.getUserData().start(connectionOf(socket)),
    drain: (socket) => socket.getUserData().onDrain(),
    close: (socket) => {
      const data = socket.getUserData();
      data.isOpen = false;
      data.onClose();
    },
  });
}

/** The state that a WebSocket carries from its upgrade on. */
interface SocketData {
  readonly start: HttpStreamReply['start'];
  isOpen: boolean;
  onDrain: () => void;
  onClose: () => void;
}

function connectionOf(socket: UwsSocket<SocketData>): StreamConnection {
  const data = socket.getUserData();
  return {
    write: (content) => {
      if (!data.isOpen) return false;
      socket.send(content);
      // Sending closes the socket at once where too much waits in it already.
      return data.isOpen && socket.getBufferedAmount() <= LIMITS.streamBufferBytes;
    },
    together: (run) => {
      if (data.isOpen) socket.cork(run);
    },
    onDrain: (listener) => {
      data.onDrain = listener;
    },
    onClose: (listener) => {
      data.onClose = listener;
    },
    end: () => {
      if (data.isOpen) socket.end(GOING_AWAY, 'the server is closing');
    },
    cut: () => {
      if (data.isOpen) socket.close();
    },
  };
}

/** RFC 6455, 7.4.1. */
const GOING_AWAY = 1001;
