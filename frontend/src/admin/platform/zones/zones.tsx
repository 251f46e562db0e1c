import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded';
import Alert from '@mui/material/Alert';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import { api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { Column, DateColumn } from '../../ui/list/column';
import { SearchFilter, SelectFilter } from '../../ui/list/filters';
import { List } from '../../ui/list/list';
import { useAdminMutation } from '../../ui/use-admin-mutation';

type Zone = Schema<'AdminZoneDto'>;
const zoneTypes = ['private', 'public'] as const;

/** All zones: owner and size, but no content. */
export function Zones() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <List<Zone>
      resource="zones"
      label={t('zones.list')}
      errorTitle={t('zones.failed')}
      empty={{ icon: <FolderSpecialRounded />, title: t('zones.empty'), text: t('zones.emptyText') }}
      filters={<ZoneFilters />}
    >
      <Column<Zone> source="name" label={t('zones.name')} inCard="title" maxChars={20} />
      <Column<Zone> source="description" disableSort label={t('zones.description')} maxChars={18} />
      <Column<Zone> source="ownerEmail" label={t('zones.owner')} maxChars={22} />
      <Column<Zone>
        source="type"
        disableSort
        label={t('zones.type')}
        inCard="badge"
        render={(zone) => <TypeBadge zone={zone} />}
      />
      <Column<Zone>
        source="fileCount"
        align="right"
        label={t('zones.fileCount')}
        inCard="inline"
        hasCardLabel
        render={({ fileCount }) => format.number(fileCount)}
      />
      <Column<Zone>
        source="memberCount"
        align="right"
        label={t('zones.memberCount')}
        inCard="inline"
        hasCardLabel
        render={({ memberCount }) => format.number(memberCount)}
      />
      <Column<Zone>
        source="totalBytes"
        align="right"
        label={t('zones.storage')}
        inCard="inline"
        render={({ totalBytes }) => format.size(totalBytes)}
      />
      <DateColumn<Zone> source="createdAt" label={t('zones.created')} />
      <Column<Zone>
        align="right"
        label={t('list.actions')}
        inCard="action"
        render={(zone) => <DeleteZoneButton zone={zone} />}
      />
    </List>
  );
}

function ZoneFilters() {
  const { t } = useTranslation('admin');
  return (
    <>
      <SearchFilter label={t('zones.search')} />
      <SelectFilter
        source="type"
        label={t('zones.type')}
        emptyText={t('zones.anyType')}
        choices={zoneTypes.map((value) => ({ value, label: t(`zones.${value}`) }))}
      />
    </>
  );
}

function TypeBadge({ zone: { type } }: { zone: Zone }) {
  const { t } = useTranslation('admin');
  return <Badge tone={type === 'public' ? 'accent' : 'neutral'}>{t(`zones.${type}`)}</Badge>;
}

function DeleteZoneButton({ zone }: { zone: Zone }) {
  const { t } = useTranslation('admin');
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const [warning, setWarning] = useState<string | null>(null);
  const close = () => {
    setIsConfirmOpen(false);
    setWarning(null);
  };
  const deleteZone = useAdminMutation<boolean, unknown>({
    resource: 'zones',
    call: (isWarned) =>
      api.DELETE('/api/admin/zones/{id}', {
        params: { path: { id: zone.id }, query: isWarned ? { evenIfUsed: 'true' as const } : {} },
      }),
    successMessage: () => t('zones.deleted', { name: zone.name }),
    errorTitle: t('zones.deleteFailed'),
    handleError: (error) => {
      const isWarning = hasCode(error, 'ZONE_IN_USE');
      if (isWarning) setWarning(error.message);
      else close();
      return isWarning;
    },
  });
  if (!zone.can.delete) return null;
  return (
    <>
      <IconButton
        edge="end"
        aria-label={t('zones.deleteName', { name: zone.name })}
        onClick={() => setIsConfirmOpen(true)}
      >
        <DeleteOutlineRounded />
      </IconButton>
      <ConfirmDialog
        open={isConfirmOpen}
        title={t('zones.deleteTitle', { name: zone.name })}
        confirmLabel={t(warning === null ? 'zones.delete' : 'zones.deleteAnyway')}
        typeToConfirm={zone.name}
        isPending={deleteZone.isPending}
        onConfirm={() => deleteZone.mutate(warning !== null, { onSuccess: close })}
        onClose={close}
      >
        {warning !== null && (
          <Alert severity="warning" role="alert" sx={{ mb: 3 }}>
            {warning}
          </Alert>
        )}
        {t('zones.deleteText')} {t('zones.deleteMore', { count: zone.memberCount, owner: zone.ownerEmail })}
      </ConfirmDialog>
    </>
  );
}
