import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Test } from 'tap';
import { type SftpServer, sftpServerFor } from '../../../persistence/sftp-server.js';
import { tempFolder } from '../../../temp-folder.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type Data, openSettled, type SettledLender } from './settled-lender.js';

export interface SentTapes extends SettledLender {
  readonly server: SftpServer;
  /** Where the server keeps what it gets. */
  readonly folder: string;
  /** How a tape reaches the server. */
  readonly address: object;
  readonly types: string;
  readonly tapes: string;
  tape(type: object, more?: object): Promise<string>;
  order(tapeId: string, body?: object): Promise<Data>;
  /** Makes a file; its record and what the server has got. */
  made(tapeId: string, body?: object): Promise<{ readonly file: Data; readonly content: Buffer }>;
  newest(tapeId: string): Promise<Data>;
  received(file: Data): Buffer;
  /** How many sections of a file are recorded, while it is made. */
  sections(fileId: unknown): Promise<number>;
}

/** A lender whose tapes go to a real server of files. */
export async function openSentTapes(t: Test): Promise<SentTapes> {
  const lender = await openSettled(t);
  const { ask, company, h } = lender;
  const folder = t.testdir({});
  const server = await sftpServerFor(t, folder);
  const address = { sftpHostname: `127.0.0.1:${server.port}`, sftpUsername: server.username, sftpPassword: server.password };
  const types = `/companies/${company}/loan-tape-types`;
  const tapes = `/companies/${company}/loan-tapes`;
  const newest = async (tapeId: string): Promise<Data> => listOf(await ask('GET', `${tapes}/${tapeId}/files`))[0] ?? {};
  const received = (file: Data): Buffer => readFileSync(join(folder, String(file['fileName'])));
  const order = async (tapeId: string, body: object = {}): Promise<Data> => {
    const ordered = await ask('POST', `${tapes}/${tapeId}/files`, body);
    if (ordered.status !== 201) throw new Error(ordered.text);
    return dataOf(ordered);
  };
  return {
    ...lender,
    server,
    folder,
    address,
    types,
    tapes,
    newest,
    received,
    order,
    async tape(type, more = {}) {
      const made = await ask('POST', types, { tapeName: 'Loans', tapeType: 'loans', compressionType: 'noCompression', ...type });
      if (made.status !== 200) throw new Error(made.text);
      return idOf(await ask('POST', tapes, { loanTapeTypeId: idOf(made), ...address, status: 'paused', ...more }));
    },
    async made(tapeId, body = {}) {
      await order(tapeId, body);
      await h.campaigns.tapesSettled();
      const file = await newest(tapeId);
      if (file['status'] !== 'succeeded') throw new Error(JSON.stringify(file));
      return { file, content: received(file) };
    },
    async sections(fileId) {
      // For the runner: no answer of the interface.
      const asked = { company, mode: 'test', type: 'loanTapeFile.work', target: String(fileId), params: {}, query: {} } as const;
      const { state } = (await h.engine.query({ ...asked, permissions: new Set() })) as {
        readonly state: { readonly sections: readonly unknown[] };
      };
      return state.sections.length;
    },
  };
}

export const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
export const linesOf = (content: Buffer): readonly string[] => content.toString('utf8').trimEnd().split('\r\n');

/** What external ids the rows have, in their order. */
export async function rowsOfParquet(t: Test, content: Buffer): Promise<readonly unknown[]> {
  const path = join(tempFolder(t), 'tape.parquet');
  writeFileSync(path, content);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const read = await connection.runAndReadAll(`SELECT coalesce("loanExternalId", '') AS name FROM '${path}' ORDER BY name`);
  return read.getRowsJson().map(([name]) => name);
}
