import { must } from '../../engine/basics/index.js';
import { LIMITS } from '../limits.js';
import { type ConvertibleType, TOO_LARGE, objectionTo } from './convertible.js';
import { CannotRender } from './jobs.js';
import { pdfOf, withBreaks } from './pdf-pages.js';
import { pngHead, unpacksAsSaid } from './png.js';

const MARGIN = 36;
const LETTER = { width: 612, height: 792 } as const;
const TEXT_SIZE = 9;
/** Courier's letters are all 0.6 of the size wide. */
const COLUMNS = Math.floor((LETTER.width - 2 * MARGIN) / (0.6 * TEXT_SIZE));

interface Writer {
  /** Refuses content that is small to send and too large to draw. */
  readonly refuseLarge: (content: Buffer) => void;
  readonly write: (pdf: PDFKit.PDFDocument, content: Buffer) => void;
}

const TEXT: Writer = { refuseLarge: () => undefined, write: writeText };

/** How each type is drawn. */
const WRITERS: Readonly<Record<string, Writer>> = {
  'image/png': { refuseLarge: refuseLargePng, write: writePicture },
  // Embedded without being decoded.
  'image/jpeg': { refuseLarge: () => undefined, write: writePicture },
  'text/plain': TEXT,
  'text/csv': TEXT,
} satisfies Record<ConvertibleType, Writer>;

/** The content as a PDF of letter pages. Throws `CannotRender`. */
export async function convertedPdf(contentType: string, content: Buffer): Promise<Buffer> {
  const objection = objectionTo(contentType, content.length);
  if (objection !== null) throw new CannotRender(objection);
  const writer = must(WRITERS[contentType], 'what has no objection has a writer');
  writer.refuseLarge(content);
  try {
    return await pdfOf(MARGIN, (pdf) => writer.write(pdf, content));
  } catch (cause) {
    throw new CannotRender(DAMAGED, { cause }); // the library fails on malformed content
  }
}

function writePicture(pdf: PDFKit.PDFDocument, content: Buffer): void {
  pdf.image(content, MARGIN, MARGIN, { fit: [LETTER.width - 2 * MARGIN, LETTER.height - 2 * MARGIN], align: 'center', valign: 'center' });
}

function writeText(pdf: PDFKit.PDFDocument, content: Buffer): void {
  const text = content.toString('utf8').replace(/\r\n?/g, '\n').replace(/\t/g, '    ');
  pdf.font('Courier').fontSize(TEXT_SIZE).text(withBreaks(text, COLUMNS));
}

function refuseLargePng(content: Buffer): void {
  const head = pngHead(content);
  if (!head) throw new CannotRender(DAMAGED);
  if (head.width * head.height > LIMITS.convertedPixels) throw tooLarge();
  if (!head.isUnpacked) return;
  if (head.pixelBytes > LIMITS.unpackedBytes) throw tooLarge();
  if (!unpacksAsSaid(content, head)) throw new CannotRender(DAMAGED);
}

const DAMAGED = 'The document is damaged and cannot be converted to PDF.';
const tooLarge = (): CannotRender => new CannotRender(TOO_LARGE);
