import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { hasCode } from '../../shared/api/api-error';
import type { Schema } from '../../shared/api/client';
import { useSort } from '../../shared/browse/sort';
import { useSearchField } from '../../shared/browse/use-search-field';
import { useViewMode } from '../../shared/browse/view-toggle';
import { useFormat } from '../../shared/hooks/use-format';
import { useIsMobile } from '../../shared/hooks/use-is-mobile';
import type { LinkedItem } from '../../shared/files/linked-item';
import { readerUrl, type ReaderState } from '../../shared/files/reader-navigation';
import { foldCase } from '../../shared/format/case-folding';
import { toast } from '../../shared/toast/toast-store';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { useFolder, useFolderContent } from './api/use-folder-content';
import { DropOverlay } from './uploads/drop-overlay';
import { EmptyFolder } from './components/empty-folder';
import type { EntryActions } from './components/entry-actions';
import { EntryDialogs, type EntryDialogState } from './components/entry-dialogs';
import { EntryMenu, type EntryMenuState } from './components/entry-menu';
import { FileGrid } from './components/file-grid';
import { FileTable } from './components/file-table';
import { FileToolbar } from './components/file-toolbar';
import { FolderNotFound } from './components/folder-not-found';
import { FolderBreadcrumbs } from './components/folder-breadcrumbs';
import { useDownload } from './downloads/use-download';
import { useDownloadAll } from './downloads/use-download-all';
import { entryName, fileSortKeys, type Entry } from './entries';
import { NameConflictDialog } from './move/name-conflict-dialog';
import { DragArea } from './move/drag-area';
import { DropArea } from './move/drop-area';
import type { MoveTarget, ZoneTarget } from './move/folder-tree';
import { MoveDialog, type Placement } from './move/move-dialog';
import { useMoveEntries } from './move/use-move-entries';
import { useTransferEntries } from './move/use-transfer-entries';
import { FileRequestBanner } from './requests/file-request-banner';
import { useFileReplacement } from './versions/use-file-replacement';
import { FolderInput } from './uploads/folders/folder-input';
import { pickedFoldersOf, readFolders } from './uploads/folders/picked-folders';
import { useFolderUpload } from './uploads/folders/use-folder-upload';
import { useFileDrop } from './uploads/use-file-drop';
import { useUploadQueue } from './uploads/sending/page-uploads';
import { DocumentResults, useDocumentSearch } from './search/document-results';
import { NoResults } from './search/no-results';
import { SearchField } from './search/search-field';
import { useSearchResults } from './search/use-search-results';
import { SelectionBar } from './selection/selection-bar';
import { useSelection } from './selection/use-selection';
import { useCopyLink } from './use-copy-link';
import { useDeleteEntries } from './use-delete-entries';
import { useLastReadIndex } from './focus/use-last-read-index';
import { useRequestedIndex } from './focus/use-requested-index';

/** Renders the links to a file or folder; they belong to another feature. */
export type RenderLinks = (props: { item: LinkedItem; open: boolean; onClose: () => void }) => ReactNode;

interface Props {
  zoneId: number;
  /** Undefined while the zone is loading; its files are requested in the meantime. */
  zone: Schema<'ZoneDto'> | undefined;
  /** null for the root of the zone. */
  folderId: number | null;
  /** Called once the list has loaded. */
  onLoaded?: () => void;
  renderLinks: RenderLinks;
}

