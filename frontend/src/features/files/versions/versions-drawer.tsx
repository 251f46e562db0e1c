import CloseRounded from '@mui/icons-material/CloseRounded';
import UploadFileRounded from '@mui/icons-material/UploadFileRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import type { StoredFile } from '../entries';
import { useDeleteVersion, useRestoreVersion, useVersions, type FileVersion } from './use-versions';

interface Props {
  file: StoredFile | null;
  /** Lets the person choose a file that replaces this one. */
  onReplace: (file: StoredFile) => void;
  onClose: () => void;
}

/** The current content of a file and its earlier versions, in a drawer next to the list. */
export function VersionsDrawer({ file, onReplace, onClose }: Props) {
  const id = useId();
  return (
    <Drawer
      anchor="right"
      open={file !== null}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': id, sx: { width: 'min(520px, 100vw)' } } }}
    >
      {file && <VersionsContent file={file} titleId={id} onReplace={onReplace} onClose={onClose} />}
    </Drawer>
  );
}

interface ContentProps extends Omit<Props, 'file'> {
  file: StoredFile;
  titleId: string;
}

function VersionsContent({ file, titleId, onReplace, onClose }: ContentProps) {
  const { t } = useTranslation('files');
  const { t: tCommon } = useTranslation();
  const errorText = useErrorText();
  const { versions, error, refetch, loadMore } = useVersions(file.id);
  const restore = useRestoreVersion(file.id);
  const deletion = useDeleteVersion(file.id);
  const [versionToDelete, setVersionToDelete] = useState<FileVersion | null>(null);
  const restoreVersion = ({ number }: FileVersion) =>
    restore.mutate(number, {
      onSuccess: () => toast.success(t('versions.restored', { number })),
      onError: (failure) => toast.error(t('versions.restoreFailed'), errorText(failure)),
    });
  const deleteVersion = ({ number }: FileVersion) =>
    deletion.mutate(number, {
      onSuccess: () => toast.success(t('versions.deleted', { number })),
      onError: (failure) => toast.error(t('versions.deleteFailed'), errorText(failure)),
      onSettled: () => setVersionToDelete(null),
    });
  return (
    <Stack spacing={5} sx={{ p: { xs: 4, sm: 6 } }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography id={titleId} variant="h2">
            {t('versions.title')}
          </Typography>
          <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {file.originalName}
          </Typography>
        </Box>
        <IconButton aria-label={tCommon('actions.close')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </Box>
      <Typography>{t('versions.text')}</Typography>
      <Box>
        <Button variant="outlined" startIcon={<UploadFileRounded />} onClick={() => onReplace(file)}>
          {t('actions.replace')}
        </Button>
      </Box>
      {error && !versions && <ErrorState title={t('versions.failed')} error={error} onRetry={refetch} />}
      {!versions && !error && <RowsSkeleton />}
      {versions && (
        <Box component="ul" aria-label={t('versions.title')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {versions.map((version) => (
            <VersionRow
              key={version.number}
              fileId={file.id}
              version={version}
              isBusy={restore.isPending || deletion.isPending}
              onRestore={restoreVersion}
              onDelete={setVersionToDelete}
            />
          ))}
        </Box>
      )}
      {loadMore && <Button onClick={loadMore}>{t('versions.more')}</Button>}
      <ConfirmDialog
        open={versionToDelete !== null}
        title={t('versions.ask', { number: versionToDelete?.number })}
        confirmLabel={t('versions.delete')}
        isPending={deletion.isPending}
        onConfirm={() => versionToDelete && deleteVersion(versionToDelete)}
        onClose={() => setVersionToDelete(null)}
      >
        {t('trash.forever')}
      </ConfirmDialog>
    </Stack>
  );
}

interface RowProps {
  fileId: number;
  version: FileVersion;
  isBusy: boolean;
  onRestore: (version: FileVersion) => void;
  onDelete: (version: FileVersion) => void;
}

function VersionRow({ fileId, version, isBusy, onRestore, onDelete }: RowProps) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { number, isCurrent, name, size, uploadedBy, uploadedAt, viewable } = version;
  const url = `/api/files/${fileId}/versions/${number}`;
  return (
    <Box component="li" sx={{ py: 3, '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <Box sx={{ overflowWrap: 'anywhere' }}>
        <Typography variant="subtitle2" component="p" sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          {t('versions.number', { number: format.number(number) })}
          {isCurrent && <Chip size="small" label={t('versions.current')} />}
        </Typography>
        <Typography variant="body2">{format.dateTime(uploadedAt)}</Typography>
        <Typography variant="body2" color="textSecondary">
          {[uploadedBy ?? t('versions.unknownPerson'), format.size(size)].join(' · ')}
        </Typography>
        {!isCurrent && (
          <Typography variant="caption" color="textSecondary" component="p">
            {name}
          </Typography>
        )}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, mt: 1, ml: -2 }}>
        {viewable && (
          <RowButton
            text={t('actions.preview')}
            label={t('versions.view', { number })}
            link={{ href: `${url}/view`, target: '_blank' }}
          />
        )}
        <RowButton
          text={t('actions.download')}
          label={t('versions.download', { number })}
          link={{ href: `${url}/download`, download: true }}
        />
        {!isCurrent && (
          <>
            <RowButton
              text={t('trash.restore')}
              label={t('versions.restore', { number })}
              disabled={isBusy}
              onClick={() => onRestore(version)}
            />
            <RowButton
              text={t('actions.delete')}
              label={t('versions.deleteNamed', { number })}
              disabled={isBusy}
              onClick={() => onDelete(version)}
            />
          </>
        )}
      </Box>
    </Box>
  );
}

interface RowButtonProps {
  text: string;
  /** Also names the version. */
  label: string;
  link?: { href: string; target?: '_blank'; download?: boolean };
  disabled?: boolean;
  onClick?: () => void;
}

function RowButton({ text, label, link, disabled, onClick }: RowButtonProps) {
  return (
    <Button
      size="small"
      variant="text"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
      {...(link && { component: 'a', ...link })}
    >
      {text}
    </Button>
  );
}
