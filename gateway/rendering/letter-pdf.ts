import { blocksOf, type TextBlock, type TextRun } from '../../engine/html/index.js';
import { LIMITS } from '../limits.js';
import { CannotRender } from './jobs.js';
import { pdfOf, withBreaks } from './pdf-pages.js';

const MARGIN = 72;
const SIZES = { paragraph: 11, item: 11, heading: 14 } as const satisfies Readonly<Record<TextBlock['type'], number>>;
const INDENT = 18;
/** Characters without a space before a break: about a line of them. */
const UNBROKEN = 80;

/** A letter's HTML as pages: paragraphs, headings, items and emphasis; its layout and pictures are left out. */
export function letterPdf(html: string): Promise<Buffer> {
  if (html.length > LIMITS.convertedTextBytes) throw new CannotRender('The letter is too large to be converted to PDF.');
  return pdfOf(MARGIN, (pdf) => {
    for (const block of blocksOf(html)) writeBlock(pdf, block);
  });
}

function writeBlock(pdf: PDFKit.PDFDocument, { type, runs }: TextBlock): void {
  pdf.fontSize(SIZES[type]);
  if (type === 'item') pdf.font('Helvetica').text('• ', { continued: true, indent: INDENT });
  runs.forEach(({ text, ...style }, index) => {
    pdf.font(fontOf(type, style)).text(withBreaks(text, UNBROKEN), { continued: index < runs.length - 1 });
  });
  pdf.moveDown(type === 'item' ? 0.3 : 0.7);
}

function fontOf(type: TextBlock['type'], { isBold, isItalic }: Omit<TextRun, 'text'>): string {
  const style = [isBold || type === 'heading' ? 'Bold' : '', isItalic ? 'Oblique' : ''].join('');
  return style === '' ? 'Helvetica' : `Helvetica-${style}`;
}
