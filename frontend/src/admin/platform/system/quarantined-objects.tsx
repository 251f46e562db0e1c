import Box from '@mui/material/Box';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ActionButton } from '../../ui/action-button';

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

function QuarantinedObjectRow({ row: { id, key, size, foundAt, canRestore } }: { row: QuarantinedObject }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const requestOptions = { params: { path: { id } } };
  return (
    <ListItem disableGutters sx={{ gap: 2, flexWrap: { xs: 'wrap', sm: 'nowrap' } }}>
      <ListItemText
        primary={key}
        secondary={`${format.size(size)} · ${format.dateTime(foundAt)}`}
        slotProps={{ primary: { sx: { overflowWrap: 'anywhere' } } }}
      />
      {canRestore && (
        <>
          <ActionButton
            resource="audit-log"
            label={t('system.files.restore')}
            name={t('system.files.restoreOne', { key })}
            size="small"
            call={() => api.POST('/api/admin/quarantine/{id}/restore', requestOptions)}
            successMessage={() => t('system.files.restored')}
            errorTitle={t('system.files.restoreFailed')}
          />
          <ActionButton
            resource="audit-log"
            label={t('system.files.delete')}
            name={t('system.files.deleteOne', { key })}
            size="small"
            color="error"
            confirm={{ title: t('system.files.deleteTitle', { key }), text: t('system.files.deleteText') }}
            call={() => api.DELETE('/api/admin/quarantine/{id}', requestOptions)}
            successMessage={() => t('system.files.deleted')}
            errorTitle={t('system.files.deleteFailed')}
          />
        </>
      )}
    </ListItem>
  );
}
