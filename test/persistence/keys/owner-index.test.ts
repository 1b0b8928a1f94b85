import { test } from 'tap';
import { type OwnerBytes, OwnerIndex } from '../../../persistence/keys/owner-index.js';

const WIDTH = 49;

/** Owners in places of one size, each led by its length. */
class Owners implements OwnerBytes {
  image = new Uint8Array(0);

  add(owner: string): number {
    const index = this.image.length / WIDTH;
    const image = new Uint8Array(this.image.length + WIDTH);
    image.set(this.image);
    image[index * WIDTH] = Buffer.from(owner).copy(image, index * WIDTH + 1);
    this.image = image;
    return index;
  }

  ownerAt = (index: number): number => index * WIDTH + 1;
  ownerLength = (index: number): number => this.image[index * WIDTH] ?? 0;
}

test('thousands of owners are found, each at its newest slot, and no others', async (t) => {
  const owners = new Owners();
  const index = new OwnerIndex(owners, 0);
  const known = new Map<string, number>();
  for (let number = 0; number < 3_000; number++) {
    const owner = `PE-${number % 2_000}-Ö`;
    known.set(owner, owners.add(owner));
    index.put(known.get(owner) ?? -1);
  }
  t.equal(known.size, 2_000);
  for (const [owner, slot] of known) if (index.find(owner) !== slot) t.fail(`${owner} is at ${slot}`);
  for (const owner of ['', 'PE-1', 'PE-2000-Ö', 'PE-1-Ö ', 'x'.repeat(200)]) t.equal(index.find(owner), undefined, owner.slice(0, 10));
});
