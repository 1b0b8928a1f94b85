import { join } from 'node:path';
import { ExportDamaged } from '../errors.js';
import type { FileLayer } from '../files/file-layer.js';
import { nodeFiles } from '../files/node-files.js';
import { atPath } from '../files/path-unusable.js';
import { NO_HEAD } from '../jetstream/message.js';
import { isBlockWhole, parseBlock, type ParsedBlock, storedBlock } from '../journal/batch-encoder.js';
import { asBuffer, sha256 } from '../journal/format.js';
import type { ShardHead, StoredBlock } from '../ports.js';
import { decodeManifest, type ExportContents, type ExportPart, MANIFEST_NAME, PART_HEADER_BYTES, partHeader } from './manifest.js';

/** An export whose description is sound. */
export interface OpenedExport {
  readonly folder: string;
  readonly contents: ExportContents;
  /** All blocks in their order, with all checks. Records are views of a part's bytes. Throws `ExportDamaged`. */
  blocks(): Iterable<StoredBlock>;
}

/** Throws `ExportDamaged`. */
export async function openExport(folder: string, files: FileLayer = nodeFiles): Promise<OpenedExport> {
  const manifest = join(folder, MANIFEST_NAME);
  const names = await atPath('the export', folder, () => files.list(folder));
  if (!names.includes(MANIFEST_NAME)) throw new ExportDamaged(manifest, 0, 'it is missing: the export was not finished, or this is none');
  const contents = decodeManifest(asBuffer(atPath('the export', manifest, () => files.read(manifest))).toString());
  if (typeof contents === 'string') throw new ExportDamaged(manifest, 0, contents);
  const present = new Set(names);
  const missing = contents.parts.find(({ file }) => !present.has(file));
  if (missing !== undefined) throw new ExportDamaged(join(folder, missing.file), 0, 'the file is missing');
  return { folder, contents, blocks: () => new Reading(files, folder, contents).blocks() };
}

class Reading {
  readonly #heads = new Map<number, ShardHead>();

  constructor(
    private readonly files: FileLayer,
    private readonly folder: string,
    private readonly contents: ExportContents,
  ) {}

  *blocks(): Generator<StoredBlock> {
    for (const [at, part] of this.contents.parts.entries()) yield* this.#blocksOf(part, at + 1);
    for (const { shard, lastSequence, hash } of this.contents.heads) {
      const head = this.#heads.get(shard) ?? NO_HEAD;
      if (head.lastSequence !== lastSequence || Buffer.compare(head.hash, hash) !== 0) {
        throw new ExportDamaged(
          join(this.folder, MANIFEST_NAME),
          0,
          `shard ${shard} ends at record ${head.lastSequence} and should end at ${lastSequence}`,
        );
      }
      this.#heads.delete(shard);
    }
    const [surplus] = this.#heads.keys();
    if (surplus !== undefined) throw new ExportDamaged(join(this.folder, MANIFEST_NAME), 0, `shard ${surplus} is not among its heads`);
  }

  *#blocksOf(part: ExportPart, number: number): Generator<StoredBlock> {
    const path = join(this.folder, part.file);
    const bytes = asBuffer(atPath('the export', path, () => this.files.read(path)));
    const damagedAt = (offset: number, meaning: string): ExportDamaged => new ExportDamaged(path, offset, meaning);
    const isSound = bytes.length === part.bytes && sha256(bytes).toString('hex') === part.sha256;
    if (!bytes.subarray(0, PART_HEADER_BYTES).equals(partHeader(number))) throw damagedAt(0, 'it does not begin as a part of this export');
    // A block that is not sound yields nothing; the walk gives the offset of the damage.
    for (let at = PART_HEADER_BYTES; at < bytes.length; ) {
      const block = parseBlock(bytes, at, bytes.length);
      if (block === undefined) throw damagedAt(at, 'no block begins here');
      if (!isBlockWhole(bytes, block)) throw damagedAt(at, 'the block is not what its hash was made from');
      const misfit = this.#misfit(block);
      if (misfit !== null) throw damagedAt(at, misfit);
      if (isSound) yield storedBlock(bytes, block);
      at += block.length;
    }
    if (!isSound) throw damagedAt(bytes.length, `the file has ${bytes.length} bytes of the ${part.bytes} that were written, or others`);
  }

  /** Why the block does not follow the chain of its shard; undefined where it does. */
  #misfit({ shard, firstSequence, lastSequence, previousHash, hash }: ParsedBlock): string | null {
    const head = this.#heads.get(shard) ?? NO_HEAD;
    this.#heads.set(shard, { lastSequence, hash: Uint8Array.from(hash) });
    if (firstSequence !== head.lastSequence + 1) return `shard ${shard} goes on with record ${firstSequence} behind ${head.lastSequence}`;
    return previousHash.equals(head.hash) ? null : `the chain of shard ${shard} breaks at record ${firstSequence}`;
  }
}
