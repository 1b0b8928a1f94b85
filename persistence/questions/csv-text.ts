import { csvLine } from '../../engine/basics/index.js';
import type { Cell } from './messages.js';

/** Lines are put together to one text of about so many characters before they become bytes. */
const TEXT_LENGTH = 256 * 1024;

/** CSV as RFC 4180 has it, gathered as bytes: an empty cell where there is no value. */
export class CsvText {
  readonly #pieces: Buffer[] = [];
  #text = '';

  add(cells: readonly Cell[]): void {
    this.#text += `${csvLine(cells.map((cell) => (cell === null ? '' : String(cell))))}\r\n`;
    if (this.#text.length >= TEXT_LENGTH) this.#keep();
  }

  bytes(): Uint8Array {
    this.#keep();
    return Buffer.concat(this.#pieces);
  }

  #keep(): void {
    this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }
}
