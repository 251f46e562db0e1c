import { useQueryClient } from '@tanstack/react-query';
import { useCreate, useDelete } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';

export type ProductMapping = Schema<'ProductMappingDto'>;
export type NewMapping = Schema<'CreateProductMappingDto'>;

const RESOURCE = 'product-mappings';

/** Adds and deletes mappings, and refetches the list. */
export function useMappingMutations() {
  const { t } = useTranslation('integrations');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [create] = useCreate<ProductMapping, Error>();
  const [remove, { isPending: removing }] = useDelete<ProductMapping, Error>();
  const updateMapping = $api.useMutation('patch', '/api/woocommerce/product-mappings/{id}');
  const invalidateMappings = () => queryClient.invalidateQueries({ queryKey: [RESOURCE] });

  const add = async (data: NewMapping) => {
    await create(RESOURCE, { data }, { returnPromise: true });
    await invalidateMappings();
  };
  const restoreMapping = async ({ productId, productName, zoneId }: ProductMapping) => {
    try {
      await add({ productId, productName, zoneId });
    } catch (error) {
      toast.error(t('mappings.createFailed'), errorText(error));
    }
  };
  const end = async (mapping: ProductMapping) => {
    try {
      await remove(RESOURCE, { id: mapping.id, previousData: mapping }, { returnPromise: true });
      toast.show({
        title: t('mappings.removed'),
        message: t('mappings.removedText'),
        undo: () => void restoreMapping(mapping),
      });
    } catch (error) {
      toast.error(t('mappings.removeFailed'), errorText(error));
    }
    await invalidateMappings();
  };
  const turnTo = async ({ id }: ProductMapping, isActive: boolean) => {
    try {
      await updateMapping.mutateAsync({ params: { path: { id } }, body: { isActive } });
      toast.success(t(isActive ? 'mappings.turnedOn' : 'mappings.turnedOff'));
    } catch (error) {
      toast.error(t('mappings.turnFailed'), errorText(error));
    }
    await invalidateMappings();
  };
  return { add, end, removing, turnTo, isToggling: updateMapping.isPending };
}
