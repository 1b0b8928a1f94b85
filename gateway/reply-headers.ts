import { API_VERSION } from '../actors/index.js';
import { SharedHeaders } from './http/message.js';

const VERSION_HEADER = ['X-API-Version', API_VERSION] as const;

export const EMPTY_HEADERS = new SharedHeaders(VERSION_HEADER, {});

/** Replies hold personal data: no cache may keep them. */
export const JSON_HEADERS = new SharedHeaders(VERSION_HEADER, {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
});

/** A page without scripts and without anything loaded from another server. */
export const HTML_HEADERS = new SharedHeaders(VERSION_HEADER, {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
});

export const STREAM_HEADERS = new SharedHeaders(VERSION_HEADER, {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
});

export const CSV_HEADERS = new SharedHeaders(VERSION_HEADER, {
  'Content-Type': 'text/csv; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Disposition': 'attachment; filename="report.csv"',
});

/** An uploaded file: nothing in it runs, and no browser guesses another type than the checked one. */
export const FILE_HEADERS = new SharedHeaders(VERSION_HEADER, {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
});