/** A folder of a zone, or search results, with everything that can be done with the entries. */
export function FileBrowser({ zoneId, zone, folderId, onLoaded, renderLinks }: Props) {
  const { t } = useTranslation('files');
  const [sort, setSort] = useSort('files', fileSortKeys, { by: 'name', order: 'asc' });
  const [menu, setMenu] = useState<EntryMenuState | null>(null);
  const [dialog, setDialog] = useState<EntryDialogState | null>(null);
  const [placement, setPlacement] = useState<Placement | null>(null);
  /** Stays set after closing, so that the links are still there while they move out. */
  const [shared, setShared] = useState<{ item: LinkedItem; open: boolean } | null>(null);
  const { data: folder, error: folderError } = useFolder(folderId);
  const searchField = useSearchField('item');
  const isSearching = searchField.q !== '';
  const folderContent = useFolderContent({ zoneId, folderId }, sort);
  const searchResults = useSearchResults(zoneId, searchField.q);
  const documentSearch = useDocumentSearch(zoneId, searchField.q);
  const content = isSearching ? searchResults : folderContent;
  const requested = useRequestedIndex(content);
  const lastReadIndex = useLastReadIndex(content);
  const loadedEntries = useMemo(() => content.entries.filter((entry) => entry !== undefined), [content.entries]);
  const list = isSearching ? { zoneId, q: searchField.q } : { zoneId, folderId, ...sort };
  const openReader = useOpenReader(list);
  const sectionRef = useRef<HTMLElement>(null);
  useRestoreListFocus(
    sectionRef,
    dialog !== null || placement !== null || shared?.open === true,
    content.entries.length,
  );

  const isLoaded = content.isLoaded && zone !== undefined;
  const isRoot = folderId === null;
  const zoneName = zone?.name ?? '';
  const canManage = zone?.can.manageFiles === true;
  const isMobile = useIsMobile();
  // Cards need space: on a phone two of them fill the screen, and members look for a name. They get the list by
  // default.
  const [view, setView] = useViewMode('files', isMobile || !canManage ? 'list' : 'grid');
  const canUpload = !isSearching && (isRoot ? canManage : folder?.can.upload === true);
  const canCreateFolder = !isSearching && (isRoot ? canManage : folder?.can.createFolder === true);
  const isInMirror = !isSearching && canManage && folder?.readOnly === true;
  const newFolderDisabledReason = canUpload ? 'tooDeep' : isInMirror ? 'inMirror' : undefined;
  const fileRequest = isSearching ? null : folder?.fileRequest;
  const canSend = fileRequest?.canSend === true;
  const uploadInput = useUploadInput({ zoneId, folderId }, canSend ? 'sender' : canUpload && 'manager', {
    entries: loadedEntries,
    maxFileBytes: canSend ? fileRequest.maxFileBytes : zone?.maxFileBytes,
  });
  const openFolderDialog = canUpload && canCreateFolder ? uploadInput.openFolderDialog : undefined;
  const replacement = useFileReplacement(zoneId, zone?.maxFileBytes);
  const { replaceFile } = replacement;
  const { showReadOnlyError, remove } = useDeleteEntries(zoneId, canManage);
  const { move, conflict, dismissConflict, moveWithRename } = useMoveEntries(zoneId, showReadOnlyError);
  const transfer = useTransferEntries(zoneId);
  const copyLink = useCopyLink(zoneId);
  const {
    selectedEntries,
    clear: clearSelection,
    deselect,
    isSelectingAll,
    entrySelection,
  } = useSelection(content, remove);
  const { toggle } = entrySelection.actions;
  const download = useDownload(zoneId);
  const downloadAll = useDownloadAll({ zoneId, folderId, entries: loadedEntries });
  const removeAll = (entries: readonly Entry[]) => {
    remove(entries);
    clearSelection();
  };
  const dropOn = (entries: readonly Entry[], target: MoveTarget | ZoneTarget) => {
    if ('zoneId' in target) transfer('move', entries, target);
    else move(entries, target);
    clearSelection();
  };
  const place = ({ action, entries }: Placement, target: ZoneTarget) => {
    if (action === 'move' && target.zoneId === zoneId) move(entries, target);
    else transfer(action, entries, target);
    clearSelection();
  };
  const actions = useMemo(
    (): EntryActions => ({
      folderUrl: ({ id }) => `/zones/${zoneId}/folders/${id}`,
      preview: ({ id }) => openReader(id),
      download,
      editPermissions: (file) => setDialog({ kind: 'permissions', file }),
      replace: replaceFile,
      requestFiles: (entryFolder) => setDialog({ kind: 'request', folder: entryFolder }),
      showVersions: (file) => setDialog({ kind: 'versions', file }),
      showOpenings: (file) => setDialog({ kind: 'openings', file }),
      showReading: (file) => setDialog({ kind: 'reading', file }),
      rename: (entry) => setDialog({ kind: 'rename', entry }),
      move: (entry) => setPlacement({ action: 'move', entries: [entry] }),
      copy: (entry) => setPlacement({ action: 'copy', entries: [entry] }),
      share: (entry) => setShared({ item: toLinkedItem(entry), open: true }),
      remove: (entry) => {
        remove([entry]);
        deselect([entry]);
      },
      showReadOnlyError,
      copyLink,
      select: toggle,
      openMenu: (entry, anchor) => setMenu({ entry, anchor }),
    }),
    [zoneId, openReader, download, replaceFile, remove, deselect, showReadOnlyError, copyLink, toggle],
  );

  useEffect(() => {
    if (isLoaded) onLoaded?.();
  }, [isLoaded, onLoaded]);

  if (hasCode(folderError ?? content.error, 'FOLDER_NOT_FOUND')) return <FolderNotFound zoneId={zoneId} />;
  const hasEntries = isLoaded && content.entries.length > 0;
  const isStillSearching =
    isSearching && isLoaded && !hasEntries && (documentSearch.isPending || content.isOutdated === true);
  const listProps = {
    entries: content.entries,
    actions,
    selection: entrySelection,
    requested,
    lastReadIndex,
    onNearEnd: content.loadMore,
    onRangeChange: content.onRangeChange,
  };
  const rootTarget = !isSearching && canManage && folder?.readOnly === false ? { id: null, name: zoneName } : null;
  const selectionBar = entrySelection.isActive && (
    <SelectionBar
      selectedEntries={selectedEntries}
      selectAllTotal={isSelectingAll ? content.total : undefined}
      onMove={(entries) => setPlacement({ action: 'move', entries })}
      onCopy={(entries) => setPlacement({ action: 'copy', entries })}
      onDownload={download}
      onDelete={canManage || fileRequest ? removeAll : undefined}
      onCancel={clearSelection}
    />
  );
  return (
    <DragArea zone={zone} selectedEntries={selectedEntries} onMove={dropOn}>
      <Box ref={sectionRef} component="section" aria-label={t('title')} sx={{ position: 'relative' }}>
        <DropArea target={rootTarget}>
          <FileToolbar
            heading={<Heading {...{ zoneId, zoneName }} q={searchField.q} path={folder?.path ?? []} isRoot={isRoot} />}
            searchField={
              <SearchField text={searchField.text} onTextChange={searchField.setText} onClear={searchField.clear} />
            }
            selectionBar={selectionBar}
            hasEntries={hasEntries && !isSearching}
            {...{ sort, onSort: setSort, view, onViewChange: setView }}
            onDownloadAll={isSearching ? undefined : downloadAll}
            // Nothing is deleted in a mirror, so its folders have no way to the trash.
            trashUrl={canManage && !isInMirror ? `/zones/${zoneId}/trash` : undefined}
            onUpload={canUpload ? uploadInput.openFileDialog : undefined}
            onUploadFolder={openFolderDialog}
            onNewFolder={canCreateFolder ? () => setDialog({ kind: 'folder' }) : newFolderDisabledReason}
          />
          {folder && fileRequest && (
            <FileRequestBanner
              folder={{ ...folder, fileRequest }}
              canManage={canUpload}
              onChooseFiles={canSend ? uploadInput.openFileDialog : undefined}
            />
          )}
          {content.error && !content.isLoaded && (
            <ErrorState
              title={isSearching ? t('search.failed') : t('failed')}
              error={content.error}
              onRetry={content.refetch}
            />
          )}
          {((!isLoaded && !content.error) || isStillSearching) && <RowsSkeleton />}
          {isLoaded && !hasEntries && isSearching && !isStillSearching && !documentSearch.data?.hits.length && (
            <NoResults
              q={searchField.q}
              searchScope={documentSearch.error ? 'names' : documentSearch.isEnabled ? 'all' : 'tooShort'}
            />
          )}
          {isLoaded && !hasEntries && !isSearching && (
            <EmptyFolder
              isRoot={isRoot}
              isRequest={Boolean(fileRequest)}
              isMirror={isInMirror}
              maxFileBytes={zone.maxFileBytes}
              onChooseFiles={canUpload ? uploadInput.openFileDialog : undefined}
              onChooseFolder={openFolderDialog}
            />
          )}
          {hasEntries && !isSearching && view === 'grid' && <FileGrid {...listProps} />}
          {hasEntries && (isSearching || view === 'list') && (
            <FileTable {...listProps} total={content.total} sort={isSearching ? undefined : sort} onSort={setSort} />
          )}
          {isLoaded && isSearching && <DocumentResults zoneId={zoneId} search={documentSearch} />}
          {hasEntries && canUpload && <DropHint maxFileBytes={zone.maxFileBytes} />}
          {uploadInput.isDragOver && <DropOverlay text={t('dropHere', { place: folder?.name ?? zoneName })} />}
          {uploadInput.isPreparing && <DropOverlay text={t('folderUpload.preparing')} isStatus />}
          {uploadInput.inputs}
          {canManage && replacement.input}
          <EntryMenu menu={menu} actions={actions} onClose={() => setMenu(null)} />
          <MoveDialog
            {...{ zoneId, zoneName, placement }}
            isOwner={zone?.memberRole === 'owner'}
            onPlace={place}
            onClose={() => setPlacement(null)}
          />
          {shared && renderLinks({ ...shared, onClose: () => setShared({ ...shared, open: false }) })}
          <NameConflictDialog conflict={conflict} onRename={moveWithRename} onClose={dismissConflict} />
          <EntryDialogs
            zoneId={zoneId}
            folderId={folderId}
            dialog={dialog}
            onReplace={replaceFile}
            onClose={() => setDialog(null)}
          />
        </DropArea>
      </Box>
    </DragArea>
  );
}

