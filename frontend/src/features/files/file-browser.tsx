import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { hasCode } from '../../shared/api/api-error';
import type { Schema } from '../../shared/api/client';
import { useSort } from '../../shared/browse/sort';
import { useView } from '../../shared/browse/view-toggle';
import { useNarrow } from '../../shared/hooks/use-narrow';
import { readingAddress, type ReadingState } from '../../shared/files/reading';
import { foldCase } from '../../shared/format/fold';
import { toast } from '../../shared/toast/toast-store';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { useFolder, useFolderContent } from './api/use-folder-content';
import { DropVeil } from './uploads/drop-veil';
import { EmptyFolder } from './components/empty-folder';
import type { EntryActions } from './components/entry-actions';
import { EntryDialogs, type OpenDialog } from './components/entry-dialogs';
import { EntryMenu, type OpenMenu } from './components/entry-menu';
import { FileGrid } from './components/file-grid';
import { FileTable } from './components/file-table';
import { FileToolbar } from './components/file-toolbar';
import { FolderNotFound } from './components/folder-not-found';
import { FolderPath } from './components/folder-path';
import { DownloadAll } from './downloads/download-all';
import { useDownload } from './downloads/use-download';
import { fileSortKeys, type Entry } from './entries';
import { ClashDialog } from './move/clash-dialog';
import { DragArea } from './move/drag-area';
import { DraggedContext } from './move/dragged';
import { DropArea } from './move/drop-area';
import type { Place } from './move/folder-tree';
import { MoveDialog } from './move/move-dialog';
import { useMoving } from './move/use-moving';
import { useFileDrop } from './uploads/use-file-drop';
import { useUploads } from './uploads/sending/uploads';
import { FoundInTexts, useFoundInTexts } from './search/found-in-texts';
import { NothingFound } from './search/nothing-found';
import { SearchField } from './search/search-field';
import { useSearchContent } from './search/use-search-content';
import { useSearchField } from './search/use-search-field';
import { SelectionBar } from './selection/selection-bar';
import { useSelection } from './selection/use-selection';
import { useRemoval } from './use-removal';
import { useReturn } from './wanted/use-return';
import { useWanted } from './wanted/use-wanted';

interface Props {
  zoneId: number;
  /** Not there yet while it is on its way; its files are asked for meanwhile. */
  zone: Schema<'ZoneDto'> | undefined;
  /** null is the root of the zone. */
  folderId: number | null;
  /** Told once the list has come to rest. */
  onRest?: () => void;
}

