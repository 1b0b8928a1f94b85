import { join, resolve } from 'node:path';
import type { Blobs } from '../../actors/index.js';
import { BucketBlobs, bucketPlace, FolderBlobs } from '../../persistence/index.js';
import type { Settings } from './settings.js';
import { UsageError } from './usage-error.js';

/** Where contents of documents are stored: a bucket or a folder, whichever is set; else what the process has of its own. */
export function blobsOf({ documents, s3KeyId, s3Secret }: Settings, own: () => Blobs | Promise<Blobs>): Blobs | Promise<Blobs> {
  if (documents === null) return own();
  if (!documents.startsWith('s3:')) return new FolderBlobs(resolve(documents));
  if (s3KeyId === null || s3Secret === null)
    throw new UsageError('s3KeyId (TENOR_S3_KEY_ID), s3Secret (TENOR_S3_SECRET): a bucket needs both');
  const place = bucketPlace(documents, { id: s3KeyId, secret: s3Secret });
  if (!place) throw new UsageError('documents (TENOR_DOCUMENTS): is no address of a bucket');
  return new BucketBlobs(place);
}

/** In the data folder of one process. */
export const documentsFolder = ({ dataFolder }: Settings): Blobs => new FolderBlobs(join(dataFolder, 'documents'));
