export { BucketBlobs, bucketPlace } from './bucket-blobs.js';
export { FolderBlobs } from './folder-blobs.js';
export { StreamBlobs } from './stream-blobs.js';
