import { useCallback, type ReactNode } from 'react';
import { UploadDock } from '../../features/files/uploads/upload-dock';
import { useUploadQueue } from '../../features/files/uploads/sending/page-uploads';
import { AddUploadsProvider, type AddUploads } from '../../shared/api/add-uploads';
import { lazyPage } from '../loading/lazy-page';

const UploadTray = lazyPage(
  () => import('../../features/files/uploads/upload-tray').then((m) => m.UploadTray),
  ['files'],
);

/** Uploads that continue across pages; the tray is loaded with the first of them. */
export function GlobalUploads() {
  return <UploadDock Tray={UploadTray} />;
}

/** Lets any page inside it start uploads. */
export function PageUploadsProvider({ children }: { children: ReactNode }) {
  const uploadQueue = useUploadQueue();
  const addUploads = useCallback<AddUploads>(
    (zoneId, files) => uploadQueue.add({ zoneId, folderId: null }, files),
    [uploadQueue],
  );
  return <AddUploadsProvider value={addUploads}>{children}</AddUploadsProvider>;
}
