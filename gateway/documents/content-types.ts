import { fileTypeFromBuffer } from 'file-type';
import { isUtf8 } from 'node:buffer';
import { Refusal, refuseProperty } from '../../actors/index.js';
import type { UploadedFile } from '../wire/upload.js';
import { yieldToOthers } from '../fair-scheduler.js';
import { piecesOf } from './content-store.js';

interface ContentType {
  readonly mime: string;
  readonly extensions: readonly string[];
  /** Types detected from the first bytes; null: a text, which has no signature. */
  readonly sniffed: readonly string[] | null;
  /** Other names of the type. */
  readonly alsoCalled?: readonly string[];
}

/** The types of documents. */
const CONTENT_TYPES: readonly ContentType[] = [
  { mime: 'application/pdf', extensions: ['pdf'], sniffed: ['application/pdf'] },
  { mime: 'image/png', extensions: ['png'], sniffed: ['image/png', 'image/apng'] },
  { mime: 'image/jpeg', extensions: ['jpg', 'jpeg'], sniffed: ['image/jpeg'], alsoCalled: ['image/jpg'] },
  { mime: 'image/tiff', extensions: ['tif', 'tiff'], sniffed: ['image/tiff'] },
  {
    mime: 'image/heic',
    extensions: ['heic', 'heif'],
    sniffed: ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
    alsoCalled: ['image/heif'],
  },
  { mime: 'text/plain', extensions: ['txt'], sniffed: null },
  { mime: 'text/csv', extensions: ['csv'], sniffed: null, alsoCalled: ['application/csv'] },
  { mime: 'application/msword', extensions: ['doc'], sniffed: ['application/x-cfb'] },
  { mime: 'application/vnd.ms-excel', extensions: ['xls'], sniffed: ['application/x-cfb'] },
  {
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extensions: ['docx'],
    sniffed: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  },
  {
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extensions: ['xlsx'],
    sniffed: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  },
];

/** Declared types that say nothing about the content. */
const NOTHING_SAID: ReadonlySet<string | null> = new Set([
  null,
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
]);

/**
 * The type of a file by its content, and by the declared type where there is one. Throws 415 for other types, 400 where the two contradict
 * each other. `pdfActs` finds out whether a PDF has scripts or actions.
 */
export async function contentTypeOf(
  { content, contentType, fileName }: UploadedFile,
  knownName: string | null,
  pdfActs: (content: Buffer) => Promise<boolean>,
): Promise<string> {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(fileName ?? knownName ?? '')?.[1]?.toLowerCase();
  const said = NOTHING_SAID.has(contentType)
    ? CONTENT_TYPES.find(({ extensions }) => extension !== undefined && extensions.includes(extension))
    : CONTENT_TYPES.find(({ mime, alsoCalled = [] }) => mime === contentType || alsoCalled.includes(contentType ?? ''));
  if (!said && !NOTHING_SAID.has(contentType)) throw unsupported();
  const found = await sniff(content);
  const fitting = CONTENT_TYPES.filter(({ sniffed }) => (sniffed === null ? found === TEXT : sniffed.includes(found)));
  const [first] = fitting;
  if (!first) throw unsupported();
  const named = extension === undefined ? undefined : CONTENT_TYPES.find(({ extensions }) => extensions.includes(extension));
  if (named && !fitting.includes(named))
    return refuseProperty('file', `the content of ${named.mime}`, `\`file\` is named .${extension}, but its content is of another type.`);
  if (first.mime === PDF && (await pdfActs(content)))
    return refuseProperty('file', 'a PDF without scripts and actions', '`file` is a PDF with a script or action. Remove it first.');
  if (!said) return first.mime;
  if (fitting.includes(said)) return said.mime;
  return refuseProperty('file', `the content of ${said.mime}`, `\`file\` was sent as ${said.mime}, but its content is of another type.`);
}

const PDF = 'application/pdf';
const TEXT = 'text';
const UNKNOWN = 'unknown';
/** Control characters, which a text file does not have. */
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

async function sniff(content: Buffer): Promise<string> {
  const found = await fileTypeFromBuffer(content).catch(() => undefined); // a file that ends in the middle of its marks has none
  if (found) return found.mime;
  return (await isText(content)) ? TEXT : UNKNOWN;
}

async function isText(content: Buffer): Promise<boolean> {
  if (!isUtf8(content) || RUNS.test(content.toString('utf8', 0, SNIFFED_BYTES).slice(0, SNIFFED_LETTERS))) return false;
  for (const piece of piecesOf(content)) {
    if (CONTROL.test(piece.toString('latin1'))) return false; // those characters are one byte each in UTF-8
    await yieldToOthers();
  }
  return true;
}

const SNIFFED_LETTERS = 1024;
/** A letter has four bytes at most. */
const SNIFFED_BYTES = 4 * SNIFFED_LETTERS;
/** Content that a browser (WHATWG MIME Sniffing 7.1) or a shell would run, whatever its name is. */
const RUNS =
  /^\uFEFF?\s*(?:#!|<\?(?:xml|php)|<%|<!--|<!doctype|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|svg|math|object|embed|link|meta|base)[\s/>])/i;

const unsupported = (): Refusal =>
  new Refusal('unsupportedMediaType', 'Unsupported type of file. Upload a PDF, a picture, a text, or a Word or Excel file.', {
    errors: [
      { path: 'file', expected: CONTENT_TYPES.map(({ mime }) => mime).join(', '), message: 'file has a type that is not supported' },
    ],
  });

/** Types that a browser shows without running anything in them. */
const SHOWN: ReadonlySet<string> = new Set(['application/pdf', 'image/png', 'image/jpeg', 'text/plain']);

/** `Content-Disposition` of a download (RFC 6266). */
export function dispositionOf(contentType: string, wanted: 'inline' | 'attachment', name: string): string {
  const how = wanted === 'inline' && SHOWN.has(contentType) ? 'inline' : 'attachment';
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
