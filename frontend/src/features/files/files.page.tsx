import { Navigate, useParams, useSearchParams } from 'react-router';
import { toId, useZone } from '../../shared/api/use-zone';
import { readingAddress } from '../../shared/files/reading';
import { FolderNotFound } from './components/folder-not-found';
import { FileBrowser } from './file-browser';

/**
 * /zones/{id} and /zones/{id}/folders/{folderId}: the files of a zone, inside the zone's page.
 * @param onRest told once the list has come to rest
 */
export function FilesPage({ onRest }: { onRest?: () => void }) {
  const params = useParams();
  const zoneId = toId(params.zoneId);
  const { data: zone } = useZone(zoneId);
  const folderId = params.folderId === undefined ? null : toId(params.folderId);
  const [query] = useSearchParams();
  // Links in mails and bookmarks may be older than the reader.
  const fileId = toId(query.get('preview') ?? undefined);
  if (!Number.isNaN(fileId)) return <Navigate to={readingAddress(zoneId, fileId)} replace />;
  if (Number.isNaN(folderId)) return <FolderNotFound zoneId={zoneId} />;
  return <FileBrowser key={folderId} zoneId={zoneId} zone={zone} folderId={folderId} onRest={onRest} />;
}
