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
import { Cut } from '../../ui/cut';
import { ListFilters } from '../../ui/list-filters';
import { RowCard } from '../../ui/row-card';
import { useChange } from '../../ui/use-change';

type Zone = Schema<'AdminZoneDto'>;
const types = ['private', 'public'] as const;

/** Zones of everybody: whose they are and how large, and nothing of what lies in them. */
export function Zones() {
  const { t } = useTranslation('admin');
  return (
    <AdminList<Zone>
      resource="zones"
      label={t('zones.list')}
      failed={t('zones.failed')}
      empty={{ icon: <FolderSpecialRounded />, title: t('zones.empty'), text: t('zones.emptyText') }}
      filters={
        <ListFilters
          search={t('zones.search')}
          choices={[
            {
              name: 'type',
              label: t('zones.type'),
              any: t('zones.anyType'),
              options: types.map((value) => ({ value, label: t(`zones.${value}`) })),
            },
          ]}
          file={{ path: '/api/admin/zones/export', label: t('list.export') }}
        />
      }
      card={(zone) => <ZoneCard zone={zone} />}
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
      render={({ name }) => <Cut chars={20}>{name}</Cut>}
    />,
    <DataTable.Col<Zone>
      key="description"
      source="description"
      disableSort
      label={t('zones.description')}
      render={({ description }) => <Cut chars={18}>{description}</Cut>}
    />,
    <DataTable.Col<Zone>
      key="ownerEmail"
      source="ownerEmail"
      label={t('zones.owner')}
      render={({ ownerEmail }) => <Cut chars={22}>{ownerEmail}</Cut>}
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
      render={(zone) => <DeleteZone zone={zone} />}
    />,
  ];
}

function TypeBadge({ zone: { type } }: { zone: Zone }) {
  const { t } = useTranslation('admin');
  return <Badge tone={type === 'public' ? 'accent' : 'neutral'}>{t(`zones.${type}`)}</Badge>;
}

function DeleteZone({ zone }: { zone: Zone }) {
  const { t } = useTranslation('admin');
  const [asked, setAsked] = useState(false);
  const [warning, setWarning] = useState<string | null>(null);
  const close = () => {
    setAsked(false);
    setWarning(null);
  };
  const remove = useChange<boolean, unknown>({
    resource: 'zones',
    call: (isWarned) =>
      api.DELETE('/api/admin/zones/{id}', {
        params: { path: { id: zone.id }, query: isWarned ? { evenIfUsed: 'true' as const } : {} },
      }),
    done: () => t('zones.deleted', { name: zone.name }),
    failed: t('zones.deleteFailed'),
    showRefusal: (error) => {
      const isWarning = hasCode(error, 'ZONE_IN_USE');
      if (isWarning) setWarning(error.message);
      else close();
      return isWarning;
    },
  });
  if (!zone.can.delete) return null;
  return (
    <>
      <IconButton edge="end" aria-label={t('zones.deleteName', { name: zone.name })} onClick={() => setAsked(true)}>
        <DeleteOutlineRounded />
      </IconButton>
      <ConfirmDialog
        open={asked}
        title={t('zones.deleteTitle', { name: zone.name })}
        confirmLabel={t(warning === null ? 'zones.delete' : 'zones.deleteAnyway')}
        typeToConfirm={zone.name}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(warning !== null, { onSuccess: close })}
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
      action={<DeleteZone zone={zone} />}
    />
  );
}
