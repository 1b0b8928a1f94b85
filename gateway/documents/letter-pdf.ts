import PDFDocument from 'pdfkit';
import { blocksOf, type TextBlock, type TextRun } from '../../engine/index.js';
import { Refusal } from '../../actors/index.js';
import { LIMITS } from '../limits.js';

const MARGIN = 72;
const SIZES = { paragraph: 11, item: 11, heading: 14 } as const satisfies Readonly<Record<TextBlock['type'], number>>;
const INDENT = 18;

/** A letter's HTML as pages: paragraphs, headings, items and emphasis; its layout and pictures are left out. */
export function letterPdf(html: string): Promise<Buffer> {
  if (html.length > LIMITS.convertedTextBytes) throw new Refusal('businessValidation', 'The content is too large to be converted.');
  return new Promise((resolve, reject) => {
    const pdf = new PDFDocument({ size: 'LETTER', margin: MARGIN });
    const parts: Buffer[] = [];
    pdf.on('data', (part: Buffer) => parts.push(part));
    pdf.on('error', reject);
    pdf.on('end', () => resolve(Buffer.concat(parts)));
    for (const block of blocksOf(html)) writeBlock(pdf, block);
    pdf.end();
  });
}

function writeBlock(pdf: PDFKit.PDFDocument, { type, runs }: TextBlock): void {
  pdf.fontSize(SIZES[type]);
  if (type === 'item') pdf.font('Helvetica').text('• ', { continued: true, indent: INDENT });
  runs.forEach(({ text, ...style }, index) => {
    pdf.font(fontOf(type, style)).text(text, { continued: index < runs.length - 1 });
  });
  pdf.moveDown(type === 'item' ? 0.3 : 0.7);
}

function fontOf(type: TextBlock['type'], { isBold, isItalic }: Omit<TextRun, 'text'>): string {
  const style = [isBold || type === 'heading' ? 'Bold' : '', isItalic ? 'Oblique' : ''].join('');
  return style === '' ? 'Helvetica' : `Helvetica-${style}`;
}
