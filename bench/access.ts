import type { Blobs, CommandRequest, Engine, FactMove, Outcome, Recomputed, ShardsReport, Tenant } from '../actors/index.js';
import type { ExportSource, RestoreTarget } from '../persistence/index.js';
import type { Settings } from './cli/settings.js';

/** How the commands of the command line reach a service or an offline store. */
export interface Access {
  /** Opens the data folder and starts an engine on it; throws `SettingsError` with all faults when the settings are wrong. */
  open(flags: Readonly<Record<string, unknown>>): Promise<Service>;
  /**
   * Opens the data folder without an engine; nothing is written but what opening repairs. `checkRecords` reads every record of the
   * snapshots first.
   */
  openOfflineStore(flags: Readonly<Record<string, unknown>>, how: { readonly checkRecords: boolean }): Promise<OfflineStore>;
  /** What can be exported: of a cluster where its server is named, else of a data folder. */
  openSource(flags: Readonly<Record<string, unknown>>): Promise<ExportSource>;
  /** What can be restored into: the same, while nothing is in it. */
  openTarget(flags: Readonly<Record<string, unknown>>): Promise<RestoreTarget>;
  /** Joins the cluster as a worker, and takes its units. */
  openWorker(flags: Readonly<Record<string, unknown>>): Promise<WorkerService>;
  /** Joins the cluster as a gateway. */
  openGateway(flags: Readonly<Record<string, unknown>>): Promise<GatewayService>;
  /** Asks a cluster for the state of its shards, without joining it. */
  askShards(flags: Readonly<Record<string, unknown>>): Promise<ShardsReport>;
}

/** The parts of one process, wired together. A command opens it and closes it. */
export interface Service {
  readonly settings: Settings;
  readonly engine: Engine;
  /** Where contents of documents are stored. */
  readonly blobs: () => Promise<Blobs>;
  /** Serves the interface; resolves when it listens. */
  serve(): Promise<Serving>;
  close(): Promise<void>;
}

export interface Serving {
  readonly url: string;
  /** Accepts no more requests, finishes those that run, and stops. */
  close(): Promise<void>;
}

/** What walking every block and chain of a journal has found. */
export interface WalkedJournal {
  /** None in a cluster. */
  readonly segments: number;
  readonly batches: number;
  readonly records: number;
  readonly shards: number;
  readonly findings: readonly { readonly where: string; readonly message: string }[];
}

/** The parts of a data folder without an engine: for commands that check and repair it while no service runs. */
export interface OfflineStore {
  readonly settings: Settings;
  /** Wraps all data keys with another master key. */
  readonly rotateKeys: (masterKey: Uint8Array) => Promise<void>;
  walkJournal(): Promise<WalkedJournal>;
  /** Of these persons, those whose data cannot be opened: their key is missing, or is another one. */
  keyFaults(persons: Iterable<string>): Promise<readonly { readonly owner: string; readonly message: string }[]>;
  /** Whether memory can be computed from snapshots, too. */
  readonly servesSnapshots: boolean;
  /** Where the master key lies; null when the environment carries it. */
  readonly masterKeyFile: string | null;
  /** Snapshot environments that were found damaged when every record was read. */
  readonly setAside: readonly { readonly environment: string; readonly reason: string; readonly movedTo: string }[];
  /** Memory as a start would find it, or from the journal alone. Rejects when the journal cannot be opened. */
  recompute(from: 'served' | 'journalAlone'): Promise<Recomputed>;
  /** Computes memory from the journal alone, and reports each move of a statechart. */
  watchMoves(see: (move: FactMove) => void): Promise<void>;
  close(): Promise<void>;
}

/** What creates companies: an engine, or a gateway of a cluster. */
export interface CompanyMaker {
  /** All companies, each in its modes. */
  tenants(): readonly Tenant[];
  newSharedId(prefix: string): string | Promise<string>;
  execute(command: CommandRequest): Promise<Outcome>;
  stateOf<State>(tenant: Tenant, kind: string, id: string): State | undefined;
}

/** A worker of a cluster, which serves its units until it is closed. */
export interface WorkerService {
  /** Its name in the cluster. */
  readonly name: string;
  /** Where it serves metrics and health; null = nowhere. */
  readonly operatorUrl: string | null;
  /** Resolves when the other workers took over its units because they believed it dead: it owns nothing any more. */
  readonly ended: Promise<void>;
  /** Finishes what was accepted, and hands all units over. */
  close(): Promise<void>;
}

/** A gateway of a cluster. */
export interface GatewayService {
  readonly settings: Settings;
  readonly companies: CompanyMaker;
  /** Serves the interface; resolves when it listens. */
  serve(): Promise<Serving>;
  close(): Promise<void>;
}
