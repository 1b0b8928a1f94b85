import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../engine/index.js';

/*
 * Reads and damages the files of a stream of a stopped nats-server. A file of messages is a row of
 *
 *   | length of all | 4 bytes; the highest bit is set if the message has headers |
 *   | sequence | 8 bytes |
 *   | time | 8 bytes |
 *   | length of the subject | 2 bytes |
 *   | subject, headers and data | |
 *   | checksum | 8 bytes |
 */
export interface StoredMessage {
  readonly sequence: number;
  readonly subject: string;
  readonly offset: number;
  readonly length: number;
}

const HAS_HEADERS = 0x8000_0000;
const SUBJECT_AT = 22;

/** The newest file of a stream's messages. */
export class StoredStream {
  readonly #messages: string;
  readonly #file: string;

  constructor(serverFolder: string, stream: string) {
    this.#messages = join(serverFolder, 'store', 'jetstream', '$G', 'streams', stream, 'msgs');
    const numbers = readdirSync(this.#messages)
      .flatMap((name) => /^(\d+)\.blk$/.exec(name)?.[1] ?? [])
      .map(Number);
    this.#file = join(this.#messages, `${Math.max(...numbers)}.blk`);
  }

  get messages(): readonly StoredMessage[] {
    const bytes = readFileSync(this.#file);
    const found: StoredMessage[] = [];
    for (let offset = 0; offset < bytes.length; ) {
      const length = bytes.readUInt32LE(offset) & ~HAS_HEADERS;
      const subjectEnd = offset + SUBJECT_AT + bytes.readUInt16LE(offset + 20);
      found.push({
        offset,
        length,
        sequence: Number(bytes.readBigUInt64LE(offset + 4)),
        subject: bytes.toString('utf8', offset + SUBJECT_AT, subjectEnd),
      });
      offset += length;
    }
    return found;
  }

  /** Removes it and all later messages, as if they had never been flushed. */
  loseFrom(sequence: number): void {
    truncateSync(this.#file, this.#stored(sequence).offset);
    this.#forgetIndex();
  }

  /** Changes a byte in the middle of a message. */
  damage(sequence: number): void {
    const { offset, length } = this.#stored(sequence);
    const bytes = readFileSync(this.#file);
    const at = offset + Math.floor((length * 3) / 4);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(this.#file, bytes);
    this.#forgetIndex();
  }

  #stored(sequence: number): StoredMessage {
    return must(
      this.messages.find((message) => message.sequence === sequence),
      `message ${sequence} is stored`,
    );
  }

  /** Removes the index, which the server builds again from the messages. */
  #forgetIndex(): void {
    for (const name of readdirSync(this.#messages)) if (/\.(idx|fss)$/.test(name)) rmSync(join(this.#messages, name));
  }
}
