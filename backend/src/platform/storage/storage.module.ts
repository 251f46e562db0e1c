import { fileURLToPath } from 'node:url';
import { Global, Module } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { LocalStorage } from './local-storage.js';
import { Storage } from './storage.js';

@Global()
@Module({
  providers: [{ provide: Storage, inject: [AppConfig], useFactory: storageOf }],
  exports: [Storage],
})
export class StorageModule {}

/** The driver for the configured address. Google's library is loaded only where it is needed: it is large. */
async function storageOf({ storageUrl, storageApiUrl }: AppConfig): Promise<Storage> {
  if (!storageUrl.startsWith('gs:')) return new LocalStorage(fileURLToPath(storageUrl));
  const { GcsStorage } = await import('./gcs-storage.js');
  return new GcsStorage({ url: storageUrl, apiUrl: storageApiUrl });
}
