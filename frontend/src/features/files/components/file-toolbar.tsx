import CreateNewFolderRounded from '@mui/icons-material/CreateNewFolderRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import UploadRounded from '@mui/icons-material/UploadRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Sort } from '../../../shared/browse/sort';
import { SortMenu } from '../../../shared/browse/sort-menu';
import { ViewToggle, type ViewMode } from '../../../shared/browse/view-toggle';
import { fileSortKeys, maxFolderDepth } from '../entries';
import type { FileSortKey } from '../../../shared/files/file-lists';

interface Props {
  /** The current folder or search. */
  heading: ReactNode;
  searchField: ReactNode;
  /** Sort and view controls are shown only if there are entries. */
  hasEntries: boolean;
  sort: Sort<FileSortKey>;
  onSort: (sort: Sort<FileSortKey>) => void;
  view: ViewMode;
  onViewChange: (view: ViewMode) => void;
  downloadAll: ReactNode;
  /** URL of the trash; undefined if the viewer can't see it. */
  trashUrl?: string;
  /** Undefined if the viewer can't upload. */
  onUpload?: () => void;
  /** A string instead of a function is the reason why folders can't be created here. */
  onNewFolder?: (() => void) | 'tooDeep' | 'inMirror';
}

/** Toolbar above the file list. */
export function FileToolbar({
  heading,
  searchField,
  hasEntries,
  sort,
  onSort,
  view,
  onViewChange,
  downloadAll,
  trashUrl,
  onUpload,
  onNewFolder,
}: Props) {
  const { t } = useTranslation('files');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, minHeight: 36, mb: 4 }}>
      {heading}
      {searchField}
      {hasEntries && (
        <>
          <SortMenu sort={sort} keys={fileSortKeys.map((key) => ({ key, name: t(`sort.${key}`) }))} onChange={onSort} />
          <ViewToggle view={view} onChange={onViewChange} />
        </>
      )}
      {downloadAll}
      {trashUrl && (
        <Tooltip title={t('trash.open')}>
          <IconButton component={Link} to={trashUrl} aria-label={t('trash.open')}>
            <DeleteOutlineRounded />
          </IconButton>
        </Tooltip>
      )}
      {onNewFolder && (
        <Tooltip title={typeof onNewFolder === 'string' ? t(onNewFolder, { allowed: maxFolderDepth }) : ''}>
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
      {onUpload && (
        <Button variant="contained" color="primary" startIcon={<UploadRounded />} onClick={onUpload}>
          {t('upload')}
        </Button>
      )}
    </Box>
  );
}
