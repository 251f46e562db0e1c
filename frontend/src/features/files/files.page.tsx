import { useParams } from 'react-router';
import { toId, useZone } from '../../shared/api/use-zone';
import { FolderNotFound } from './components/folder-not-found';
import { FileBrowser } from './file-browser';

/** /zones/{id} and /zones/{id}/folders/{folderId}: the files of a zone, inside the zone's page. */
export function FilesPage() {
  const { zoneId, folderId } = useParams();
  const { data: zone } = useZone(toId(zoneId));
  const folder = folderId === undefined ? null : toId(folderId);
  if (!zone) return null;
  if (Number.isNaN(folder)) return <FolderNotFound zoneId={zone.id} />;
  return <FileBrowser key={folder} zone={zone} folderId={folder} />;
}
