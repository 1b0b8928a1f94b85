import PDFDocument from 'pdfkit';
import { Refusal } from '../../actors/index.js';
import { LIMITS } from '../limits.js';

const MARGIN = 36;
const LETTER = { width: 612, height: 792 } as const;

/** Contents that can be made a PDF, and how each comes onto its pages. */
const WRITERS: Readonly<Record<string, (pdf: PDFKit.PDFDocument, content: Buffer) => void>> = {
  'image/png': writePicture,
  'image/jpeg': writePicture,
  'text/plain': writeText,
  'text/csv': writeText,
};

/** The content as a PDF of letter pages. */
export function toPdf(contentType: string, content: Buffer): Promise<Buffer> {
  const write = WRITERS[contentType];
  if (!write) throw new Refusal('businessValidation', `A document of the type ${contentType} cannot be converted.`);
  refuseLarge(contentType, content);
  return new Promise((resolve, reject) => {
    const pdf = new PDFDocument({ size: [LETTER.width, LETTER.height], margin: MARGIN });
    const parts: Buffer[] = [];
    pdf.on('data', (part: Buffer) => parts.push(part));
    pdf.on('error', reject);
    pdf.on('end', () => resolve(Buffer.concat(parts)));
    try {
      write(pdf, content);
    } catch (cause) {
      // The library decodes what a stranger has sent.
      reject(new Refusal('businessValidation', 'The content is damaged and cannot be converted.', { cause }));
      return;
    }
    pdf.end();
  });
}

function writePicture(pdf: PDFKit.PDFDocument, content: Buffer): void {
  pdf.image(content, MARGIN, MARGIN, { fit: [LETTER.width - 2 * MARGIN, LETTER.height - 2 * MARGIN], align: 'center', valign: 'center' });
}

function writeText(pdf: PDFKit.PDFDocument, content: Buffer): void {
  pdf.font('Courier').fontSize(9).text(content.toString('utf8').replace(/\r\n?/g, '\n').replace(/\t/g, '    '));
}

/** What takes little to send may take much to draw. */
function refuseLarge(contentType: string, content: Buffer): void {
  const isTooLarge =
    contentType === 'image/png'
      ? content.length < 24 || content.readUInt32BE(16) * content.readUInt32BE(20) > LIMITS.convertedPixels
      : contentType.startsWith('text/') && content.length > LIMITS.convertedTextBytes;
  if (isTooLarge) throw new Refusal('businessValidation', 'The content is too large to be converted.');
}
