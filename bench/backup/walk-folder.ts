import { verifyJournal } from '../../persistence/index.js';
import type { WalkedJournal } from '../house.js';

/** Every block and chain of the segments in a folder. */
export async function walkFolder(folder: string): Promise<WalkedJournal> {
  const { segments, batches, records, heads, findings } = await verifyJournal(folder);
  return {
    segments,
    batches,
    records,
    shards: heads.size,
    findings: findings.map(({ file, offset, case: { name, meaning } }) => ({
      where: `${file} at byte ${offset}`,
      message: `${name}: ${meaning}`,
    })),
  };
}
