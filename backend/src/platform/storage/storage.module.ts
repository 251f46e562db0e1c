import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Global, Module } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { InstallationRecord } from '../installation/installation-record.service.js';
import { DiskProbe, DiskReserve } from './disk-reserve.js';
import { MarkedStorage } from './identity/marked-storage.js';
import { NamedObjects } from './identity/named-objects.js';
import { BeatTimings, StorageCheck } from './identity/storage-check.js';
import { StorageIdentity } from './identity/storage-identity.js';
import { LocalStorage } from './local-storage.js';
import { Storage } from './storage.js';

/** The driver alone, which asks nobody whose the storage is. */
export abstract class StorageDriver extends Storage {}

@Global()
@Module({
  providers: [
    DiskProbe,
    NamedObjects,
    BeatTimings,
    StorageCheck,
    { provide: StorageDriver, inject: [AppConfig], useFactory: driverOf },
    { provide: DiskReserve, inject: [AppConfig, DiskProbe], useFactory: reserveOf },
    {
      provide: StorageIdentity,
      inject: [StorageDriver, AppConfig, InstallationRecord, NamedObjects],
      useFactory: (driver: Storage, { storageUrl }: AppConfig, record: InstallationRecord, names: NamedObjects) =>
        new StorageIdentity(driver, storageUrl, record, names),
    },
    {
      provide: Storage,
      inject: [StorageDriver, StorageIdentity, DiskReserve],
      useFactory: (driver: Storage, identity: StorageIdentity, reserve: DiskReserve) =>
        new MarkedStorage(driver, identity, reserve),
    },
  ],
  exports: [Storage, StorageIdentity, DiskReserve, DiskProbe, NamedObjects],
})
export class StorageModule {}

/** The driver for the configured address. Google's library is loaded only where it is needed: it is large. */
export async function driverOf(config: AppConfig): Promise<Storage> {
  const { storageUrl, storageApiUrl } = config;
  if (!storageUrl.startsWith('gs:')) return localDriverOf(config);
  const { GcsStorage } = await import('./gcs-storage.js');
  return new GcsStorage({ url: storageUrl, apiUrl: storageApiUrl });
}

/** The driver for a folder of this machine. The data folder is made with it when it lies in there. */
export function localDriverOf({ storageUrl, dataDir }: AppConfig): LocalStorage {
  const root = fileURLToPath(storageUrl);
  return new LocalStorage(root, root.startsWith(dataDir + sep) ? dataDir : null);
}

function reserveOf(config: AppConfig, probe: DiskProbe): DiskReserve {
  const isLocal = config.storageUrl.startsWith('file:');
  const folders = [...(isLocal ? [fileURLToPath(config.storageUrl)] : []), config.dataDir];
  return new DiskReserve(folders, config.diskReserve, isLocal, probe);
}
