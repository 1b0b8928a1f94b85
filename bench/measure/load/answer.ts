/**
 * Finds the ends of answers in what a connection receives. It reads only what that takes: the status, and the length of the body.
 */
export class AnswerReader {
  /** The beginning of an answer whose head is incomplete. */
  #begun: Buffer | null = null;
  /** Bytes of the answer under way that are not received yet. */
  #missing = 0;
  #status = 0;
  #text = '';

  /** The status of the answer that ends with these bytes; 0 when more is to come. There is one request at a time. */
  take(bytes: Buffer): number {
    if (this.#missing === 0) return this.#begin(this.#begun === null ? bytes : Buffer.concat([this.#begun, bytes]));
    this.#missing -= bytes.length;
    return this.#missing > 0 ? 0 : this.#status;
  }

  /** The beginning of an answer that was no success, to show the reason. */
  get failureText(): string {
    return this.#text;
  }

  #begin(bytes: Buffer): number {
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) {
      this.#begun = Buffer.from(bytes); // the connection reuses its memory
      return 0;
    }
    this.#begun = null;
    this.#status = digits(bytes, STATUS_AT);
    if (this.#status < 200 || this.#status > 299) this.#text = bytes.toString('latin1', 0, FAILURE_BYTES);
    this.#missing = Math.max(0, headEnd + HEAD_END.length + bodyBytes(bytes, headEnd) - bytes.length);
    return this.#missing > 0 ? 0 : this.#status;
  }
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** Where the digits stand in `HTTP/1.1 201 Created`. */
const STATUS_AT = 9;
const FAILURE_BYTES = 500;

/** Both spellings of the field's name, so that it is found without reading each line. */
const LENGTHS = [Buffer.from('\nContent-Length: '), Buffer.from('\ncontent-length: ')];

/** 0 without the field, as of an answer without a body. */
function bodyBytes(bytes: Buffer, headEnd: number): number {
  for (const name of LENGTHS) {
    const at = bytes.indexOf(name);
    if (at >= 0 && at < headEnd) return digits(bytes, at + name.length);
  }
  return 0;
}

function digits(bytes: Buffer, start: number): number {
  let value = 0;
  for (let at = start; at < bytes.length; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return value;
}
