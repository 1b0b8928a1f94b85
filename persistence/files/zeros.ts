const zeros = Buffer.alloc(64 * 1024);

export function isZero(bytes: Buffer): boolean {
  return endOfContent(bytes, 0) === 0;
}

/** Offset behind the last byte that is not zero, at least `from`. */
export function endOfContent(bytes: Buffer, from: number): number {
  let end = bytes.length;
  while (end - from >= zeros.length && bytes.compare(zeros, 0, zeros.length, end - zeros.length, end) === 0) end -= zeros.length;
  while (end > from && bytes[end - 1] === 0) end -= 1;
  return end;
}
