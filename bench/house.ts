import type { Engine } from '../actors/index.js';
import type { Settings } from './settings.js';

/** The parts of one process, wired together. Subcommands get it from the front door and close it. */
export interface House {
  readonly settings: Settings;
  readonly engine: Engine;
  /** Serves the interface; resolves when it listens. */
  serve(): Promise<Serving>;
  close(): Promise<void>;
}

export interface Serving {
  readonly url: string;
  /** Takes no more, finishes what runs, and stops. */
  close(): Promise<void>;
}

/** What subcommands ask of the front door. */
export interface Door {
  /** Opens the data folder; throws `SettingsError` with all faults when the settings are wrong. */
  open(flags: Readonly<Record<string, unknown>>): Promise<House>;
}

/** The exit codes of all subcommands. */
export const EXIT = { done: 0, finding: 1, usage: 2 } as const;
