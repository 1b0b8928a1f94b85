import PDFDocument from 'pdfkit';

/** A PDF of letter pages, drawn by `draw`; rejects with what that throws. */
export function pdfOf(margin: number, draw: (pdf: PDFKit.PDFDocument) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pdf = new PDFDocument({ size: 'LETTER', margin });
    const parts: Buffer[] = [];
    pdf.on('data', (part: Buffer) => parts.push(part));
    pdf.on('error', reject);
    pdf.on('end', () => resolve(Buffer.concat(parts)));
    draw(pdf);
    pdf.end();
  });
}

/**
 * The text with breaks in every run of letters that is longer than so many characters. The library finds the end of a line within such a
 * run by measuring it once more for each character, which takes minutes for a megabyte.
 */
export const withBreaks = (text: string, characters: number): string =>
  text.replace(new RegExp(`\\S{${characters}}(?=\\S)`, 'gu'), (piece) => `${piece}\n`);
