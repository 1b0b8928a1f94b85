import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { piecesOf } from '../documents/content-store.js';

/**
 * A zip with one file, in pieces, as the content comes: a reader that waits makes the content wait, too. The same content gives the same
 * bytes, on any machine. Throws what the content throws.
 */
export async function* zipped(
  { name, modifiedAt }: { readonly name: string; readonly modifiedAt: number },
  content: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  const source = Readable.from(inSmallPieces(content));
  const output = new PassThrough();
  const failed = (cause: Error): void => void output.destroy(cause);
  source.once('error', failed);
  zip.once('error', failed);
  zip.addReadStream(source, name, { mtime: onClockOfUtc(modifiedAt), mode: FILE_MODE, forceDosTimestamp: true });
  zip.end();
  const packed: AsyncIterable<Uint8Array> = zip.outputStream.pipe(output);
  try {
    yield* packed;
  } finally {
    source.destroy();
  }
}

/** A file that its owner reads and writes, and others read. */
const FILE_MODE = 0o100_644;

/** The checksum of a piece is computed on this thread: other work runs between two of them. */
async function* inSmallPieces(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const piece of content) yield* piecesOf(piece);
}

/** A zip has a clock time without a zone. The library reads it from the clock of the machine, so that this one shows the time of UTC. */
function onClockOfUtc(milliseconds: number): Date {
  const at = new Date(milliseconds);
  return new Date(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds());
}
