/** What a thread does with one file or key. Files are moved between threads, not copied. */
export type PgpJob =
  | { readonly type: 'check'; readonly publicKey: string }
  | { readonly type: 'pair' }
  | { readonly type: 'seal'; readonly content: Uint8Array; readonly publicKey: string | null; readonly signingKey: string | null }
  | {
      readonly type: 'open';
      readonly content: Uint8Array;
      readonly privateKey: string;
      readonly senderKey: string | null;
      readonly mostBytes: number;
    };

/** A new pair of keys, both armored. The private one has no passphrase: it is stored sealed. */
export interface PgpPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

export interface PgpResults {
  /** Null: the key can be used. */
  readonly check: null;
  readonly pair: PgpPair;
  readonly seal: Uint8Array;
  readonly open: Uint8Array;
}

/** Why it cannot be done, in words that show nothing of the file. */
export interface PgpFault {
  readonly fault: string;
}

export type PgpAnswer<Type extends PgpJob['type']> = { readonly result: PgpResults[Type] } | PgpFault;
