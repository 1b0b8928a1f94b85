import { inflateSync } from 'node:zlib';

/** The header of a PNG (PNG specification, 11.2.2). */
export interface PngHead {
  readonly width: number;
  readonly height: number;
  /** Bytes of its pixels, uncompressed, with one byte before each row. */
  readonly pixelBytes: number;
  /** Whether its pixels must be unpacked to be drawn; others are embedded unchanged. */
  readonly isUnpacked: boolean;
}

const SIGNATURE = 8;
const HEAD_END = 33;
/** Samples of a pixel, by the color type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const ALPHA: ReadonlySet<number> = new Set([4, 6]);

/** Undefined for content that is not a PNG. */
export function pngHead(content: Buffer): PngHead | undefined {
  if (content.length < HEAD_END || content.toString('latin1', SIGNATURE + 4, SIGNATURE + 8) !== 'IHDR') return undefined;
  const [width, height, depth, colorType] = [content.readUInt32BE(16), content.readUInt32BE(20), content[24] ?? 0, content[25] ?? 0];
  const samples = SAMPLES[colorType];
  if (samples === undefined || width === 0 || height === 0) return undefined;
  const isInterlaced = content[28] !== 0;
  const rows = isInterlaced ? 2 * height + 7 : height; // the rows of all seven passes together
  return {
    width,
    height,
    pixelBytes: height * Math.ceil((width * samples * depth) / 8) + rows * 8,
    isUnpacked: ALPHA.has(colorType) || isInterlaced || [...chunksOf(content)].some(({ type }) => type === 'tRNS'),
  };
}

/**
 * Whether its pixels are no more than its head says: a picture may claim to be small and unpack to gigabytes. Takes no more memory than
 * that.
 */
export function unpacksAsSaid(content: Buffer, { pixelBytes }: PngHead): boolean {
  const packed = [...chunksOf(content)].filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  try {
    inflateSync(Buffer.concat(packed), { maxOutputLength: pixelBytes });
    return true;
  } catch {
    return false; // damaged, or larger: neither can be drawn
  }
}

function* chunksOf(content: Buffer): Iterable<{ readonly type: string; readonly data: Buffer }> {
  for (let at = SIGNATURE; at + 12 <= content.length; ) {
    const length = content.readUInt32BE(at);
    yield { type: content.toString('latin1', at + 4, at + 8), data: content.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}
