import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { assert } from '../../engine/index.js';
import { ExportDamaged, LocationTaken } from '../errors.js';
import type { FileLayer, OpenFile } from '../files/file-layer.js';
import { nodeFiles } from '../files/node-files.js';
import { atPath } from '../files/path-unusable.js';
import { blockBytes, writeBlock } from '../journal/batch-encoder.js';
import { HASH_BYTES } from '../journal/format.js';
import { limits } from '../limits.js';
import type { ShardHead, StoredBlock } from '../ports.js';
import { NO_HEAD } from '../jetstream/message.js';
import { encodeManifest, type ExportContents, type ExportPart, MANIFEST_NAME, partHeader, partName } from './manifest.js';

/** The contents of an export that are known only at its end. */
export type ExportSummary = Omit<ExportContents, 'parts' | 'records' | 'heads'> & { readonly idCounterOf: (shard: number) => number };

/** Writes an export into an empty folder, in files of bounded size. Each block must follow the chain of its shard. */
export class ExportWriter {
  readonly #parts: ExportPart[] = [];
  readonly #heads = new Map<number, ShardHead>();
  #part: PartFile | null = null;
  records = 0;

  /** Throws `LocationTaken`. */
  static async begin(folder: string, files: FileLayer = nodeFiles): Promise<ExportWriter> {
    const names = await atPath('the export', folder, async () => {
      await files.makeFolder(folder);
      return files.list(folder);
    });
    if (names.length > 0) throw new LocationTaken(`${folder} is not empty: an export needs a folder of its own`);
    return new ExportWriter(folder, files);
  }

  private constructor(
    private readonly folder: string,
    private readonly files: FileLayer,
  ) {}

  /** Throws `ExportDamaged` for a block that does not follow the last one of its shard, or does not match its hash. */
  async add(block: StoredBlock): Promise<void> {
    const before = this.#heads.get(block.shard) ?? NO_HEAD;
    const bytes = Buffer.allocUnsafe(blockBytes(block));
    writeBlock(bytes, 0, block, before.hash);
    const hash = Uint8Array.from(bytes.subarray(bytes.length - HASH_BYTES));
    if (block.firstSequence !== before.lastSequence + 1 || Buffer.compare(hash, block.hash) !== 0) {
      throw new ExportDamaged(`shard ${block.shard}`, block.firstSequence, 'the block read does not follow on the one before it');
    }
    this.#heads.set(block.shard, { lastSequence: block.firstSequence + block.records.length - 1, hash });
    this.records += block.records.length;
    if (this.#part !== null && this.#part.bytes + bytes.length > limits.exportPartBytes) await this.#endPart();
    this.#part ??= await PartFile.begin(this.files, this.folder, this.#parts.length + 1);
    await this.#part.add(bytes, block.records.length);
  }

  /** The heads of the shards. */
  get heads(): ReadonlyMap<number, ShardHead> {
    return this.#heads;
  }

  async finish({ idCounterOf, ...summary }: ExportSummary): Promise<ExportContents> {
    await this.#endPart();
    const heads = [...this.#heads]
      .sort(([one], [other]) => one - other)
      .map(([shard, head]) => ({ shard, ...head, idCounter: idCounterOf(shard) }));
    const contents: ExportContents = { ...summary, records: this.records, heads, parts: this.#parts };
    const file = await this.files.open(join(this.folder, MANIFEST_NAME), 'create');
    try {
      await file.write(Buffer.from(encodeManifest(contents)), 0);
      await file.datasync();
    } finally {
      await file.close();
    }
    await this.files.syncFolder(this.folder);
    return contents;
  }

  /** Removes all files that it has written. */
  async abandon(): Promise<void> {
    await this.#part?.close();
    for (const name of await this.files.list(this.folder)) await this.files.remove(join(this.folder, name));
  }

  async #endPart(): Promise<void> {
    if (this.#part === null) return;
    this.#parts.push(await this.#part.end());
    this.#part = null;
  }
}

/** One file of blocks that is being written. */
class PartFile {
  readonly #hash = createHash('sha256');
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #records = 0;
  bytes = 0;

  static async begin(files: FileLayer, folder: string, number: number): Promise<PartFile> {
    const file = partName(number);
    const part = new PartFile(file, await files.open(join(folder, file), 'create'));
    await part.add(partHeader(number), 0);
    return part;
  }

  private constructor(
    private readonly name: string,
    private readonly file: OpenFile,
  ) {}

  async add(bytes: Uint8Array, records: number): Promise<void> {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#records += records;
    this.bytes += bytes.length;
    if (this.#waitingBytes >= limits.exportWriteBytes) await this.#write();
  }

  async end(): Promise<ExportPart> {
    await this.#write();
    await this.file.datasync();
    await this.file.close();
    return { file: this.name, bytes: this.bytes, records: this.#records, sha256: this.#hash.digest('hex') };
  }

  close(): Promise<void> {
    return this.file.close();
  }

  async #write(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    assert(bytes.length === this.#waitingBytes, 'what waits is what was counted');
    this.#hash.update(bytes);
    await this.file.write(bytes, this.bytes - bytes.length);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