/** One folder of a zone, or what was found in it: what is there, and everything that can be done with it. */
export function FileBrowser({ zoneId, zone, folderId, onRest }: Props) {
  const { t } = useTranslation('files');
  const [sort, setSort] = useSort('files', fileSortKeys, { by: 'name', order: 'asc' });
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [leaving, setLeaving] = useState<readonly Entry[] | null>(null);
  const { data: folder, error: folderError } = useFolder(folderId);
  const field = useSearchField();
  const searching = field.q !== '';
  const inFolder = useFolderContent({ zoneId, folderId }, sort);
  const found = useSearchContent(zoneId, field.q);
  const inTexts = useFoundInTexts(zoneId, field.q);
  const content = searching ? found : inFolder;
  const wanted = useWanted(content);
  const returned = useReturn(content.entries);
  const list = searching ? { zoneId, q: field.q } : { zoneId, folderId, ...sort };
  const readFile = useReadFile(list);
  const section = useRef<HTMLElement>(null);
  useFocusKept(section, dialog !== null || leaving !== null, content.entries.length);

  const ready = content.ready && zone !== undefined;
  const atRoot = folderId === null;
  const zoneName = zone?.name ?? '';
  const manages = zone?.can.manageFiles === true;
  const narrow = useNarrow();
  // Cards show much of little: on a phone two of them fill the screen, and who reads looks for a name.
  const [view, setView] = useView('files', narrow || !manages ? 'list' : 'grid');
  const mayUpload = !searching && (atRoot ? manages : folder?.can.upload === true);
  const mayMakeFolder = !searching && (atRoot ? manages : folder?.can.createFolder === true);
  const inMirror = !searching && manages && folder?.readOnly === true;
  const noFolder = mayUpload ? 'tooDeep' : inMirror ? 'inMirror' : undefined;
  const upload = useUploading({ zoneId, folderId }, mayUpload, content.entries);
  const { refuse, remove } = useRemoval(zoneId, manages);
  const { move, clash, dropClash, renameClash } = useMoving(zoneId, refuse);
  const { complete, loadMore } = content;
  const selecting = {
    complete,
    loadMore,
    onDelete: (entries: readonly Entry[]) => removeAll(entries),
  };
  const { chosen, clear, gathering, rows } = useSelection(content.entries, selecting);
  const { toggle } = rows;
  const download = useDownload(zoneId);
  const removeAll = (entries: readonly Entry[]) => {
    remove(entries);
    clear();
  };
  const moveAll = (entries: readonly Entry[], place: Place) => {
    move(entries, place);
    clear();
  };
  const actions = useMemo(
    (): EntryActions => ({
      addressOf: ({ id }) => `/zones/${zoneId}/folders/${id}`,
      preview: ({ id }) => readFile(id),
      download,
      setRights: (file) => setDialog({ kind: 'rights', file }),
      showOpenings: (file) => setDialog({ kind: 'openings', file }),
      rename: (entry) => setDialog({ kind: 'rename', entry }),
      move: (entry) => setLeaving([entry]),
      remove: (entry) => remove([entry]),
      refuse,
      select: toggle,
      openMenu: (entry, anchor) => setMenu({ entry, anchor }),
    }),
    [zoneId, readFile, download, remove, refuse, toggle],
  );

  useEffect(() => {
    if (ready) onRest?.();
  }, [ready, onRest]);

  if (hasCode(folderError ?? content.error, 'FOLDER_NOT_FOUND')) return <FolderNotFound zoneId={zoneId} />;
  const filled = ready && content.entries.length > 0;
  const isStillSearching = searching && ready && !filled && (inTexts.isPending || content.isOutdated === true);
  const shown = { entries: content.entries, actions, selection: rows, marked: wanted, returned, onNearEnd: loadMore };
  const top = !searching && manages && folder?.readOnly === false ? { id: null, name: zoneName } : null;
  const bar = chosen.length > 0 && (
    <SelectionBar
      chosen={chosen}
      gathering={gathering ? content.total : undefined}
      onMove={setLeaving}
      onDownload={download}
      onDelete={manages ? removeAll : undefined}
      onCancel={clear}
    />
  );
  return (
    <DragArea chosen={chosen} onMove={moveAll}>
      <Box ref={section} component="section" aria-label={t('title')} sx={{ position: 'relative' }}>
        <DropArea place={top}>
          <Head bar={bar}>
            <FileToolbar
              heading={<Heading {...{ zoneId, zoneName }} q={field.q} path={folder?.path ?? []} root={atRoot} />}
              search={<SearchField text={field.text} onText={field.setText} onClear={field.clear} />}
              filled={filled && !searching}
              {...{ sort, onSort: setSort, view, onView: setView }}
              downloadAll={filled && !searching && <DownloadAll {...{ zoneId, folderId }} entries={content.entries} />}
              trash={manages ? `/zones/${zoneId}/trash` : undefined}
              onUpload={mayUpload ? upload.choose : undefined}
              onNewFolder={mayMakeFolder ? () => setDialog({ kind: 'folder' }) : noFolder}
            />
          </Head>
          {content.error && !content.ready && (
            <ErrorState
              title={searching ? t('search.failed') : t('failed')}
              error={content.error}
              onRetry={content.refetch}
            />
          )}
          {((!ready && !content.error) || isStillSearching) && <RowsSkeleton />}
          {ready && !filled && searching && !isStillSearching && !inTexts.data?.hits.length && (
            <NothingFound q={field.q} searched={inTexts.error ? 'names' : inTexts.isAsked ? 'all' : 'short'} />
          )}
          {ready && !filled && !searching && (
            <EmptyFolder root={atRoot} mirror={inMirror} onChoose={mayUpload ? upload.choose : undefined} />
          )}
          {filled && !searching && view === 'grid' && <FileGrid {...shown} />}
          {filled && (searching || view === 'list') && (
            <FileTable {...shown} total={content.total} sort={searching ? undefined : sort} onSort={setSort} />
          )}
          {ready && searching && <FoundInTexts zoneId={zoneId} found={inTexts} />}
          {filled && mayUpload && <DropHint />}
          {upload.over && <DropVeil place={folder?.name ?? zoneName} />}
          {upload.input}
          <EntryMenu open={menu} actions={actions} onClose={() => setMenu(null)} />
          <MoveDialog {...{ zoneId, zoneName }} entries={leaving} onMove={moveAll} onClose={() => setLeaving(null)} />
          <ClashDialog clash={clash} onRename={renameClash} onClose={dropClash} />
          <EntryDialogs zoneId={zoneId} folderId={folderId} open={dialog} onClose={() => setDialog(null)} />
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
  root: boolean;
}

/** Where one is: the folder, or what was searched for. */
function Heading({ zoneId, zoneName, q, path, root }: HeadingProps) {
  const { t } = useTranslation('files');
  const narrow = useNarrow();
  const isTop = root && !q;
  // On a phone the tab above says it, and what stands in the list is worth more than a line.
  if (isTop && narrow) return <h2 className="z-visually-hidden">{t('title')}</h2>;
  const here = q ? [{ id: 0, name: t('search.results', { q }) }] : path;
  return (
    <Box sx={{ flex: { xs: '1 1 100%', sm: '1 1 240px' }, minWidth: 0 }}>
      {isTop ? (
        <Typography variant="h3" component="h2">
          {t('title')}
        </Typography>
      ) : (
        <FolderPath zoneId={zoneId} zoneName={zoneName} path={here} />
      )}
    </Box>
  );
}

function DropHint() {
  const { t } = useTranslation('files');
  return (
    <Typography
      variant="body2"
      color="textSecondary"
      sx={{ mt: 4, textAlign: 'center', '@media (pointer: coarse)': { display: 'none' } }}
    >
      {t('dropHint')}
    </Typography>
  );
}

/** What can be done with what is chosen stands in the place of the toolbar; not while it is dragged, to the path there. */
function Head({ bar, children }: { bar: ReactNode; children: ReactNode }) {
  const dragged = useContext(DraggedContext);
  return bar && dragged.size === 0 ? bar : children;
}

/** What had the focus may be gone after a dialog or a deletion; the list then takes it, not the top of the page. */
function useFocusKept(section: RefObject<HTMLElement | null>, open: boolean, count: number): void {
  const before = useRef({ open, count });
  useEffect(() => {
    const gone = (before.current.open && !open) || count < before.current.count;
    before.current = { open, count };
    if (!gone || document.activeElement !== document.body) return;
    section.current?.querySelector<HTMLElement>('[data-item][tabindex="0"]')?.focus();
  }, [section, open, count]);
}

const filesOf = (entries: readonly Entry[]) => entries.flatMap((entry) => (entry.kind === 'file' ? entry.file : []));

/** Gives what leads to the reader, with the list to come back to. */
function useReadFile(list: ReadingState['list']): (fileId: number) => void {
  const navigate = useNavigate();
  const { key: from } = useLocation();
  const kept = JSON.stringify({ inList: true, list, from } satisfies ReadingState);
  return useCallback(
    (fileId) => void navigate(readingAddress(list.zoneId, fileId), { state: JSON.parse(kept) as ReadingState }),
    [navigate, list.zoneId, kept],
  );
}

/** The ways to choose files for a folder: a button's file dialog, and dropping them on the page. */
function useUploading(
  target: { zoneId: number; folderId: number | null },
  enabled: boolean,
  entries: readonly Entry[],
) {
  const { t } = useTranslation('files');
  const uploads = useUploads();
  const input = useRef<HTMLInputElement>(null);
  const add = (files: readonly File[]) => {
    const taken = new Set(filesOf(entries).map(({ originalName }) => foldCase(originalName)));
    uploads.add(target, files, (name) => taken.has(foldCase(name)));
  };
  const over = useFileDrop(enabled, ({ files, folders }) => {
    if (folders) toast.error(t('dropFolders'), t('dropFoldersText'));
    if (files.length > 0) add(files);
  });
  return {
    over,
    choose: () => input.current?.click(),
    input: enabled && (
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('chooseFiles')}
        onChange={({ target: chosen }) => {
          add([...(chosen.files ?? [])]);
          // The same file may be chosen again.
          chosen.value = '';
        }}
      />
    ),
  };
}
