/** What `KeyValue.look` answers, from a copy that is overwritten afterwards: what keeps bytes of it fails in tests. */
export function lookedAt<Made>(value: Uint8Array, read: (value: Uint8Array) => Made): Made {
  const bytes = Uint8Array.from(value);
  try {
    return read(bytes);
  } finally {
    bytes.fill(0xff);
  }
}
