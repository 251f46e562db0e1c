import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { useAdminMutation } from '../../ui/use-admin-mutation';

type QuarantinedObject = Schema<'QuarantinedObjectDto'>;

const PAGE_SIZE = 20;

/** Objects that the weekly storage check quarantined, with their actions. */
export function QuarantinedObjects() {
  const { t } = useTranslation('admin');
  const { data } = $api.useQuery('get', '/api/admin/quarantine', { params: { query: { perPage: PAGE_SIZE } } });
  if (!data || data.length === 0) return null;
  return (
    <Box sx={{ mt: 4 }}>
      <Typography variant="h4" component="h3">
        {t('system.files.quarantine')}
      </Typography>
      <Typography color="textSecondary">{t('system.files.quarantineText')}</Typography>
      <List disablePadding aria-label={t('system.files.quarantine')}>
        {data.map((row) => (
          <QuarantinedObjectRow key={row.id} row={row} />
        ))}
      </List>
    </Box>
  );
}

function QuarantinedObjectRow({ row }: { row: QuarantinedObject }) {
  const format = useFormat();
  return (
    <ListItem disableGutters sx={{ gap: 2, flexWrap: { xs: 'wrap', sm: 'nowrap' } }}>
      <ListItemText
        primary={row.key}
        secondary={`${format.size(row.size)} · ${format.dateTime(row.foundAt)}`}
        slotProps={{ primary: { sx: { overflowWrap: 'anywhere' } } }}
      />
      {row.canRestore && <RestoreButton row={row} />}
      {row.canRestore && <DeleteButton row={row} />}
    </ListItem>
  );
}

function RestoreButton({ row }: { row: QuarantinedObject }) {
  const { t } = useTranslation('admin');
  const restoreObject = useAdminMutation<void, unknown>({
    resource: 'audit-log',
    call: () => api.POST('/api/admin/quarantine/{id}/restore', { params: { path: { id: row.id } } }),
    successMessage: () => t('system.files.restored'),
    errorTitle: t('system.files.restoreFailed'),
  });
  return (
    <Button
      size="small"
      loading={restoreObject.isPending}
      aria-label={t('system.files.restoreOne', { key: row.key })}
      onClick={() => restoreObject.mutate()}
    >
      {t('system.files.restore')}
    </Button>
  );
}

function DeleteButton({ row }: { row: QuarantinedObject }) {
  const { t } = useTranslation('admin');
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const deleteObject = useAdminMutation<void, unknown>({
    resource: 'audit-log',
    call: () => api.DELETE('/api/admin/quarantine/{id}', { params: { path: { id: row.id } } }),
    successMessage: () => t('system.files.deleted'),
    errorTitle: t('system.files.deleteFailed'),
  });
  return (
    <>
      <Button
        size="small"
        color="error"
        aria-label={t('system.files.deleteOne', { key: row.key })}
        onClick={() => setIsConfirmOpen(true)}
      >
        {t('system.files.delete')}
      </Button>
      <ConfirmDialog
        open={isConfirmOpen}
        title={t('system.files.deleteTitle', { key: row.key })}
        confirmLabel={t('system.files.delete')}
        isPending={deleteObject.isPending}
        onConfirm={() => deleteObject.mutate(undefined, { onSettled: () => setIsConfirmOpen(false) })}
        onClose={() => setIsConfirmOpen(false)}
      >
        {t('system.files.deleteText')}
      </ConfirmDialog>
    </>
  );
}
