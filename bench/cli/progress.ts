import { Presets, SingleBar } from 'cli-progress';

/** Milliseconds between two lines where there is no terminal. */
const LINE_EVERY_MS = 10_000;

export interface Progress<Values extends object> {
  update(done: number, values: Values): void;
  stop(): void;
}

/** How it looks: `format` is that of cli-progress, `line` what is written elsewhere. */
export interface ProgressLook<Values extends object> {
  readonly total: number;
  readonly first: Values;
  readonly format: string;
  /** `since`: what was told last, and how long ago in milliseconds. */
  line(percent: number, values: Values, since: { readonly values: Values; readonly ms: number }): string;
}

/** A bar on a terminal, a line every ten seconds elsewhere, on stderr. */
export function showProgress<Values extends object>(look: ProgressLook<Values>): Progress<Values> {
  return process.stderr.isTTY ? bar(look) : lines(look);
}

function bar<Values extends object>({ total, first, format }: ProgressLook<Values>): Progress<Values> {
  const shown = new SingleBar({ format, hideCursor: true, stream: process.stderr }, Presets.shades_classic);
  shown.start(total, 0, first);
  return { update: (done, values) => shown.update(done, values), stop: () => shown.stop() };
}

function lines<Values extends object>({ total, first, line }: ProgressLook<Values>): Progress<Values> {
  let last = { values: first, at: Date.now() };
  return {
    update(done, values) {
      const now = Date.now();
      if (now - last.at < LINE_EVERY_MS) return;
      process.stderr.write(`${line(Math.floor((done * 100) / total), values, { values: last.values, ms: now - last.at })}\n`);
      last = { values, at: now };
    },
    stop: () => undefined,
  };
}
