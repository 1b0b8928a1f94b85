import type { KeyStore } from '../../actors/index.js';
import type { VirtualTime } from './virtual-time.js';

const FLUSH_MS = [0.1, 1] as const;

/** Data keys that all workers share, and that never fail: other tests check the key stores. */
export class SharedKeys implements KeyStore {
  readonly #owners = new Map<string, 'key' | 'destroyed'>();

  constructor(private readonly time: VirtualTime) {}

  create(owner: string): void {
    if (!this.#owners.has(owner)) this.#owners.set(owner, 'key');
  }

  has(owner: string): boolean {
    return this.#owners.get(owner) === 'key';
  }

  knows(owner: string): boolean {
    return this.#owners.has(owner);
  }

  get durableOwners(): number {
    return this.#owners.size;
  }

  hasRoom(): boolean {
    return true;
  }

  seal(owner: string, plain: string, context: string): Uint8Array {
    return Buffer.from(JSON.stringify([owner, context, plain]));
  }

  open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    const [sealedFor, sealedIn, plain] = JSON.parse(Buffer.from(sealed).toString()) as readonly string[];
    return this.has(owner) && sealedFor === owner && sealedIn === context ? plain : undefined;
  }

  flush(): Promise<void> {
    return this.time.pause(...FLUSH_MS);
  }

  async destroy(owner: string): Promise<void> {
    this.#owners.set(owner, 'destroyed');
    await this.flush();
  }

  async rotate(): Promise<void> {
    await this.flush();
  }

  async close(): Promise<void> {
    await this.flush();
  }
}
