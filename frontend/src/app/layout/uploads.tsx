import { useCallback, type ReactNode } from 'react';
import { UploadDock } from '../../features/files/uploads/upload-dock';
import { useUploads } from '../../features/files/uploads/sending/uploads';
import { AddUploadsProvider, type AddUploads } from '../../shared/api/add-uploads';
import { lazyPage } from '../loading/lazy-page';

const UploadTray = lazyPage(
  () => import('../../features/files/uploads/upload-tray').then((m) => m.UploadTray),
  ['files'],
);

/** Uploads that go on while one moves about; their tray is loaded with the first of them. */
export function Uploads() {
  return <UploadDock Tray={UploadTray} />;
}

/** Lets any page inside it put files on their way. */
export function UploadsFromPages({ children }: { children: ReactNode }) {
  const uploads = useUploads();
  const add = useCallback<AddUploads>((zoneId, files) => uploads.add({ zoneId, folderId: null }, files), [uploads]);
  return <AddUploadsProvider value={add}>{children}</AddUploadsProvider>;
}
