/** Where a content lies. Its key is sealed with that of the object to which it belongs: without that key nobody reads it any more. */
export interface SealedContent {
  readonly contentId: string;
  readonly key: Uint8Array;
}

/** A content as its store gave it: the key in clear, in hexadecimal. */
export interface OpenContent {
  readonly contentId: string;
  readonly key: string;
}

interface Sealing {
  seal(owner: string, plain: string, context: string): Uint8Array;
}

interface Opening {
  open(owner: string, sealed: Uint8Array, context: string): string | undefined;
}

export interface SealedContents {
  readonly seal: (env: Sealing, id: string, content: OpenContent) => SealedContent;
  /** Null where the key of the object is gone. */
  readonly open: (env: Opening, id: string, content: SealedContent) => OpenContent | null;
}

/** Contents of objects of a kind. Its name is part of what a key is sealed for, and never changes. */
export function sealedContentsOf(kind: string): SealedContents {
  const contextOf = (id: string, contentId: string): string => `${kind}/${id}/${contentId}`;
  return {
    seal: (env, id, { contentId, key }) => ({ contentId, key: env.seal(id, key, contextOf(id, contentId)) }),
    open(env, id, { contentId, key }) {
      const opened = env.open(id, key, contextOf(id, contentId));
      return opened === undefined ? null : { contentId, key: opened };
    },
  };
}
