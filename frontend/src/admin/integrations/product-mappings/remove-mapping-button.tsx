import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { useMappingMutations, type ProductMapping } from './use-mapping-mutations';

/** Deletes a mapping at once; the toast offers Undo. */
export function RemoveMappingButton({ mapping }: { mapping: ProductMapping }) {
  const { t } = useTranslation('integrations');
  const { end, removing } = useMappingMutations();
  return (
    <IconButton
      edge="end"
      disabled={removing}
      aria-label={t('mappings.remove', { product: mapping.productName, zone: mapping.zoneName })}
      onClick={() => void end(mapping)}
    >
      <DeleteOutlineRounded />
    </IconButton>
  );
}
