import { LIMITS } from '../limits.js';

/** A file in pieces, none of which holds the thread for long. */
export function* piecesOf(content: Uint8Array): Iterable<Buffer> {
  for (let at = 0; at < content.length; at += LIMITS.filePieceBytes)
    yield Buffer.from(content.buffer, content.byteOffset + at, Math.min(LIMITS.filePieceBytes, content.length - at));
}

/** Resolves when the event loop has taken in what has come meanwhile. */
export const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
