import { Navigate, useParams, useSearchParams } from 'react-router';
import { parseId, useZone } from '../../shared/api/use-zone';
import { readerUrl } from '../../shared/files/reader-navigation';
import { FolderNotFound } from './components/folder-not-found';
import { FileBrowser, type RenderLinks } from './file-browser';

/**
 * /zones/{id} and /zones/{id}/folders/{folderId}: the files of a zone, inside the zone's page.
 * @param onLoaded called once the list has loaded
 * @param renderLinks renders the links to a file or folder
 */
export function FilesPage({ onLoaded, renderLinks }: { onLoaded?: () => void; renderLinks: RenderLinks }) {
  const params = useParams();
  const zoneId = parseId(params.zoneId);
  const { data: zone } = useZone(zoneId);
  const folderId = params.folderId === undefined ? null : parseId(params.folderId);
  const [query] = useSearchParams();
  // Links in emails and bookmarks may predate the reader.
  const fileId = parseId(query.get('preview') ?? undefined);
  if (!Number.isNaN(fileId)) return <Navigate to={readerUrl(zoneId, fileId)} replace />;
  if (Number.isNaN(folderId)) return <FolderNotFound zoneId={zoneId} />;
  return <FileBrowser key={folderId} {...{ zoneId, zone, folderId, onLoaded, renderLinks }} />;
}
