import Switch from '@mui/material/Switch';
import { useTranslation } from 'react-i18next';
import { useMappingMutations, type ProductMapping } from './use-mapping-mutations';

/** Whether orders of a product give access to the zone. Existing members stay either way. */
export function MappingSwitch({ mapping }: { mapping: ProductMapping }) {
  const { t } = useTranslation('integrations');
  const { turnTo, isToggling } = useMappingMutations();
  const { productName, zoneName, isActive } = mapping;
  return (
    <Switch
      checked={isActive}
      onChange={(_event, checked) => isToggling || void turnTo(mapping, checked)}
      slotProps={{ input: { 'aria-label': t('mappings.turn', { product: productName, zone: zoneName }) } }}
    />
  );
}