interface HeadingProps {
  zoneId: number;
  zoneName: string;
  q: string;
  path: readonly { id: number; name: string }[];
  isRoot: boolean;
}

/** The current folder, or the search. */
function Heading({ zoneId, zoneName, q, path, isRoot }: HeadingProps) {
  const { t } = useTranslation('files');
  const isMobile = useIsMobile();
  const isTop = isRoot && !q;
  // On a phone the tab above already says it, and the list needs the space.
  if (isTop && isMobile) return <h2 className="z-visually-hidden">{t('title')}</h2>;
  const breadcrumbs = q ? [{ id: 0, name: t('search.results', { q }) }] : path;
  return (
    <Box sx={{ flex: { xs: '1 1 100%', sm: '1 1 240px' }, minWidth: 0 }}>
      {isTop ? (
        <Typography variant="h3" component="h2">
          {t('title')}
        </Typography>
      ) : (
        <FolderBreadcrumbs zoneId={zoneId} zoneName={zoneName} path={breadcrumbs} />
      )}
    </Box>
  );
}

function DropHint({ maxFileBytes }: { maxFileBytes: number | null }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  return (
    <Typography
      variant="body2"
      color="textSecondary"
      sx={{ mt: 4, textAlign: 'center', '@media (pointer: coarse)': { display: 'none' } }}
    >
      {t('dropHint', { size: format.sizeLimit(maxFileBytes ?? 0) })}
    </Typography>
  );
}

