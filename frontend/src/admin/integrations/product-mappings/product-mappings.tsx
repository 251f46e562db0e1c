import AddRounded from '@mui/icons-material/AddRounded';
import Inventory2Rounded from '@mui/icons-material/Inventory2Rounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Column, DateColumn } from '../../ui/list/column';
import { List } from '../../ui/list/list';
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
    <>
      <List<ProductMapping>
        resource="product-mappings"
        label={t('mappings.list')}
        errorTitle={t('mappings.failed')}
        empty={{ icon: <Inventory2Rounded />, title: t('mappings.emptyTitle'), text: t('mappings.emptyText') }}
        sort={{ field: 'id', order: 'DESC' }}
        header={<Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>{addButton}</Box>}
      >
        <Column<ProductMapping> source="productId" label={t('mappings.productId')} hasCardLabel maxChars={20} />
        <Column<ProductMapping> source="productName" label={t('mappings.productName')} inCard="title" maxChars={32} />
        <Column<ProductMapping>
          source="zoneName"
          label={t('mappings.zone')}
          maxChars={32}
          render={({ zoneName, zoneId }) => t('logs.zoneWithId', { name: zoneName, id: zoneId })}
        />
        <DateColumn<ProductMapping> source="createdAt" disableSort label={t('mappings.added')} inCard="hidden" />
        <Column<ProductMapping>
          source="isActive"
          disableSort
          label={t('mappings.active')}
          inCard="action"
          render={(mapping) => <MappingSwitch mapping={mapping} />}
        />
        <Column<ProductMapping>
          label={t('mappings.actions')}
          align="right"
          inCard="action"
          render={(mapping) => <RemoveMappingButton mapping={mapping} />}
        />
      </List>
      <AddMappingDialog open={isDialogOpen} onClose={() => setIsDialogOpen(false)} />
    </>
  );
}
