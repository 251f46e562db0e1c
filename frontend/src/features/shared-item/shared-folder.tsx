import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hasCode } from '../../shared/api/api-error';
import { $api, type Schema } from '../../shared/api/client';
import { DownloadLinkHandler } from '../../shared/files/download-link-handler';
import {
  sharedFilesQuery,
  sharedFileUrl,
  sharedFolderUrl,
  sharedFoldersQuery,
  sharedLinkKey,
  type SharedListState,
} from '../../shared/files/shared-lists';
import { displayNameOf } from '../../shared/format/person';
import { useFormat } from '../../shared/hooks/use-format';
import { useTitle } from '../../shared/hooks/use-title';
import { DownloadIcon, FileIcon, FolderIcon } from '../../shared/public-ui/icons';
import { PublicError } from '../../shared/public-ui/public-error';
import { RemoveFile } from './remove-file';
import { RequestPanel } from './request-panel';

type FolderPart = Schema<'SharedFolderDto'>;

interface Props {
  token: string;
  link: Schema<'SharedLinkDto'>;
  /** The folder that the link shares. */
  root: FolderPart;
  /** The folder that is shown: the shared one, or one below it. */
  folderId: number;
  /** False if nothing can be downloaded by this link. */
  allowDownload: boolean;
  /** What the shared folder requests; null if visitors can't send files. */
  fileRequest: Schema<'SharedFileRequestDto'> | null;
}

const listState: SharedListState = { inList: true };

/** A shared folder, or a folder below it. */
export function SharedFolder({ token, link, root, folderId, allowDownload, fileRequest }: Props) {
  const { t } = useTranslation('sharedItem');
  const isRoot = folderId === root.id;
  const {
    data: folder,
    error: folderError,
    refetch,
  } = $api.useQuery(
    'get',
    '/api/shared/{token}/folders/{id}',
    { params: { path: { token, id: folderId } } },
    { enabled: !isRoot && Number.isSafeInteger(folderId) },
  );
  const folders = useInfiniteQuery({ ...sharedFoldersQuery(token, folderId), enabled: !Number.isNaN(folderId) });
  const files = useInfiniteQuery({ ...sharedFilesQuery(token, folderId), enabled: !Number.isNaN(folderId) });
  const path = isRoot ? [root] : (folder?.path ?? []);
  const error = folderError ?? folders.error ?? files.error;
  useTitle(path.at(-1)?.name);
  useRefetchWhenClosed(token, error);
  const retry = () => void Promise.all([...(isRoot ? [] : [refetch()]), folders.refetch(), files.refetch()]);
  const owner = displayNameOf(link.owner);
  const folderItems = folders.data?.pages.flatMap(({ items }) => items);
  const fileItems = files.data?.pages.flatMap(({ items }) => items);
  if (Number.isNaN(folderId) || hasCode(error, 'SHARED_NOT_FOUND')) return <FolderGone token={token} root={root} />;
  const hasFiles = fileItems?.some(({ can }) => can.download) === true || (folderItems?.length ?? 0) > 0;
  return (
    <div className="z-shared-folder">
      {path.length > 1 && <Breadcrumbs token={token} path={path} />}
      <div className="z-shared-head">
        <div>
          <h1 className="z-title">{path.at(-1)?.name ?? t('loading')}</h1>
          {owner && <p className="z-second">{t('sharedByShort', { name: owner })}</p>}
        </div>
        {allowDownload && hasFiles && (
          <a className="z-button" href={`/api/shared/${token}/download?folderId=${folderId}`} download>
            <DownloadIcon />
            {t('downloadAll')}
          </a>
        )}
      </div>
      {isRoot && fileRequest && <RequestPanel token={token} request={fileRequest} />}
      {error && !(folderItems && fileItems) && <PublicError error={error} onRetry={retry} />}
      {!error && !(folderItems && fileItems) && (
        <div className="z-skeleton z-shared-rows" role="status" aria-label={t('loading')} />
      )}
      {folderItems && fileItems && folderItems.length + fileItems.length === 0 && (
        <p className="z-second">{t(isRoot && fileRequest ? 'request.empty' : 'empty')}</p>
      )}
      {folderItems && fileItems && folderItems.length + fileItems.length > 0 && (
        <ul className="z-shared-list" aria-label={t('content')}>
          {folderItems.map((item) => (
            <li key={`folder-${item.id}`}>
              <FolderIcon />
              <Link to={sharedFolderUrl(token, item.id)}>{item.name}</Link>
            </li>
          ))}
          {fileItems.map((item) => (
            <FileRow key={item.id} token={token} file={item} />
          ))}
        </ul>
      )}
      {(folders.hasNextPage || files.hasNextPage) && (
        <button
          type="button"
          className="z-button"
          onClick={() => void (folders.hasNextPage ? folders : files).fetchNextPage()}
        >
          {t('more')}
        </button>
      )}
      <DownloadLinkHandler />
    </div>
  );
}

function FileRow({ token, file }: { token: string; file: Schema<'SharedFileDto'> }) {
  const { t } = useTranslation('sharedItem');
  const format = useFormat();
  const label = t('download', { name: file.name });
  return (
    <li>
      <FileIcon />
      <Link to={sharedFileUrl(token, file.id)} state={listState}>
        {file.name}
      </Link>
      <span className="z-shared-size">{format.size(file.size)}</span>
      {file.can.download && (
        <a
          className="z-button z-button-quiet z-shared-download"
          href={`/api/shared/${token}/files/${file.id}/download`}
          download
          aria-label={label}
          title={label}
        >
          <DownloadIcon />
        </a>
      )}
      {file.isSent && (
        <div className="z-shared-own">
          <span className="z-badge">{t('request.own')}</span>
          {file.can.remove && <RemoveFile token={token} file={file} />}
        </div>
      )}
    </li>
  );
}

/** The folders from the shared one down to the one that is shown. */
function Breadcrumbs({ token, path }: { token: string; path: readonly FolderPart[] }) {
  const { t } = useTranslation('sharedItem');
  return (
    <nav aria-label={t('path')}>
      <ol className="z-shared-path">
        {path.slice(0, -1).map(({ id, name }) => (
          <li key={id}>
            <Link className="z-link" to={sharedFolderUrl(token, id)}>
              {name}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function FolderGone({ token, root }: { token: string; root: FolderPart }) {
  const { t } = useTranslation('sharedItem');
  return (
    <div className="z-card" role="alert">
      <h1 className="z-title">{t('folderGone')}</h1>
      <div className="z-actions">
        <Link className="z-button" to={sharedFolderUrl(token, root.id)}>
          {t('toRoot', { name: root.name })}
        </Link>
      </div>
    </div>
  );
}

/** Asks for the link again if it was closed in the meantime; the page then shows why. */
function useRefetchWhenClosed(token: string, error: unknown): void {
  const queryClient = useQueryClient();
  const isClosed = hasCode(error, 'SHARED_NOT_FOUND', 'SHARED_NOT_ENTERED');
  useEffect(() => {
    if (isClosed) void queryClient.invalidateQueries({ queryKey: sharedLinkKey(token) });
  }, [isClosed, queryClient, token]);
}
