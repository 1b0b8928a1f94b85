import { openInstance } from './view-database.js';

/** Writes one Parquet file of others with the same columns, in their order. Paths are the service's own, in the folder of the process. */
export async function mergeParquet(folder: string, sections: readonly string[], whole: string): Promise<void> {
  const instance = await openInstance(folder);
  try {
    const connection = await instance.connect();
    const named = sections.map((path) => `'${path}'`).join(', ');
    await connection.run(`COPY (SELECT * FROM read_parquet([${named}])) TO '${whole}' (FORMAT parquet)`);
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}