/**
 * Moves the focus to the list if the focused element is gone after a dialog or a deletion; otherwise the focus would be
 * lost to the top of the page.
 */
function useRestoreListFocus(sectionRef: RefObject<HTMLElement | null>, isDialogOpen: boolean, count: number): void {
  const previous = useRef({ isDialogOpen, count });
  useEffect(() => {
    const mayHaveLostFocus = (previous.current.isDialogOpen && !isDialogOpen) || count < previous.current.count;
    previous.current = { isDialogOpen, count };
    if (!mayHaveLostFocus || document.activeElement !== document.body) return;
    sectionRef.current?.querySelector<HTMLElement>('[data-item][tabindex="0"]')?.focus();
  }, [sectionRef, isDialogOpen, count]);
}

const toLinkedItem = (entry: Entry): LinkedItem => {
  const { id } = entry.kind === 'folder' ? entry.folder : entry.file;
  const isRequesting = entry.kind === 'folder' && entry.folder.fileRequest !== null;
  return { kind: entry.kind, id, name: entryName(entry), isRequesting };
};

const filesOf = (entries: readonly Entry[]) => entries.flatMap((entry) => (entry.kind === 'file' ? entry.file : []));

/** Returns a function that opens the reader, passing the list to return to. */
function useOpenReader(list: ReaderState['list']): (fileId: number) => void {
  const navigate = useNavigate();
  const { key: from } = useLocation();
  const serializedState = JSON.stringify({ inList: true, list, from } satisfies ReaderState);
  return useCallback(
    (fileId) => void navigate(readerUrl(list.zoneId, fileId), { state: JSON.parse(serializedState) as ReaderState }),
    [navigate, list.zoneId, serializedState],
  );
}

