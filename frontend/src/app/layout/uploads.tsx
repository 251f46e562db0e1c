import { UploadDock } from '../../features/files/uploads/upload-dock';
import { lazyPage } from '../lazy-page';

const UploadTray = lazyPage(
  () => import('../../features/files/uploads/upload-tray').then((m) => m.UploadTray),
  ['files'],
);

/** Uploads that go on while one moves about; their tray is loaded with the first of them. */
export function Uploads() {
  return <UploadDock Tray={UploadTray} />;
}
