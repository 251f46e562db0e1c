import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Global, Module } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { InstallationRepository } from '../installation/installation.repository.js';
import { DiskProbe, DiskReserve } from './disk-reserve.js';
import { GuardedStorage } from './ownership/guarded-storage.js';
import { ReferencedObjects } from './ownership/referenced-objects.js';
import { HeartbeatTimings, StorageCheck } from './ownership/storage-check.js';
import { StorageOwnershipGuard } from './ownership/storage-ownership-guard.js';
import { LocalStorage } from './local/local-storage.js';
import { Storage } from './storage.js';

/** The driver itself, without ownership checks. */
export abstract class StorageDriver extends Storage {}

@Global()
@Module({
  providers: [
    DiskProbe,
    ReferencedObjects,
    HeartbeatTimings,
    StorageCheck,
    { provide: StorageDriver, inject: [AppConfig], useFactory: createStorageDriver },
    { provide: DiskReserve, inject: [AppConfig, DiskProbe], useFactory: createDiskReserve },
    {
      provide: StorageOwnershipGuard,
      inject: [StorageDriver, AppConfig, InstallationRepository, ReferencedObjects],
      useFactory: (
        driver: Storage,
        { storageUrl }: AppConfig,
        record: InstallationRepository,
        names: ReferencedObjects,
      ) => new StorageOwnershipGuard(driver, storageUrl, record, names),
    },
    {
      provide: Storage,
      inject: [StorageDriver, StorageOwnershipGuard, DiskReserve],
      useFactory: (driver: Storage, identity: StorageOwnershipGuard, reserve: DiskReserve) =>
        new GuardedStorage(driver, identity, reserve),
    },
  ],
  exports: [Storage, StorageOwnershipGuard, DiskReserve, DiskProbe, ReferencedObjects],
})
export class StorageModule {}

/** Creates the driver for the configured URL. The libraries of buckets are large, so they are imported only when needed. */
export async function createStorageDriver(config: AppConfig): Promise<Storage> {
  const { storageUrl, storageApiUrl } = config;
  if (storageUrl.startsWith('file:')) return createLocalDriver(config);
  if (storageUrl.startsWith('s3:')) {
    const { S3Storage } = await import('./s3/s3-storage.js');
    return new S3Storage({ url: storageUrl });
  }
  const { GcsStorage } = await import('./gcs/gcs-storage.js');
  return new GcsStorage({ url: storageUrl, apiUrl: storageApiUrl });
}

/** Creates the driver for a local folder. If the folder is inside the data folder, that is created as well. */
export function createLocalDriver({ storageUrl, dataDir, sendfile }: AppConfig): LocalStorage {
  const root = fileURLToPath(storageUrl);
  return new LocalStorage(root, root.startsWith(dataDir + sep) ? dataDir : null, sendfile !== null);
}

function createDiskReserve(config: AppConfig, probe: DiskProbe): DiskReserve {
  const isLocal = config.storageUrl.startsWith('file:');
  const folders = [...(isLocal ? [fileURLToPath(config.storageUrl)] : []), config.dataDir];
  return new DiskReserve(folders, config.diskReserve, isLocal, probe);
}
