import type { Reply } from '../routing/route.js';

/** One part of a file, and how many there are. */
export interface FilePart {
  readonly text: string;
  readonly parts: number;
}

/**
 * A file that is sent part by part, as the reader takes it. The first part is asked for before the head is sent, so that it can be
 * refused.
 */
export async function csvReply(read: (part: number) => Promise<FilePart>): Promise<Reply> {
  const first = await read(0);
  return {
    stream: (connection) => {
      let isClosed = false;
      let drained: () => void = () => undefined;
      connection.onDrain(() => drained());
      connection.onClose(() => {
        isClosed = true;
        drained();
      });
      const send = async (): Promise<void> => {
        for (
          let part = 0, { text } = first;
          part < first.parts && !isClosed;
          part += 1, { text } = part < first.parts ? await read(part) : first
        ) {
          if (!connection.write(text)) await new Promise<void>((resolve) => (drained = resolve));
        }
        connection.end();
      };
      send().catch(() => connection.cut()); // a file that breaks off is not taken for a whole one
    },
  };
}
