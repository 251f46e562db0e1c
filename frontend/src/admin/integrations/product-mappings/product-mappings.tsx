import AddRounded from '@mui/icons-material/AddRounded';
import Inventory2Rounded from '@mui/icons-material/Inventory2Rounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { DataTable, ListBase } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Cut } from '../../ui/cut';
import { ListBody } from '../../ui/list-body';
import { shownByTheList } from '../../ui/shown-by-the-list';
import { AddMappingDialog } from './add-mapping-dialog';
import { MappingSwitch } from './mapping-switch';
import { RemoveMapping } from './remove-mapping';
import type { ProductMapping } from './use-mappings';

/** Which product of the shop opens which zone: the list, adding and deleting. */
export function ProductMappings() {
  const { t } = useTranslation('integrations');
  const [adding, setAdding] = useState(false);
  const add = (
    <Button variant="contained" color="primary" startIcon={<AddRounded />} onClick={() => setAdding(true)}>
      {t('mappings.add')}
    </Button>
  );
  return (
    <ListBase
      resource="product-mappings"
      sort={{ field: 'id', order: 'DESC' }}
      perPage={25}
      exporter={false}
      queryOptions={shownByTheList}
    >
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', mb: 4 }}>{add}</Box>
      <MappingRows />
      <AddMappingDialog open={adding} onClose={() => setAdding(false)} />
    </ListBase>
  );
}

function MappingRows() {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  return (
    <ListBody<ProductMapping>
      label={t('mappings.list')}
      failed={t('mappings.failed')}
      empty={
        <EmptyState icon={<Inventory2Rounded />} title={t('mappings.emptyTitle')} text={t('mappings.emptyText')} />
      }
      nothingFound={{ title: t('logs.nothingFound'), text: '', clear: t('logs.clear') }}
      card={(mapping) => <MappingCard mapping={mapping} />}
    >
      <DataTable.Col<ProductMapping>
        source="productId"
        label={t('mappings.productId')}
        render={({ productId }) => <Cut chars={20}>{productId}</Cut>}
      />
      <DataTable.Col<ProductMapping>
        source="productName"
        label={t('mappings.productName')}
        render={({ productName }) => <Cut>{productName}</Cut>}
      />
      <DataTable.Col<ProductMapping>
        source="zoneName"
        label={t('mappings.zone')}
        render={({ zoneName, zoneId }) => <Cut>{t('logs.zoneWithId', { name: zoneName, id: zoneId })}</Cut>}
      />
      <DataTable.Col<ProductMapping>
        source="createdAt"
        disableSort
        label={t('mappings.added')}
        render={({ createdAt }) => <Cut>{format.date(createdAt)}</Cut>}
      />
      <DataTable.Col<ProductMapping>
        source="isActive"
        disableSort
        label={t('mappings.active')}
        render={(mapping) => <MappingSwitch mapping={mapping} />}
      />
      <DataTable.Col<ProductMapping>
        label={t('mappings.actions')}
        align="right"
        render={(mapping) => <RemoveMapping mapping={mapping} />}
      />
    </ListBody>
  );
}

function MappingCard({ mapping }: { mapping: ProductMapping }) {
  const { t } = useTranslation('integrations');
  const { productId, productName, zoneId, zoneName } = mapping;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, p: 4 }}>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="subtitle2">{productName}</Typography>
        <Typography variant="body2" color="textSecondary">
          {t('mappings.productId')} {productId}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t('logs.zoneWithId', { name: zoneName, id: zoneId })}
        </Typography>
      </Box>
      <MappingSwitch mapping={mapping} />
      <RemoveMapping mapping={mapping} />
    </Box>
  );
}
