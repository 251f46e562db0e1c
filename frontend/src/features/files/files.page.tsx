import { useParams } from 'react-router';
import { toId, useZone } from '../../shared/api/use-zone';
import { FolderNotFound } from './components/folder-not-found';
import { FileBrowser } from './file-browser';

/** /zones/{id} and /zones/{id}/folders/{folderId}: the files of a zone, inside the zone's page. */
export function FilesPage() {
  const params = useParams();
  const zoneId = toId(params.zoneId);
  const { data: zone } = useZone(zoneId);
  const folderId = params.folderId === undefined ? null : toId(params.folderId);
  if (Number.isNaN(folderId)) return <FolderNotFound zoneId={zoneId} />;
  return <FileBrowser key={folderId} zoneId={zoneId} zone={zone} folderId={folderId} />;
}
