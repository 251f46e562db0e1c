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
import { TruncatedText } from '../../ui/truncated-text';
import { ListBody } from '../../ui/list-body';
import { silentQueryErrors } from '../../ui/silent-query-errors';
import { AddMappingDialog } from './add-mapping-dialog';
import { MappingSwitch } from './mapping-switch';
import { RemoveMappingButton } from './remove-mapping-button';
import type { ProductMapping } from './use-mapping-mutations';

/** Which product gives access to which zone: list, add and delete. */
export function ProductMappings() {
  const { t } = useTranslation('integrations');
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const addButton = (
    <Button variant="contained" color="primary" startIcon={<AddRounded />} onClick={() => setIsDialogOpen(true)}>
      {t('mappings.add')}
    </Button>
  );
  return (
    <ListBase
      resource="product-mappings"
      sort={{ field: 'id', order: 'DESC' }}
      perPage={25}
      exporter={false}
      queryOptions={silentQueryErrors}
    >
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', mb: 4 }}>{addButton}</Box>
      <MappingList />
      <AddMappingDialog open={isDialogOpen} onClose={() => setIsDialogOpen(false)} />
    </ListBase>
  );
}

function MappingList() {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  return (
    <ListBody<ProductMapping>
      label={t('mappings.list')}
      errorTitle={t('mappings.failed')}
      empty={
        <EmptyState icon={<Inventory2Rounded />} title={t('mappings.emptyTitle')} text={t('mappings.emptyText')} />
      }
      noResults={{ title: t('logs.nothingFound'), text: '', clearLabel: t('logs.clear') }}
      renderCard={(mapping) => <MappingCard mapping={mapping} />}
    >
      <DataTable.Col<ProductMapping>
        source="productId"
        label={t('mappings.productId')}
        render={({ productId }) => <TruncatedText maxChars={20}>{productId}</TruncatedText>}
      />
      <DataTable.Col<ProductMapping>
        source="productName"
        label={t('mappings.productName')}
        render={({ productName }) => <TruncatedText>{productName}</TruncatedText>}
      />
      <DataTable.Col<ProductMapping>
        source="zoneName"
        label={t('mappings.zone')}
        render={({ zoneName, zoneId }) => (
          <TruncatedText>{t('logs.zoneWithId', { name: zoneName, id: zoneId })}</TruncatedText>
        )}
      />
      <DataTable.Col<ProductMapping>
        source="createdAt"
        disableSort
        label={t('mappings.added')}
        render={({ createdAt }) => <TruncatedText>{format.date(createdAt)}</TruncatedText>}
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
        render={(mapping) => <RemoveMappingButton mapping={mapping} />}
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
      <RemoveMappingButton mapping={mapping} />
    </Box>
  );
}
