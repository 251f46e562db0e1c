import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded';
import Alert from '@mui/material/Alert';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { DataTable } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import { api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { AdminList } from '../../ui/admin-list';
import { TruncatedText } from '../../ui/truncated-text';
import { ListFilters } from '../../ui/list-filters';
import { RowCard } from '../../ui/row-card';
import { useAdminMutation } from '../../ui/use-admin-mutation';

type Zone = Schema<'AdminZoneDto'>;
const zoneTypes = ['private', 'public'] as const;

/** All zones: owner and size, but no content. */
export function Zones() {
  const { t } = useTranslation('admin');
  return (
    <AdminList<Zone>
      resource="zones"
      label={t('zones.list')}
      errorTitle={t('zones.failed')}
      empty={{ icon: <FolderSpecialRounded />, title: t('zones.empty'), text: t('zones.emptyText') }}
      filters={
        <ListFilters
          searchLabel={t('zones.search')}
          selects={[
            {
              name: 'type',
              label: t('zones.type'),
              anyLabel: t('zones.anyType'),
              options: zoneTypes.map((value) => ({ value, label: t(`zones.${value}`) })),
            },
          ]}
          exportFile={{ path: '/api/admin/zones/export', label: t('list.export') }}
        />
      }
      renderCard={(zone) => <ZoneCard zone={zone} />}
    >
      {useColumns()}
    </AdminList>
  );
}

function useColumns() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return [
    <DataTable.Col<Zone>
      key="name"
      source="name"
      label={t('zones.name')}
      render={({ name }) => <TruncatedText maxChars={20}>{name}</TruncatedText>}
    />,
    <DataTable.Col<Zone>
      key="description"
      source="description"
      disableSort
      label={t('zones.description')}
      render={({ description }) => <TruncatedText maxChars={18}>{description}</TruncatedText>}
    />,
    <DataTable.Col<Zone>
      key="ownerEmail"
      source="ownerEmail"
      label={t('zones.owner')}
      render={({ ownerEmail }) => <TruncatedText maxChars={22}>{ownerEmail}</TruncatedText>}
    />,
    <DataTable.Col<Zone>
      key="type"
      source="type"
      disableSort
      label={t('zones.type')}
      render={(zone) => <TypeBadge zone={zone} />}
    />,
    ...(['fileCount', 'memberCount'] as const).map((source) => (
      <DataTable.Col<Zone>
        key={source}
        source={source}
        align="right"
        label={t(`zones.${source}`)}
        render={(zone) => format.number(zone[source])}
      />
    )),
    <DataTable.Col<Zone>
      key="totalBytes"
      source="totalBytes"
      align="right"
      label={t('zones.storage')}
      render={({ totalBytes }) => format.size(totalBytes)}
    />,
    <DataTable.Col<Zone>
      key="createdAt"
      source="createdAt"
      label={t('zones.created')}
      render={({ createdAt }) => format.date(createdAt)}
    />,
    <DataTable.Col<Zone>
      key="actions"
      align="right"
      label={t('list.actions')}
      render={(zone) => <DeleteZoneButton zone={zone} />}
    />,
  ];
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

function ZoneCard({ zone }: { zone: Zone }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { fileCount, memberCount, totalBytes } = zone;
  return (
    <RowCard
      title={zone.name}
      badge={<TypeBadge zone={zone} />}
      lines={[
        zone.description,
        zone.ownerEmail,
        [
          `${t('zones.fileCount')} ${format.number(fileCount)}`,
          `${t('zones.memberCount')} ${format.number(memberCount)}`,
          format.size(totalBytes),
        ].join(' · '),
        format.date(zone.createdAt),
      ]}
      action={<DeleteZoneButton zone={zone} />}
    />
  );
}
