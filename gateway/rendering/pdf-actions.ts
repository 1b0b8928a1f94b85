import { inflateSync } from 'node:zlib';
import { LIMITS } from '../limits.js';

/** Actions of a PDF that run, open or send something (ISO 32000-1, 12.6.4), and files within it. */
const ACTS = /\/(?:JavaScript|JS|Launch|SubmitForm|ImportData|RichMedia|EmbeddedFile|EmbeddedFiles|XFA)(?![A-Za-z0-9])/;
const OBJECT_STREAM = /\/Type\s*\/ObjStm(?![A-Za-z0-9])/;

const STREAM = Buffer.from('stream');
const END = Buffer.from('endstream');

/**
 * Whether a PDF has scripts or actions. Dictionaries are read in the file itself and in compressed object streams (7.5.7), not in streams
 * of pages and pictures. An object stream that cannot be read, since it is encrypted or damaged, counts as one with actions.
 */
export function pdfActs(content: Buffer): boolean {
  let inflated = 0;
  let from = 0;
  for (;;) {
    const at = content.indexOf(STREAM, from);
    const dictionaries = namesOf(content.subarray(from, at < 0 ? undefined : at));
    if (ACTS.test(dictionaries)) return true;
    if (at < 0) return false;
    const end = content.indexOf(END, at);
    if (OBJECT_STREAM.test(dictionaries.slice(dictionaries.lastIndexOf('obj')))) {
      const objects = inflatedObjects(content.subarray(at + STREAM.length, end < 0 ? undefined : end), LIMITS.pdfObjectBytes - inflated);
      if (objects === null || ACTS.test(namesOf(objects))) return true;
      inflated += objects.length;
    }
    if (end < 0) return false;
    from = end + END.length;
  }
}

/** Null where the stream is malformed or larger than the bound. */
function inflatedObjects(stream: Buffer, bound: number): Buffer | null {
  const start = stream[0] === 0x0d ? 2 : 1;
  if (bound <= 0) return null;
  try {
    return inflateSync(stream.subarray(start), { maxOutputLength: bound });
  } catch {
    // A stream that cannot be read counts as one with actions, so that the file is refused.
    return null;
  }
}

/** As text, with the escapes of names undone: `/J#53` is `/JS` (7.3.5). */
const namesOf = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/#([0-9a-f]{2})/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