/**
 * Handles the ways to choose files and folders for a folder: the file dialogs and drag and drop.
 * @param uploader false if the viewer can't upload. Senders of a file request send files only, and names that are taken
 * get a number.
 */
function useUploadInput(
  target: { zoneId: number; folderId: number | null },
  uploader: 'manager' | 'sender' | false,
  { entries, maxFileBytes }: { entries: readonly Entry[]; maxFileBytes: number | null | undefined },
) {
  const { t } = useTranslation('files');
  const uploadQueue = useUploadQueue();
  const inputRef = useRef<HTMLInputElement>(null);
  const folderInputRef = useRef<HTMLInputElement>(null);
  const addFiles = (files: readonly File[]) => {
    const takenNames = new Set(
      (uploader === 'sender' ? [] : filesOf(entries)).map(({ originalName }) => foldCase(originalName)),
    );
    uploadQueue.add(target, files, (name) => takenNames.has(foldCase(name)), maxFileBytes);
  };
  const { upload: uploadFolders, isPreparing } = useFolderUpload();
  const isDragOver = useFileDrop(uploader !== false, ({ files, folders }) => {
    if (folders.length > 0 && uploader === 'sender') toast.error(t('request.noFolders'));
    else if (folders.length > 0) void uploadFolders(target, () => readFolders(folders), { maxFileBytes });
    if (files.length > 0) addFiles(files);
  });
  return {
    isDragOver,
    /** Folders are being read and created. */
    isPreparing,
    openFileDialog: () => inputRef.current?.click(),
    openFolderDialog: () => folderInputRef.current?.click(),
    inputs: uploader !== false && (
      <>
        <input
          ref={inputRef}
          type="file"
          multiple
          hidden
          aria-label={t('chooseFiles')}
          onChange={({ target: element }) => {
            addFiles([...(element.files ?? [])]);
            // Lets the same file be chosen again.
            element.value = '';
          }}
        />
        <FolderInput
          inputRef={folderInputRef}
          label={t('chooseFolder')}
          onChoose={(files) => void uploadFolders(target, () => pickedFoldersOf(files), { maxFileBytes })}
        />
      </>
    ),
  };
}
