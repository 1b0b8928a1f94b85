import { TEMPLATE_LIMITS } from './limits.js';
import { failLimit } from './template-error.js';

/** What is printed, in pieces. All of it counts, also what is kept in a variable or thrown away. */
export class Printer {
  #pieces: string[] = [];
  #length = 0;

  print(text: string, line: number): void {
    this.#length += text.length;
    if (this.#length > TEMPLATE_LIMITS.outputLength) failLimit(`A template prints ${TEMPLATE_LIMITS.outputLength} characters at most.`, line);
    this.#pieces.push(text);
  }

  /** What is printed meanwhile, instead of printing it. */
  captured(run: () => void): string {
    const outer = this.#pieces;
    this.#pieces = [];
    run();
    const text = this.#pieces.join('');
    this.#pieces = outer;
    return text;
  }
}
