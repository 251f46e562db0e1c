import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { LocalStorage } from './local/local-storage.js';
import type { Storage } from './storage.js';

/** Opens the drivers of storages; each once. */
@Injectable()
export class StorageDrivers {
  private readonly opened = new Map<string, Promise<Storage>>();

  constructor(private readonly config: AppConfig) {}

  /** @param url as STORAGE_URL; by default that of this process */
  open(url = this.config.storageUrl): Promise<Storage> {
    const driver = this.opened.get(url) ?? createStorageDriver(this.config, url);
    this.opened.set(url, driver);
    return driver;
  }
}

/** Creates a driver. The libraries of buckets are large, so they are imported only when needed. */
export async function createStorageDriver(config: AppConfig, url = config.storageUrl): Promise<Storage> {
  if (url.startsWith('file:')) return createLocalDriver(config, url);
  if (url.startsWith('s3:')) {
    const { S3Storage } = await import('./s3/s3-storage.js');
    return new S3Storage({ url });
  }
  const { GcsStorage } = await import('./gcs/gcs-storage.js');
  return new GcsStorage({ url, apiUrl: config.storageApiUrl });
}

/** Creates the driver for a local folder. If the folder is inside the data folder, that is created as well. */
export function createLocalDriver({ storageUrl, dataDir, sendfile }: AppConfig, url = storageUrl): LocalStorage {
  const root = fileURLToPath(url);
  return new LocalStorage(root, root.startsWith(dataDir + sep) ? dataDir : null, sendfile !== null);
}
