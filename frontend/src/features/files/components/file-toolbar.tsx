import CreateNewFolderRounded from '@mui/icons-material/CreateNewFolderRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useContext, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Sort } from '../../../shared/browse/sort';
import { SortMenu } from '../../../shared/browse/sort-menu';
import { ViewToggle, type ViewMode } from '../../../shared/browse/view-toggle';
import type { FileSortKey } from '../../../shared/files/file-lists';
import { useIsMobile } from '../../../shared/hooks/use-is-mobile';
import { fileSortKeys, maxFolderDepth } from '../entries';
import { DraggedKeysContext } from '../move/drag-and-drop';
import { FileToolbarMenu, type FolderTools } from './file-toolbar-menu';
import { UploadButton } from './upload-button';

interface Props extends FolderTools {
  /** The current folder or search. */
  heading: ReactNode;
  searchField: ReactNode;
  /** Shown instead of the tools while entries are selected. */
  selectionBar: ReactNode;
  /** Sort and view controls are shown only if there are entries. */
  hasEntries: boolean;
  sort: Sort<FileSortKey>;
  onSort: (sort: Sort<FileSortKey>) => void;
  view: ViewMode;
  onViewChange: (view: ViewMode) => void;
  /** Undefined if the viewer can't upload. */
  onUpload?: () => void;
}

const rowStyle = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 } as const;

/**
 * Toolbar above the file list. The selection bar replaces it, except during a drag: the toolbar has the path, which is
 * a drop target. On phones the search has its own row, which stays above the selection bar.
 */
export function FileToolbar({ heading, searchField, selectionBar, ...props }: Props) {
  const isMobile = useIsMobile();
  const draggedKeys = useContext(DraggedKeysContext);
  const isSelecting = Boolean(selectionBar) && draggedKeys.size === 0;
  if (!isMobile) {
    if (isSelecting) return selectionBar;
    return (
      <Box sx={{ ...rowStyle, minHeight: 36, mb: 4 }}>
        {heading}
        {searchField}
        <SortAndView {...props} />
        <FolderButtons {...props} />
        <UploadButton {...props} />
      </Box>
    );
  }
  return (
    <>
      <Box sx={{ ...rowStyle, mb: 2 }}>
        {heading}
        {searchField}
      </Box>
      {isSelecting ? selectionBar : <MobileTools {...props} />}
    </>
  );
}

type ToolProps = Omit<Props, 'heading' | 'searchField' | 'selectionBar'>;

/** One row; what is used rarely is in its menu. */
function MobileTools(props: ToolProps) {
  const { hasEntries, onUpload, onUploadFolder, onDownloadAll, trashUrl, onNewFolder } = props;
  if (!hasEntries && !onUpload && typeof onNewFolder !== 'function') return null;
  return (
    <Box sx={{ ...rowStyle, mb: 4 }}>
      <SortAndView {...props} />
      <Box sx={{ flex: 1 }} />
      {/* Members have only the download. */}
      {trashUrl || onNewFolder ? (
        <FileToolbarMenu {...{ onUploadFolder, onDownloadAll, trashUrl, onNewFolder }} />
      ) : (
        onDownloadAll && <DownloadAllIconButton onClick={onDownloadAll} />
      )}
      <UploadButton onUpload={onUpload} />
    </Box>
  );
}

function SortAndView({ hasEntries, sort, onSort, view, onViewChange }: ToolProps) {
  const { t } = useTranslation('files');
  if (!hasEntries) return null;
  return (
    <>
      <SortMenu sort={sort} keys={fileSortKeys.map((key) => ({ key, name: t(`sort.${key}`) }))} onChange={onSort} />
      <ViewToggle view={view} onChange={onViewChange} />
    </>
  );
}

function FolderButtons({ onDownloadAll, trashUrl, onNewFolder }: FolderTools) {
  const { t } = useTranslation('files');
  const disabledReason = typeof onNewFolder === 'string' ? t(onNewFolder, { allowed: maxFolderDepth }) : '';
  return (
    <>
      {onDownloadAll && (
        <Button startIcon={<DownloadRounded />} onClick={onDownloadAll}>
          {t('downloadAll')}
        </Button>
      )}
      {trashUrl && (
        <Tooltip title={t('trash.open')}>
          <IconButton component={Link} to={trashUrl} aria-label={t('trash.open')}>
            <DeleteOutlineRounded />
          </IconButton>
        </Tooltip>
      )}
      {onNewFolder && (
        <Tooltip title={disabledReason}>
          <span>
            <Button
              startIcon={<CreateNewFolderRounded />}
              disabled={typeof onNewFolder === 'string'}
              onClick={typeof onNewFolder === 'string' ? undefined : onNewFolder}
            >
              {t('newFolder')}
            </Button>
          </span>
        </Tooltip>
      )}
    </>
  );
}

function DownloadAllIconButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('files');
  return (
    <Tooltip title={t('downloadAll')}>
      <IconButton aria-label={t('downloadAll')} onClick={onClick}>
        <DownloadRounded />
      </IconButton>
    </Tooltip>
  );
}
